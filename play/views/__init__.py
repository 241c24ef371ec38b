"""Views of the table."""
