"""Writes of news: what people want to be told, and that it was told."""
