"""A backup: one file, made while people play, that nobody else can read, and that was looked at.

SQLite's is a database that can be opened as it is; PostgreSQL's is what `pg_restore` reads.
"""
from __future__ import annotations

import os
import sqlite3
import uuid
from contextlib import closing, suppress
from pathlib import Path

from django.db import DatabaseError, connection

from campaigns.keeping.database import NotKept, Say, ended, is_sqlite, manage, postgresql, url

UNCHECKED = (
    "It can be read to its end. Its Ledgers were not checked: the site’s role may make no database to open it in "
    "(ALTER ROLE … CREATEDB allows that)."
)


def back_up(path: Path, say: Say, *, check: bool = True) -> None:
    """Writes a backup and checks it; raises `NotKept`, also where the file is there now and is not sound."""
    if path.exists():
        raise NotKept(f"{path} is there already. A backup overwrites nothing: choose another name.")
    if not path.parent.is_dir():
        raise NotKept(f"There is no folder {path.parent}. Make it first.")
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        (_copy_sqlite if is_sqlite() else _dump)(part)
        _settled(part)
        os.link(part, path)  # unlike a renaming it fails where something is by now
        say(f"Written: {path}, {path.stat().st_size:,} bytes.")
    except FileExistsError as error:
        raise NotKept(f"{path} is there already. A backup overwrites nothing: choose another name.") from error
    except (OSError, sqlite3.Error) as error:
        raise NotKept(f"The backup can’t be written. {error}") from error
    finally:
        for beside in ("", "-journal", "-wal", "-shm"):  # SQLite's own, where a copy breaks off
            part.with_name(f"{part.name}{beside}").unlink(missing_ok=True)
    if check:
        look_at(path, say)


def look_at(path: Path, say: Say) -> None:
    """Opens a backup as a server would and checks every campaign in it; raises `NotKept`."""
    if is_sqlite():
        _sound(f"sqlite:///{path.absolute()}", path)
        with closing(sqlite3.connect(path)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")  # one file again, with nothing beside it
    elif not _look_at_dump(path):
        say(UNCHECKED)
        return
    say("Checked: every Ledger in it is sound, and the tables say what it says.")


def _sound(on: str, path: Path) -> None:
    done = manage(on, "rebuild", "--all", "--check")
    if done.returncode:
        raise NotKept(f"{path} is written, but something in it is wrong. {done.why}")


def _copy_sqlite(part: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(part)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def _dump(part: Path) -> None:
    ended(postgresql("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={part}"))


def _look_at_dump(path: Path) -> bool:
    """Puts a dump into a database of its own, which is gone afterwards; False where the site may make none."""
    scratch = f"check_{uuid.uuid4().hex}"
    try:
        _on_server(f'CREATE DATABASE "{scratch}" TEMPLATE template0')
    except DatabaseError:
        ended(postgresql("pg_restore", "--file=/dev/null", str(path)))
        return False
    try:
        ended(postgresql("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", f"--dbname={scratch}",
                         str(path)))
        _sound(url(scratch), path)
    finally:
        with suppress(DatabaseError):
            _on_server(f'DROP DATABASE IF EXISTS "{scratch}" WITH (FORCE)')
    return True


def _on_server(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _settled(path: Path) -> None:
    """Waits until the file is on the disk."""
    with path.open("rb") as written:
        os.fsync(written.fileno())
