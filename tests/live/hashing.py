"""A hasher whose cost is the same on each machine."""
from __future__ import annotations

import time

from django.contrib.auth.hashers import MD5PasswordHasher


class Slow(MD5PasswordHasher):
    """Takes 0.6 seconds, in which other threads may run."""

    def encode(self, password: str, salt: str) -> str:
        """As the other does, later."""
        time.sleep(0.6)
        return super().encode(password, salt)
