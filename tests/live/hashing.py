"""A hasher whose cost is the same on each machine."""
from __future__ import annotations

import os
import time

from django.contrib.auth.hashers import MD5PasswordHasher

SECONDS = float(os.environ.get("HASH_SECONDS", "0.6"))


class Slow(MD5PasswordHasher):
    """Takes its time, in which other threads may run."""

    def encode(self, password: str, salt: str) -> str:
        """As the other does, later."""
        time.sleep(SECONDS)
        return super().encode(password, salt)
