"""The accounts of a sample. Their passwords are made on the spot, told once, and kept nowhere."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from accounts.models import User
from rules.dice import new_token


@dataclass(frozen=True)
class LogIn:
    """An account with its password, to be told."""

    user: User
    password: str


def make(name: str) -> LogIn:
    """An account of this name, with a number behind it where somebody has the name already."""
    free = next(filter(User.objects.is_free, _spellings(name)))
    # Letters and digits only, so that a double click takes all of it.
    password = "".join(sign for sign in new_token() if sign.isalnum())
    return LogIn(User.objects.create_user(username=free, password=password), password)


def _spellings(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}{number}" for number in count(2))
