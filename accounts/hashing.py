"""Passwords as Django hashes them, two at a time: whoever guesses costs two cores at most, and others have the rest."""
from __future__ import annotations

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from accounts import gate

GATE = gate.Gate(__file__, gate.__file__)


class TwoAtATime(PBKDF2PasswordHasher):
    """Reads and writes the same as its parent."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """A password's hash, when it is its turn."""
        with GATE:
            hashed: str = super().encode(password, salt, iterations)
            return hashed
