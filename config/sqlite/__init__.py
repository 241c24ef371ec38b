"""SQLite for a server that keeps its connections."""
