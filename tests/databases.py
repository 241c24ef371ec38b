"""Databases that real processes share: migrated, empty, gone after the test."""
from __future__ import annotations

import os
import subprocess
import sys
import uuid
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


@contextmanager
def own_database(folder: Path) -> Iterator[OwnDatabase]:
    """A migrated database of the kind that the tests run on."""
    url = os.environ.get("DATABASE_URL", "")
    if url.startswith("postgres"):
        name = f"test_own_{uuid.uuid4().hex}"
        with _made_on_server(url, name):
            yield _migrated(urlsplit(url)._replace(path=f"/{name}").geturl())
    else:
        yield _migrated(f"sqlite:///{folder / 'table.sqlite3'}")


def _migrated(url: str) -> OwnDatabase:
    environment = {
        **os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=120)
    return OwnDatabase(url, environment)


@contextmanager
def _made_on_server(url: str, name: str) -> Iterator[None]:
    import psycopg
    from psycopg import sql

    with psycopg.connect(url, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
