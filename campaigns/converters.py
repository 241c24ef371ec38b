"""How numbers stand in addresses."""
from __future__ import annotations


class Seq:
    """The number of an entry: small enough for every database, so that a silly one is simply not found."""

    regex = "[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        """From the address."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Into the address."""
        return str(value)
