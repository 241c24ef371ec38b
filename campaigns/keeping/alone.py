"""A database of PostgreSQL that one process has for itself, to put a backup back or to move it: nobody else comes in.

That process keeps an advisory lock on a connection of its own, so that it is gone with it, however it ends. Everybody
else asks for the same lock, shared, as the first thing on each new connection (`config.postgresql`): in a transaction,
so that a pooler that hands connections around keeps nothing of it.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

KEY = 7_319_204_466_103  # of advisory locks, which are each database's own: anything that nobody else takes
OURS = "DATABASE_IS_OURS"  # in the environment of the process that has it for itself, and of those that it starts


class Kept(OperationalError):
    """Somebody has the database for themselves."""


def refuse_kept(opened: Any) -> None:
    """Raises `Kept` on a new connection where another process has the database for itself, and closes it."""
    if OURS in os.environ:
        return
    # Whoever connects meets the lock, or is seen by who took it and looks afterwards at who is there.
    [free] = opened.execute("SELECT pg_try_advisory_xact_lock_shared(%s)", [KEY]).fetchone()
    opened.rollback()
    if not free:
        opened.close()
        raise Kept("A backup is being put back, or the database is being moved. Try again when that is done.")


@contextmanager
def for_itself() -> Iterator[bool]:
    """Inside, only this process and those that it starts connect; says whether nobody else was connected already."""
    connections.close_all()
    own = connections[DEFAULT_DB_ALIAS].copy()
    os.environ[OURS] = "1"
    try:
        with closing(own), own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [KEY])
            [taken] = cursor.fetchone()
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                           " AND pid <> pg_backend_pid() AND backend_type = 'client backend'")
            yield taken and cursor.fetchone() == (0,)
            connections.close_all()
    finally:
        del os.environ[OURS]
