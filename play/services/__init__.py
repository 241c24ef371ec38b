"""Writes of the table: keyword-only, one transaction each, never a request. Each answers the entry that it wrote."""
