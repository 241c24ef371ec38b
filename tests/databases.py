"""Databases that real processes share: migrated, empty, gone after the test."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class OwnDatabase:
    """`environment` is what to start a process with, so that it opens this database."""

    url: str
    environment: dict[str, str]

    def python(self, code: str, *arguments: str) -> str:
        """Runs code in another process, with Django set up; answers what it printed."""
        return subprocess.run(
            [sys.executable, "-c", "import django; django.setup()\n" + code, *arguments], cwd=ROOT,
            env=self.environment, check=True, text=True, stdout=subprocess.PIPE, timeout=120,
        ).stdout

    def start(self, code: str, *arguments: str) -> subprocess.Popen[str]:
        """Starts the same without waiting; whoever starts it ends it."""
        return subprocess.Popen(
            [sys.executable, "-c", "import django; django.setup()\n" + code, *arguments], cwd=ROOT,
            env=self.environment, text=True, stdout=subprocess.PIPE,
        )


class Template:
    """A database that was migrated once, to be copied for each test that wants one."""

    def __init__(self, folder: Path) -> None:
        self._server = os.environ.get("DATABASE_URL", "")
        self._file = folder / "template.sqlite3"
        self._name = _new_name()

    @contextmanager
    def made(self) -> Iterator[Template]:
        """Makes it, and takes it away again."""
        if self._server.startswith("postgres"):
            with _made_on_server(self._server, self._name):
                _migrate(self._on_server(self._name))
                yield self
        else:
            _migrate(f"sqlite:///{self._file}")
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


def _new_name() -> str:
    """Of no run before, however that ended: what is random in a test is the same every time."""
    return f"test_own_{os.getpid()}_{time.time_ns()}"


def _own(url: str) -> OwnDatabase:
    here = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(ROOT)}
    return OwnDatabase(url, {**os.environ, **here})


def _migrate(url: str) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=_own(url).environment, check=True, timeout=120)


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
