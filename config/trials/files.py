"""The databases of trial tables: one file of SQLite each, whatever the site's own is, copied from one that is empty.

The Ledger only grows, so nothing of a visitor's is ever written beside it. A file is named after when it is over.
"""
from __future__ import annotations

import fcntl
import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.signing import BadSignature, Signer
from django.db import DEFAULT_DB_ALIAS
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from config.sqlite import elsewhere

# No table grows beyond 12 MB (pages of 4 KB).
PRAGMAS = f"{elsewhere.PRAGMAS}PRAGMA max_page_count=3072;"
SUFFIX = ".trial.sqlite3"


@dataclass(frozen=True)
class Trial:
    """A trial table as its cookie says: the name of its file, and the session that its visitor has in there."""

    name: str
    session: str

    @property
    def file(self) -> Path:
        """Where it is."""
        return folder() / f"{self.name}{SUFFIX}"

    @property
    def until(self) -> datetime:
        """When it is over."""
        return until(self.name)

    @property
    def is_there(self) -> bool:
        """Whether it is not over, and not ended before."""
        return timezone.now() < self.until and self.file.exists()

    @property
    def cookie(self) -> str:
        """What its visitor's browser keeps."""
        return _signer().sign(f"{self.name}.{self.session}")


def trial_of(cookie: str) -> Trial | None:
    """The trial table that a cookie of ours names, if it is still there."""
    try:
        name, _, session = _signer().unsign(cookie).partition(".")
    except BadSignature:
        return None
    trial = Trial(name, session)
    return trial if trial.is_there else None


def folder() -> Path:
    """Where the files are: beside the database where that is a file."""
    name = Path(str(settings.DATABASES[DEFAULT_DB_ALIAS]["NAME"]))
    beside = name.parent if name.is_absolute() else Path(settings.BASE_DIR) / "data"
    return Path(settings.TRIALS_FOLDER or beside / "trials")


def there() -> list[Path]:
    """The files of all trial tables."""
    return sorted(folder().glob(f"*{SUFFIX}"))


@contextmanager
def at(file: Path) -> Iterator[None]:
    """Inside, this thread's database is that file: whatever asks or writes gets there, and nothing gets elsewhere."""
    with elsewhere.at(file, PRAGMAS):
        yield


def prepare() -> None:
    """Makes the empty database that tables are copied from, where this release has none yet; it takes seconds."""
    if empty().exists():
        return
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    new = empty().with_suffix(".new")
    new.unlink(missing_ok=True)
    with at(new):
        call_command("migrate", verbosity=0, interactive=False)
    for earlier in folder().glob("empty-*.sqlite3"):
        earlier.unlink()
    new.rename(empty())


def empty() -> Path:
    """The empty database of this release: another set of migrations has another."""
    return folder() / f"empty-{_schema()}.sqlite3"


@cache
def _schema() -> str:
    names = sorted(".".join(key) for key in MigrationLoader(None, ignore_no_migrations=True).disk_migrations)
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:12]


def copied(over: datetime, token: str) -> str:
    """A new file that is over at this moment; answers its name."""
    name = f"{int(over.timestamp())}-{token}"
    shutil.copyfile(empty(), folder() / f"{name}{SUFFIX}")
    return name


def sweep() -> None:
    """Deletes what is over."""
    now = timezone.now()
    for file in there():
        if until(file.name) <= now:
            remove(file)


def remove(file: Path) -> None:
    """Deletes a table, whole, with what SQLite put beside it."""
    file.unlink(missing_ok=True)
    file.with_name(f"{file.name}-journal").unlink(missing_ok=True)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Inside is one of this machine, so that no more tables are made than there may be."""
    with (folder() / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def until(name: str) -> datetime:
    """When the table of this name, or file, is over."""
    return datetime.fromtimestamp(int(name.partition("-")[0]), UTC)


def _signer() -> Signer:
    return Signer(salt="config.trials")
