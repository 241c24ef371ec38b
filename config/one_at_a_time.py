"""One process at a time brings a database up to date, on whatever machine each of them runs."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connections

KEY = 7_319_204_466_102  # of PostgreSQL's advisory locks: anything that nobody else takes
_inside = 0


@contextmanager
def one_at_a_time(alias: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Inside is one process at a time; one that comes meanwhile waits and says so. Whoever is inside may come again.

    PostgreSQL keeps the lock, as part of a transaction on a connection of its own: so it is gone with the process, and
    a pooler that hands connections around keeps nothing of it. SQLite has one file on one machine: there
    `first_start` keeps others out by a file.
    """
    global _inside
    if connections[alias].vendor != "postgresql" or _inside:
        yield
        return
    own = connections[alias].copy()
    try:
        own.set_autocommit(False)
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [KEY])
            if not cursor.fetchone()[0]:
                sys.stdout.write("Another process is bringing the database up to date. Waiting for it.\n")
                sys.stdout.flush()
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [KEY])
        _inside += 1
        try:
            yield
        finally:
            _inside -= 1
    finally:
        own.close()
