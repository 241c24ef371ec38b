"""The next session: dates that are proposed, answered, fixed, moved and called off, series of them, and calendars."""
