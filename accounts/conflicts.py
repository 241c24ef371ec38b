"""Writers in each other's way: what the database took back, as others wrote meanwhile, is done again."""
from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import psycopg
from django.db import OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")

TAKEN_BACK = {"40001", "40P01"}  # a serialization failure, a deadlock
WITHIN = 10.0  # seconds; who waits longer is told that the database is busy
PAUSE, MOST_PAUSE = 0.01, 0.25  # seconds


def taken_back(error: BaseException) -> bool:
    """Whether the database took a transaction back only since others wrote: nothing of it is written.

    >>> taken_back(OperationalError("the disk is full"))
    False
    """
    cause = error.__cause__
    return isinstance(error, OperationalError) and isinstance(cause, psycopg.Error) and cause.sqlstate in TAKEN_BACK


def retried(work: Callable[P, T]) -> Callable[P, T]:
    """What is done again for as long as the database takes it back; raises its error after `WITHIN`.

    Inside of a transaction nothing can be done again by itself: whoever began it does all of it.
    """

    @functools.wraps(work)
    def until_written(*args: P.args, **kwargs: P.kwargs) -> T:
        until, pause = time.monotonic() + WITHIN, PAUSE
        while True:
            try:
                return work(*args, **kwargs)
            except OperationalError as error:
                if connection.in_atomic_block or not taken_back(error) or time.monotonic() > until:
                    raise
            # No two wait equally long: they would meet again.
            time.sleep(pause * (1 + time.monotonic_ns() % 1000 / 1000))
            pause = min(2 * pause, MOST_PAUSE)

    return until_written
