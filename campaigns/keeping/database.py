"""The site's database, seen from outside: where it is, who has it open, and `manage.py` on it or on another one."""
from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import connection, connections
from django.db.backends.postgresql.client import DatabaseClient

from campaigns.keeping import alone

Say = Callable[[str], object]

OPEN = "A server has the database open. Stop it, then try again."
NO_TOOL = "{} is missing. Install PostgreSQL’s client programs (on Debian: apt install postgresql-client)."


class NotKept(Exception):
    """Why it was not done, in a sentence that says what to do."""


@dataclass(frozen=True)
class Done:
    """How a process ended, and what it said of that."""

    returncode: int
    said: str

    @property
    def why(self) -> str:
        """Why it failed, in its last line."""
        lines = self.said.splitlines()
        return lines[-1].removeprefix("CommandError: ") if lines else f"It ended with {self.returncode}."


def is_sqlite() -> bool:
    """Whether the site runs on SQLite."""
    return connection.vendor == "sqlite"


def file() -> Path:
    """SQLite's file; raises `NotKept` where the database is in memory."""
    name = str(settings.DATABASES["default"]["NAME"])
    if name == ":memory:" or "mode=memory" in name:
        raise NotKept("This database is in memory. There is nothing to keep.")
    return Path(name)


@contextmanager
def for_itself() -> Iterator[None]:
    """Inside, nobody else has the database open; raises `NotKept` where somebody has.

    PostgreSQL lets nobody in until the end. SQLite has a file, in whose place another comes: with it open, it doesn't.
    """
    if is_sqlite():
        connections.close_all()
        locked(file()).close()
        yield
        return
    with alone.for_itself() as is_alone:
        if not is_alone:
            raise NotKept(OPEN)
        yield


def locked(path: Path) -> sqlite3.Connection:
    """A connection that has a file of SQLite's for itself, with all that was written in it; raises `NotKept`."""
    alone = sqlite3.connect(path if path.exists() else ":memory:", timeout=1, isolation_level=None)
    try:
        # Whoever has a file with a write-ahead log open keeps a lock on it, and only one who is alone ends the log.
        alone.execute("PRAGMA locking_mode=EXCLUSIVE")
        alone.execute("PRAGMA journal_mode=DELETE")
        alone.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        alone.close()
        raise NotKept(OPEN) from error
    except sqlite3.DatabaseError as error:
        alone.close()
        raise NotKept(f"{path} is not a database of SQLite’s, or it is damaged: {error}.") from error
    return alone


def url(name: str | None = None) -> str:
    """The address of the site's database, or of another one on its server."""
    if is_sqlite():
        return f"sqlite:///{name or file().absolute()}"
    at = settings.DATABASES["default"]
    user, password, host = (quote(str(at.get(part) or ""), safe="") for part in ("USER", "PASSWORD", "HOST"))
    port = f":{at['PORT']}" if at.get("PORT") else ""
    who = f"{user}:{password}@" if password else f"{user}@" if user else ""
    return f"postgres://{who}{host}{port}/{quote(name or str(at['NAME']), safe='')}"


def manage(on: str, *arguments: str, given: str = "", say: Say = lambda said: None) -> Done:
    """`manage.py` in a process of its own, on this database; `given` is what it reads. What it says, `say` gets."""
    environment = {**os.environ, **_postgresql_environment(), "DATABASE_URL": on, "PYTHONUNBUFFERED": "1"}
    with tempfile.TemporaryFile("w+") as reads, tempfile.TemporaryFile("w+") as complains:
        reads.write(given)
        reads.seek(0)
        with subprocess.Popen(  # noqa: S603  # our own program, and nothing that was sent is in the command
            [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments], env=environment, text=True,
            cwd=settings.BASE_DIR, stdin=reads, stdout=subprocess.PIPE, stderr=complains,
        ) as process:
            said = ""
            for line in process.stdout or ():
                said = line.strip()
                say(said)
        complains.seek(0)
        return Done(process.returncode, complains.read().strip() or said)


def postgresql(program: str, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """Starts one of PostgreSQL's own programs on the site's database."""
    at = settings.DATABASES["default"]
    where = {"PGDATABASE": at["NAME"], "PGHOST": at.get("HOST"), "PGPORT": at.get("PORT"), "PGUSER": at.get("USER")}
    named = {name: str(value) for name, value in where.items() if value}
    try:
        return subprocess.Popen(  # noqa: S603  # a fixed list of programs, and nothing that was sent is in the command
            [program, *arguments], env={**os.environ, **_postgresql_environment(), **named}, stderr=subprocess.PIPE,
            **options)
    except FileNotFoundError as error:
        raise NotKept(NO_TOOL.format(program)) from error


def ended(process: subprocess.Popen[bytes]) -> None:
    """Waits for such a program; raises `NotKept` with what it said where it failed."""
    _, said = process.communicate()
    if process.returncode:
        lines = said.decode(errors="replace").strip().splitlines()
        raise NotKept(lines[-1] if lines else f"A program of PostgreSQL’s ended with {process.returncode}.")


def _postgresql_environment() -> dict[str, str]:
    """Password and TLS, as PostgreSQL's programs take them from the environment."""
    if is_sqlite():
        return {}
    _, environment = DatabaseClient.settings_to_cmd_args_env(settings.DATABASES["default"], [])
    return {name: str(value) for name, value in (environment or {}).items()}
