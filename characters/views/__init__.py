"""Pages of characters: the list, the sheet, the builder, and the small actions on a sheet."""
