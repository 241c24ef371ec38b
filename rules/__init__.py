"""The games' rules, pure: dice, odds, and a folder for each game system. Knows nothing of Django."""
