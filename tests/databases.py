"""Databases that real processes share: migrated, empty, gone after the test."""
from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests import forks
from tests.forks import ROOT

# Seconds that a process of a test may take where it has no promise to keep: a busy machine is slow, not wrong.
PATIENCE = 600.0
APPS = ("accounts", "campaigns", "characters", "config", "jobs", "news", "play", "schedule")


# What processes of a race begin with: each waits in `meet` until all have come, and all go on at that moment.
MEETING = """
import pathlib, time
def meet(folder, many, patience=60.0):
    pathlib.Path(folder, str(time.monotonic_ns())).touch()
    ends = time.monotonic() + patience
    while len(list(pathlib.Path(folder).iterdir())) < many:
        assert time.monotonic() < ends, "Somebody did not come."
        time.sleep(0.002)
"""


@dataclass(frozen=True)
class OwnDatabase:
    """`environment` is what to start a process with, so that it opens this database."""

    url: str
    environment: dict[str, str]

    def python(self, code: str, *arguments: str) -> str:
        """Runs code in another process, with Django set up; answers what it printed."""
        return forks.run(
            [sys.executable, "-c", forks.SETS_UP + code, *arguments], cwd=ROOT,
            env=self.environment, check=True, text=True, stdout=subprocess.PIPE, timeout=PATIENCE,
        ).stdout

    def start(self, code: str, *arguments: str) -> subprocess.Popen[str]:
        """Starts the same without waiting; whoever starts it ends it."""
        return forks.Process(
            [sys.executable, "-c", forks.SETS_UP + code, *arguments], cwd=ROOT,
            env=self.environment, text=True, stdout=subprocess.PIPE,
        )


class Template:
    """A database that was migrated once, to be copied for each test that wants one; on a server, `name` is one that
    stands there already."""

    def __init__(self, folder: Path, name: str = "") -> None:
        self._server = os.environ.get("DATABASE_URL", "")
        self._file = folder / "template.sqlite3"
        self._name, self._is_there = name or _new_name(), bool(name)

    @contextmanager
    def made(self) -> Iterator[Template]:
        """Makes it, and takes it away again."""
        if self._is_there:
            yield self
        elif self._server.startswith("postgres"):
            with _made_on_server(self._server, self._name):
                _migrate(self._on_server(self._name))
                yield self
        else:
            shutil.copy(migrated_file(), self._file)
            yield self

    @contextmanager
    def copied(self, folder: Path) -> Iterator[OwnDatabase]:
        """A copy that the test owns."""
        if self._server.startswith("postgres"):
            name = _new_name()
            with _made_on_server(self._server, name, self._name):
                yield _own(self._on_server(name))
        else:
            shutil.copy(self._file, folder / "table.sqlite3")
            yield _own(f"sqlite:///{folder / 'table.sqlite3'}")

    def _on_server(self, name: str) -> str:
        return urlsplit(self._server)._replace(path=f"/{name}").geturl()


@contextmanager
def empty(folder: Path) -> Iterator[OwnDatabase]:
    """A database without a table."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield _own(f"sqlite:///{folder / 'empty.sqlite3'}")
        return
    with empty_on(server) as database:
        yield database


@contextmanager
def empty_on(server: str) -> Iterator[OwnDatabase]:
    """The same on this server of PostgreSQL."""
    name = _new_name()
    with _made_on_server(server, name):
        yield _own(urlsplit(server)._replace(path=f"/{name}").geturl())


def _new_name() -> str:
    """Of no run before, however that ended: what is random in a test is the same every time."""
    return f"test_own_{os.getpid()}_{time.time_ns()}"


def _own(url: str) -> OwnDatabase:
    here = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(ROOT)}
    return OwnDatabase(url, {**os.environ, **here})


def migrated_file() -> Path:
    """An SQLite file that is migrated as the site is: made once, and kept under `build` until the site changes."""
    source = hashlib.sha256(b"".join(
        path.read_bytes() for app in APPS for path in sorted((ROOT / app).rglob("*.py"))))
    folder = ROOT / "build" / "migrated"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{source.hexdigest()[:16]}.sqlite3"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the others of this run wait for it, and have it then
        if not file.exists():
            for old in folder.glob("*.sqlite3*"):
                old.unlink()
            making = folder / "making.sqlite3"
            _migrate(f"sqlite:///{making}")
            _whole(making)
            making.rename(file)
    return file


def _whole(file: Path) -> None:
    """What stands in the log beside it is taken into the file."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def migrated_on(server: str, run: str) -> str:
    """The name of a database on a server of PostgreSQL that is migrated as the site is: made once in a run of tests,
    by the process that first asks for it. Whoever began the run ends it with `gone_from`."""
    import psycopg

    name = f"test_migrated_{run}"
    with (Path(tempfile.gettempdir()) / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with psycopg.connect(server, autocommit=True) as asked:
            if not asked.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                asked.execute(f'CREATE DATABASE "{name}"')
                _migrate(urlsplit(server)._replace(path=f"/{name}").geturl())
    return name


def gone_from(server: str, run: str) -> None:
    """Takes away what `migrated_on` made in a run, if it did."""
    import psycopg

    name = f"test_migrated_{run}"
    (Path(tempfile.gettempdir()) / name).unlink(missing_ok=True)
    with psycopg.connect(server, autocommit=True) as asked:
        asked.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def filled(connection: Any) -> None:
    """Gives an empty SQLite database what one that is migrated has."""
    with closing(sqlite3.connect(migrated_file())) as source:
        source.backup(connection.connection)


def _migrate(url: str) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    forks.run(command, cwd=ROOT, env=_own(url).environment, check=True, timeout=PATIENCE)


@contextmanager
def _made_on_server(url: str, name: str, template: str = "template1") -> Iterator[None]:
    import psycopg
    from psycopg import sql

    with psycopg.connect(url, autocommit=True) as server:
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        server.execute(made.format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
