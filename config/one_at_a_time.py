"""One process at a time brings a database up to date, on whatever machine each of them runs."""
from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connections

KEY = 7_319_204_466_102  # of PostgreSQL's advisory locks: anything that nobody else takes
WAITING = "Another process is bringing the database up to date. Waiting for it.\n"
_inside = 0


@contextmanager
def one_at_a_time(alias: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Inside is one process at a time; one that comes meanwhile waits and says so. Whoever is inside may come again.

    PostgreSQL keeps the lock, as part of a transaction on a connection of its own: so it is gone with the process, and
    a pooler that hands connections around keeps nothing of it. SQLite has one file on one machine: the lock is on the
    folder that it is in, and as much gone with the process.
    """
    global _inside
    if _inside:
        yield
        return
    with _on_server(alias) if connections[alias].vendor == "postgresql" else _on_folder(alias):
        _inside += 1
        try:
            yield
        finally:
            _inside -= 1


@contextmanager
def _on_server(alias: str) -> Iterator[None]:
    with closing(connections[alias].copy()) as own:
        own.set_autocommit(False)
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [KEY])
            if not cursor.fetchone()[0]:
                _say_that_it_waits()
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [KEY])
        yield


@contextmanager
def _on_folder(alias: str) -> Iterator[None]:
    name = str(connections[alias].settings_dict["NAME"])
    folder = Path(name).absolute().parent
    # A database in memory is this process's; and where the folder is missing, SQLite says so.
    if name == ":memory:" or "mode=memory" in name or not folder.is_dir():
        yield
        return
    lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say_that_it_waits()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _say_that_it_waits() -> None:
    sys.stdout.write(WAITING)
    sys.stdout.flush()
