"""Pages of characters: the list, the sheet, the builder, and the small deeds on a sheet."""
