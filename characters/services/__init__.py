"""Writes: keyword-only, one entry of the trail each, never a request. Each answers the entry that it wrote."""
