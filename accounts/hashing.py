"""Passwords as Django hashes them, one at a time: whoever guesses costs one core at most, and others have the rest."""
from __future__ import annotations

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from accounts.gate import Gate

GATE = Gate(__file__)


class OneAtATime(PBKDF2PasswordHasher):
    """Reads and writes the same as its parent."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """A password's hash, when it is its turn."""
        with GATE:
            hashed: str = super().encode(password, salt, iterations)
            return hashed
