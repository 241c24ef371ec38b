"""Forms of the table, a file for each part of it."""
