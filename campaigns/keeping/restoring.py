"""Putting a backup back. What was there is kept beside it; until all is sound, nothing is changed (SQLite), or one
transaction does it (PostgreSQL).

What was rolled since the backup is known to people: all unused secrets of dice are given up, by an entry each.
"""
from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import uuid
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

from django.db import connection, connections

from campaigns.keeping import database
from campaigns.keeping.backing_up import back_up
from campaigns.keeping.database import NotKept, Say, ended, for_itself, is_sqlite, manage, postgresql

SQLITE, POSTGRESQL = b"SQLite format 3\0", b"PGDMP"
AFTER = (
    (("migrate", "--verbosity", "0", "--no-input"), "bringing it up to date"),
    (("retire_dice",), "retiring the unused secrets of dice"),
    (("rebuild", "--all", "--check"), "checking its Ledgers"),
)


def put_back(path: Path, say: Say, *, anyway: bool = False) -> Path | None:
    """Restores a backup; answers where what was there before is kept, None where nothing was.

    With `anyway` a fault that the check finds is said and no more. Raises `NotKept`.
    """
    _refuse_other(path)
    with for_itself():
        kept = _sqlite(path, say, anyway) if is_sqlite() else _postgresql(path, say, anyway)
    say("Restored. All dice secrets that nobody had used are retired; each campaign’s Ledger says so.")
    return kept


def _refuse_other(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise NotKept(f"This file can’t be read. {error}") from error
    wanted, other = (SQLITE, POSTGRESQL) if is_sqlite() else (POSTGRESQL, SQLITE)
    if head.startswith(other):
        raise NotKept(
            f"This is a backup of {'PostgreSQL' if is_sqlite() else 'SQLite'}. Restore it with a DATABASE_URL of that "
            "kind, then take the server over with manage.py move --to.")
    if not head.startswith(wanted):
        raise NotKept(f"{path} is no backup.")


def _finished(on: str, say: Say, *, anyway: bool) -> None:
    for arguments, doing in AFTER:
        done = manage(on, *arguments)
        if done.returncode and not (anyway and arguments[0] == "rebuild"):
            raise NotKept(f"{doing.capitalize()} failed. {done.why}")
        say(f"Done: {doing}." if not done.returncode else f"Restored all the same: {done.why}")


def _sqlite(path: Path, say: Say, anyway: bool) -> Path | None:
    target = database.file()
    new = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}.new")
    if target.exists() and target.samefile(path):
        raise NotKept("This is the database itself. Choose a backup.")
    try:
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _copy(path, new)
        _finished(f"sqlite:///{new.absolute()}", say, anyway=anyway)
        with closing(database.locked(new)), closing(database.locked(target)):
            kept = _put_aside(target)
            new.rename(target)
    except OSError as error:
        raise NotKept(f"The backup can’t be put in place. {error}") from error
    finally:
        for left in (new, Path(f"{new}-wal"), Path(f"{new}-shm")):
            left.unlink(missing_ok=True)
    return kept


def _copy(path: Path, new: Path) -> None:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as old, \
             closing(sqlite3.connect(new)) as copy:
            old.backup(copy)
            [verdict] = copy.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise NotKept(f"{path} is damaged: {error}.") from error
    if verdict != "ok":
        raise NotKept(f"{path} is damaged: {verdict}.")


def _put_aside(target: Path) -> Path | None:
    if not target.exists():
        return None
    kept = target.with_name(f"{target.name}.before-{datetime.now(UTC):%Y-%m-%dT%H%M%S.%fZ}")
    target.chmod(0o600)
    target.rename(kept)
    return kept


def _postgresql(path: Path, say: Say, anyway: bool) -> Path | None:
    kept = None
    if "django_migrations" in connection.introspection.table_names():
        kept = path.with_name(f"before-restore-{datetime.now(UTC):%Y-%m-%dT%H%M%S.%fZ}.dump")
        back_up(kept, say, check=False)
    drops = _drops()
    connections.close_all()
    try:
        _load(path, drops)
    except NotKept as error:
        raise NotKept(f"{path} is damaged, or this database takes no restore. Nothing was changed. {error}") from error
    try:
        _finished(database.url(), say, anyway=anyway)
    except NotKept as error:
        way_back = f" The database before it is in {kept}; manage.py restore takes it, too." if kept else ""
        raise NotKept(f"{error}{way_back}") from error
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return kept


def _load(path: Path, drops: str) -> None:
    """Everything in one transaction: what was there goes, what is in the dump comes, its unused secrets don't."""
    loads = postgresql("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null",
                       stdin=subprocess.PIPE)
    reads = postgresql("pg_restore", "--no-owner", "--no-privileges", "--file=-", str(path), stdout=subprocess.PIPE)
    into, out_of = cast(IO[bytes], loads.stdin), cast(IO[bytes], reads.stdout)
    try:
        into.write(f"BEGIN;\n{drops}".encode())
        shutil.copyfileobj(out_of, into)
        ended(reads)
        # Should everything after this fail: what was revealed since the backup can't be thrown again.
        into.write(b"UPDATE public.campaigns_commitment SET secret = '' WHERE used_by_id IS NULL;\nCOMMIT;\n")
        into.flush()
    except BrokenPipeError:
        reads.kill()
        reads.communicate()
    finally:
        ended(loads)  # without the COMMIT nothing of it stays


def _drops() -> str:
    """Statements that empty the database of what a site makes in it."""
    asked = (
        "SELECT format('DROP TABLE %I.%I CASCADE;', schemaname, tablename) FROM pg_tables WHERE schemaname = 'public'",
        "SELECT format('DROP FUNCTION %s CASCADE;', p.oid::regprocedure) FROM pg_proc p"
        " WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS"
        " (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')",
    )
    statements: list[str] = []
    with connection.cursor() as cursor:
        for question in asked:
            cursor.execute(question)
            statements += [row[0] for row in cursor.fetchall()]
    return "\n".join([*statements, ""])
