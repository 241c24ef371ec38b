"""A backup every night, by one process at a time, and the ten newest are kept."""
from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from campaigns.keeping.backing_up import back_up
from campaigns.keeping.database import NotKept, Say, is_sqlite

KEPT = 10
NAME = "table-%Y-%m-%dT%H%M%SZ"
UNCHECKED = "unchecked-"


def nightly(say: Say, *, since: datetime | None = None) -> Path:
    """Writes a backup where `BACKUPS` says and removes those that are too old, once it was found sound.

    Where there is one since then already, it answers that one. Raises `NotKept`, also while another process is at it.
    """
    if not settings.BACKUPS:
        raise NotKept("BACKUPS doesn’t say where backups go. Set it to a folder, in .env.")
    folder = Path(settings.BACKUPS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(folder):
        newest = ours(folder)[-1:]
        if since and newest and _made(newest[0]) >= since:
            return newest[0]
        return _write(folder, say)


def _write(folder: Path, say: Say) -> Path:
    """A file gets its name once it was found sound; until then it is an unchecked one, of which the newest stays."""
    path = folder / (datetime.now(UTC).strftime(NAME) + ending())
    unchecked = folder / f"{UNCHECKED}{path.name}"
    for old in folder.glob(f"{UNCHECKED}table-*{ending()}"):
        old.unlink()
    back_up(unchecked, say)
    unchecked.rename(path)
    for old in ours(folder)[:-KEPT]:
        old.unlink()
        say(f"Removed: {old}.")
    return path


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else writes one meanwhile. The lock goes with the process, however that ends; its file stays."""
    with (folder / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise NotKept("The nightly backup is being written. Try again when it is done.") from error
        yield


def last() -> tuple[datetime, int] | None:
    """When the newest nightly backup was begun, and its bytes; None where there is none."""
    newest = ours(Path(settings.BACKUPS))[-1:] if settings.BACKUPS else []
    return (_made(newest[0]), newest[0].stat().st_size) if newest else None


def ours(folder: Path) -> list[Path]:
    """The nightly backups in a folder, oldest first; nothing else in it is touched."""
    return sorted(path for path in folder.glob(f"table-*{ending()}") if _dated(path))


def ending() -> str:
    """What the name of a backup ends with."""
    return ".sqlite3" if is_sqlite() else ".dump"


def _dated(path: Path) -> bool:
    try:
        _made(path)
    except ValueError:
        return False
    return True


def _made(path: Path) -> datetime:
    """When it was begun, from its name; raises `ValueError`."""
    return datetime.strptime(path.name.removesuffix(ending()), NAME).replace(tzinfo=UTC)
