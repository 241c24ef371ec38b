"""The table: sessions and scenes, rolls, contests, and what is placed afterwards."""
