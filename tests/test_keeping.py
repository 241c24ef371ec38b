"""Backups that are there, put back, and moved, as whoever keeps a server does it: by commands, beside a real one."""
from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from campaigns.keeping import nightly
from campaigns.keeping.database import OPEN, NotKept
from campaigns.keeping.work import back_up
from jobs.queue import LEASE, Job, ask
from tests import forks
from tests.clusters.postgresql import wait_until
from tests.databases import ROOT, OwnDatabase, _own, empty_on
from tests.gate import seldom
from tests.jobs.working import work
from tests.live.serving import Server

pytestmark = pytest.mark.processes
ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")
on_sqlite = pytest.mark.skipif(ON_POSTGRESQL, reason="SQLite")
on_postgresql = pytest.mark.skipif(not ON_POSTGRESQL, reason="SQLite keeps others out of a file")
HAS_IT_OPEN = """
import time
from campaigns.models import Campaign
print(Campaign.objects.count(), flush=True)
time.sleep(600)
"""
# Whoever restores, for as long as that takes; what it starts is let in.
RESTORES = """
import time
from campaigns.keeping.database import for_itself, manage, url
with for_itself():
    print(manage(url(), "migrate", "--check").returncode, flush=True)
    time.sleep(600)
"""
KEPT = ("The database can’t be used: A backup is being put back, or the database is being moved. "
        "Try again when that is done.")

# A campaign in which Bob rolls once; then once more with a seed, where the second argument says so. Prints the faces.
PLAYS = """
import sys, uuid
from accounts.models import User
from campaigns import trail
from campaigns.models import Campaign
from campaigns.services.founding import found
user, _ = User.objects.get_or_create(username="Bob")
campaign = Campaign.objects.first() or found(user=user, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
member = campaign.members.get()
with trail.entry(campaign=campaign, actor=member, op_id=uuid.uuid4(), kind="test.roll", title="A roll") as entry:
    faces = entry.roll([20] * 12, sys.argv[1])
print(entry.written.seq, faces)
"""
SAYS = """
from campaigns.access import Viewer
from campaigns.models import Campaign, Commitment, Entry
from campaigns.trail import triggers
from campaigns.trail.export import export
from django.db import connection
assert not triggers.missing(connection)
campaign = Campaign.objects.get()
unknown = Commitment.objects.filter(used_by=None, retired_by=None, secret="").count()
print(campaign.head_seq, Entry.objects.filter(kind="dice.retire").count(), unknown)
print("".join(export(Viewer(campaign, campaign.members.get()))))
"""


def command(database: OwnDatabase, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """`manage.py` on a database; fails nothing by itself."""
    return forks.run(
        [sys.executable, "-W", "ignore", "manage.py", *map(str, arguments)], cwd=ROOT, text=True,
        env={**database.environment, **environment}, capture_output=True, timeout=300)


def done(database: OwnDatabase, *arguments: object, **environment: str) -> str:
    ran = command(database, *arguments, **environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def refused(database: OwnDatabase, *arguments: object, **environment: str) -> str:
    ran = command(database, *arguments, **environment)
    assert ran.returncode == 1 and "Traceback" not in ran.stderr, ran.stdout + ran.stderr
    return ran.stderr


def said(database: OwnDatabase) -> tuple[list[int], list[str]]:
    """How far the campaign is, how often secrets were retired in it, how many are unknown; and its export."""
    first, *lines = database.python(SAYS).splitlines()
    return [int(number) for number in first.split()], lines[1:-1]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_backup_is_there_and_comes_back_with_other_dice(real_database: OwnDatabase, tmp_path: Path) -> None:
    real_database.python(PLAYS, "5a" * 32)
    copy = tmp_path / "copy"
    assert "Checked: every Ledger in it is sound" in done(real_database, "backup", copy)
    assert mode(copy) == 0o600 and sorted(path.name for path in tmp_path.glob("*copy*")) == ["copy"]
    assert "overwrites nothing" in refused(real_database, "backup", copy)
    assert "no folder" in refused(real_database, "backup", tmp_path / "none" / "copy")
    (before, *_), entries = said(real_database)
    # What is rolled after the backup is known by the time it comes back; its secrets are known too.
    fell = real_database.python(PLAYS, "77" * 32)

    assert "Restored." in done(real_database, "restore", copy)
    (now, retired, unknown), since = said(real_database)
    assert (now, retired, unknown) == (before + 2, 1, 0) and since[: len(entries)] == entries
    again = real_database.python(PLAYS, "77" * 32)
    assert again.split(" ", 1)[1] != fell.split(" ", 1)[1]
    assert "Every Ledger is sound." in done(real_database, "rebuild", "--all", "--check")
    kept = [path for path in tmp_path.iterdir() if "before-" in path.name]
    assert len(kept) == 1 and mode(kept[0]) == 0o600


def test_nobody_restores_under_a_server_or_what_is_no_backup(real_database: OwnDatabase, tmp_path: Path) -> None:
    real_database.python(PLAYS, "5a" * 32)
    before, bad = said(real_database), tmp_path / "bad"
    for content in (b"no backup", b"SQLite format 3\0" + b"x" * 5000, b"PGDMP" + b"x" * 500):
        bad.write_bytes(content)
        refused(real_database, "restore", bad)
    done(real_database, "backup", tmp_path / "copy")
    has_it_open = real_database.start(HAS_IT_OPEN)
    try:
        assert has_it_open.stdout and has_it_open.stdout.readline() == "1\n"
        for arguments in (("restore", tmp_path / "copy"), ("move", "--to", f"sqlite:///{tmp_path / 'other'}")):
            assert "A server has the database open. Stop it" in refused(real_database, *arguments)
    finally:
        has_it_open.kill()
        has_it_open.wait()
    assert said(real_database) == before


@on_postgresql
def test_nobody_comes_in_while_a_backup_is_put_back(real_database: OwnDatabase, tmp_path: Path) -> None:
    done(real_database, "backup", tmp_path / "copy")
    idle = Server(real_database)
    idle.start()  # and has asked the database for nothing yet, so that nobody sees it there
    restores = real_database.start(RESTORES)
    try:
        assert restores.stdout and restores.stdout.readline() == "0\n"
        assert idle.get("/", Cookie=f"sessionid={'k' * 32}")[0] == 503
        assert OPEN in refused(real_database, "restore", tmp_path / "copy")
        assert refused(real_database, "person", "Bob", "--link") == f"{KEPT}\n"
        opens = [sys.executable, "-m", "config.serve"]
        for settings in ({"WEB_CONCURRENCY": "1"}, {"WEB_CONCURRENCY": "3"}):
            server = forks.run(opens, cwd=ROOT, env={**real_database.environment, **settings, "PORT": "0"}, text=True,
                               capture_output=True, timeout=60)
            assert (server.returncode, server.stderr) == (1, f"{KEPT}\n"), server
    finally:
        restores.kill()
        restores.wait()
    # However it ended, nothing of it stays.
    wait_until(lambda: idle.get("/", Cookie=f"sessionid={'k' * 32}")[0] == 200, 10, "a page after the restore")
    idle.end()


@seldom
@on_sqlite
def test_a_backup_whose_ledger_is_broken_says_so_and_is_not_put_in_place(
    real_database: OwnDatabase, tmp_path: Path
) -> None:
    real_database.python(PLAYS + "Campaign.objects.update(head_seq=campaign.head_seq + 3)\n", "5a" * 32)
    said_of_it = refused(real_database, "backup", tmp_path / "copy")
    assert "copy is written, but something in it is wrong" in said_of_it and "the-salt-road" in said_of_it
    assert "the-salt-road" in refused(real_database, "restore", tmp_path / "copy")
    assert not list(tmp_path.glob("*before-*"))
    # Dice can't be retired where the end is gone, and nothing is written there; whoever says so gets it all the same.
    assert "Restored" in done(real_database, "restore", "--anyway", tmp_path / "copy")


@on_sqlite
def test_a_database_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    from config.sqlite.base import DatabaseWrapper

    def opened(name: str) -> int:
        own = {**connections.settings["default"], "NAME": str(tmp_path / name)}
        wrapper = DatabaseWrapper(own)
        wrapper.get_new_connection(wrapper.get_connection_params()).close()
        return mode(tmp_path / name)

    (tmp_path / "old").touch(0o644)
    assert (opened("old"), opened("new")) == (0o600, 0o600)


def test_every_night_has_its_backup_and_ten_are_kept(tmp_path: Path, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(nightly, "back_up", lambda path, say: path.touch())
    settings.BACKUPS = ""
    with pytest.raises(NotKept, match="BACKUPS doesn’t say"):
        nightly.nightly(print)
    settings.BACKUPS = str(folder := tmp_path / "backups")
    last = nightly.nightly(print)
    assert mode(folder) == 0o700
    for day in range(1, 13):
        (folder / f"table-2026-01-{day:02}T030000Z{nightly.ending()}").touch()
    (folder / f"table-mine{nightly.ending()}").touch()
    time.sleep(1.1)  # its name has seconds
    newest = nightly.nightly(print)
    names = sorted(path.name for path in folder.iterdir())
    kept = [name for name in names if name.startswith("table-")]
    assert len(kept) == 11 and f"table-mine{nightly.ending()}" in kept and kept[0].startswith("table-2026-01-05")
    assert {last.name, newest.name} <= set(names)

    def unsound(path: Path, say: Any) -> None:
        path.touch()
        raise NotKept("something in it is wrong")

    monkeypatch.setattr(nightly, "back_up", unsound)
    for _ in range(2):
        with pytest.raises(NotKept):
            nightly.nightly(print)
    # Nothing old goes for what is not sound, and of that the newest is kept, by a name that says so.
    unchecked = [path.name for path in folder.glob("unchecked-*")]
    assert len(unchecked) == 1 and sorted({path.name for path in folder.iterdir()} - set(unchecked)) == names


@pytest.mark.django_db
def test_a_backup_that_outlasts_its_lease_is_written_once(tmp_path: Path, settings: Any, monkeypatch: Any) -> None:
    settings.BACKUPS = str(tmp_path)
    begun: list[Path] = []

    def takes_long(path: Path, say: Any) -> None:
        begun.append(path)
        assert len(begun) == 1
        work(LEASE + timedelta(minutes=1))  # another worker
        with pytest.raises(NotKept, match="is being written"):
            nightly.nightly(print)  # and cron
        path.touch()

    monkeypatch.setattr(nightly, "back_up", takes_long)
    monkeypatch.setattr("campaigns.keeping.work.HOUR", (timezone.localtime().hour + 12) % 24)  # the next is far off
    yesterday = timezone.localdate() - timedelta(days=1)
    ask(back_up, yesterday.isoformat())
    tonights = Job.objects.filter(args_kwargs__args=[yesterday.isoformat()])
    work()
    assert "is being written" in tonights.get().traceback, "The other worker would do it, had this one failed."
    work(timedelta(minutes=10))
    assert len(list(tmp_path.glob("table-*"))) == len(begun) == 1 and not tonights.exists()


@contextmanager
def empty_postgresql() -> Iterator[OwnDatabase]:
    """An empty database on the server that tests may use; skips where none answers."""
    import psycopg

    server = os.environ.get("TEST_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    try:
        psycopg.connect(server, connect_timeout=2).close()
    except psycopg.OperationalError:
        pytest.skip("No PostgreSQL answers.")
    with empty_on(server) as database:
        yield database


@seldom
@on_sqlite
def test_a_server_moves_to_postgresql_and_says_the_same(real_database: OwnDatabase) -> None:
    for seed in ("5a" * 32, ""):
        real_database.python(PLAYS, seed)
    (before, *_), entries = said(real_database)
    with empty_postgresql() as other:
        assert "rows came over" in done(real_database, "move", "--to", other.url)
        (there, retired, unknown), moved = said(other)
        assert (there, retired, unknown) == (before + 2, 1, 0)
        assert moved[:before] == entries
        assert "There is something in that database already" in refused(real_database, "move", "--to", other.url)
        other.python(PLAYS, "5a" * 32)
    assert said(real_database)[1] == entries, "The old one stays as it was."


@seldom
@on_sqlite
def test_a_server_moves_back_from_postgresql_and_says_the_same(real_database: OwnDatabase, tmp_path: Path) -> None:
    real_database.python(PLAYS, "")
    back = _own(f"sqlite:///{tmp_path / 'back.sqlite3'}")
    with empty_postgresql() as other:
        done(real_database, "move", "--to", other.url)
        other.python(PLAYS, "5a" * 32)
        _, moved = said(other)
        done(other, "move", "--to", back.url)
    (_, retired, _), returned = said(back)
    assert retired == 2 and returned[: len(moved)] == moved
    back.python(PLAYS, "5a" * 32)
    assert mode(tmp_path / "back.sqlite3") == 0o600
