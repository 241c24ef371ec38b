"""Two first starts at once both end well, and whoever reads meanwhile makes nobody wait."""
from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction

from config.one_at_a_time import KEY, one_at_a_time
from tests import forks
from tests.databases import ROOT, OwnDatabase, empty

on_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite is one file on one machine")
# What `first_start` does once nobody on this machine keeps it: as on two machines.
PREPARE = "from config import first_start\nreal = first_start.call_command\n" \
    "first_start.call_command = lambda name, **said: None if name == 'collectstatic' else real(name, **said)\n" \
    "first_start.prepare()\n"


@pytest.fixture
def nothing_yet(tmp_path: Path) -> Iterator[OwnDatabase]:
    with empty(tmp_path) as database:
        yield database


@contextmanager
def somebody_inside(url: str) -> Iterator[None]:
    """A process that is bringing the database of this address up to date, until the end of the block."""
    if url.startswith("postgres"):
        with psycopg.connect(url, autocommit=True) as server:
            server.execute("SELECT pg_advisory_lock(%s)", [KEY])
            yield
    else:
        lock = os.open(Path(url.removeprefix("sqlite:///")).parent, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
        os.close(lock)


def both(database: OwnDatabase, *command: str) -> list[int]:
    """Two processes that come while somebody is inside, and begin at once as that one leaves: what each ends with."""
    with somebody_inside(database.url):
        begun = [
            forks.Process([sys.executable, *command], cwd=ROOT, env=database.environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(2)]
        for process in begun:
            assert any("Waiting for it." in line for line in process.stdout or ()), "It did not wait."
    return [(process.communicate(timeout=120), process.returncode)[1] for process in begun]


@on_postgresql
@pytest.mark.processes
def test_two_first_starts_at_once_end_well_and_make_one_sample(nothing_yet: OwnDatabase) -> None:
    assert both(nothing_yet, "-c", PREPARE) == [0, 0]
    count = nothing_yet.python("from campaigns.models import Campaign; print(Campaign.objects.count())")
    assert count.strip() == "1"


@pytest.mark.processes
def test_two_migrations_at_once_end_well(nothing_yet: OwnDatabase) -> None:
    assert both(nothing_yet, "manage.py", "migrate", "--verbosity", "0") == [0, 0]


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_an_open_reader_makes_nobody_wait(alice: Any) -> None:
    """Somebody reads all tables and goes away for a coffee; migrating with nothing to do asks for no lock that would
    have to wait for them, and behind which all pages would wait."""
    reading = connections.create_connection("default")
    with closing(reading):
        reading.set_autocommit(False)
        with reading.cursor() as cursor:
            for table in connection.introspection.table_names():
                cursor.execute(f'SELECT 1 FROM "{table}" LIMIT 1')
        taken: set[str] = set()

        def look(execute: Any, sql: str, given: Any, many: bool, context: Any) -> Any:
            answer = execute(sql, given, many, context)
            if sql.split(" ", 1)[0].upper() in ("CREATE", "DROP", "ALTER", "LOCK", "TRUNCATE"):
                taken.add(sql)
            return answer

        with connection.execute_wrapper(look), one_at_a_time():
            call_command("migrate", verbosity=0, interactive=False)
        assert not taken, f"Migrating with nothing to do changes tables: {taken}"
        with transaction.atomic():
            alice.save()


def test_whoever_is_inside_may_come_again(db: None) -> None:
    with one_at_a_time(), one_at_a_time():
        pass
    with one_at_a_time():
        pass
