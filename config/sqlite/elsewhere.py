"""Another file of SQLite in the place of the site's database, for this thread and for a while."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from config.sqlite.base import DatabaseWrapper

# What is thrown away is not worth waiting for the disk.
PRAGMAS = "PRAGMA journal_mode=TRUNCATE;PRAGMA synchronous=OFF;PRAGMA foreign_keys=ON;"


@contextmanager
def using(connection: Any) -> Iterator[None]:
    """Inside, this is the thread's connection to its database."""
    before = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connection
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = before


@contextmanager
def at(file: Path, pragmas: str = PRAGMAS) -> Iterator[None]:
    """Inside, this thread's database is that file: whatever asks or writes gets there, and nothing gets elsewhere."""
    options = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": pragmas}
    of_file: Any = {
        **connections[DEFAULT_DB_ALIAS].settings_dict, "ENGINE": "config.sqlite", "NAME": str(file), "OPTIONS": options,
        "CONN_MAX_AGE": 0, "ATOMIC_REQUESTS": False}
    opened = DatabaseWrapper(of_file, DEFAULT_DB_ALIAS)
    try:
        with using(opened):
            yield
    finally:
        opened.close()
