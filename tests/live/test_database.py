"""The real server while its database is full, busy, replaced, cut off or away."""
from __future__ import annotations

import json
import os
import re
import resource
import shutil
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.databases import OwnDatabase
from tests.html_forms import Form, Page
from tests.live.serving import Server
from tests.live.test_stream import SEED, Stream

ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")
on_sqlite = pytest.mark.skipif(ON_POSTGRESQL, reason="SQLite")
on_postgresql = pytest.mark.skipif(not ON_POSTGRESQL, reason="PostgreSQL")
pytestmark = pytest.mark.processes

TABLE = "/c/the-salt-road/"
READ = (TABLE, "/", TABLE + "ledger/", TABLE + "people/", TABLE + "head/", TABLE + "characters/")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


WRITES = """
import sys, uuid
from campaigns import trail
from campaigns.models import Campaign
campaign = Campaign.objects.get(slug=sys.argv[1])
with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="note.add", title="A word") as entry:
    pass
print(entry.written.seq)
"""


def form_of(page: str, path: str, *needed: str) -> Form:
    """The first form of a page that posts and has these fields."""
    forms = Page(SimpleNamespace(request={"PATH_INFO": path}, content=page.encode())).forms
    return next(form for form in forms if set(needed) <= set(form.controls))


class Browser:
    """Somebody's browser: it sends forms as its pages have them."""

    def __init__(self, server: Server, session: str = "") -> None:
        self.server, self.cookies = server, {"sessionid": session} if session else {}

    def get(self, path: str, **headers: str) -> Any:
        return self._ask("GET", path, None, headers)

    def send(self, path: str, page: str, headers: dict[str, str] | None = None, **typed: str) -> Any:
        """Fills in the form of a page that asks for this and sends it, to its own address or to this one."""
        form = form_of(page, path, *typed)
        return self._ask("POST", form.action, urlencode(form.filled(**typed), doseq=True), {**FORM, **(headers or {})})

    def _ask(self, method: str, path: str, sent: str | None, headers: dict[str, str]) -> Any:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.server.ask(method, path, sent, {"Accept": "text/html", **headers, "Cookie": cookie})
        for line in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer


@pytest.fixture
def server(real_database: OwnDatabase) -> Iterator[Server]:
    made = Server(real_database, DJANGO_SETTINGS_MODULE="tests.live.settings")
    try:
        made.start()
        yield made
    finally:
        made.kill()


@pytest.fixture
def as_alice(real_database: OwnDatabase, server: Server) -> Browser:
    return Browser(server, json.loads(real_database.python(SEED))["Alice"])


@pytest.fixture
def file(real_database: OwnDatabase) -> Path:
    return Path(real_database.url.removeprefix("sqlite:///"))


@contextmanager
def nothing_more_fits(server: Server) -> Iterator[None]:
    """The server's process can't write to any file, as on a disk that is full."""
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


@on_sqlite
def test_a_connection_is_kept_from_one_request_to_the_next_and_closed_at_the_end(
    as_alice: Browser, file: Path,
) -> None:
    log = file.with_name(file.name + "-wal")
    for path in READ:
        assert as_alice.get(path).status == 200
        assert log.exists()  # SQLite deletes it as the last connection is closed
    as_alice.server.process.terminate()
    as_alice.server.process.wait(10)
    assert not log.exists()


@on_sqlite
def test_on_a_full_disk_pages_are_read_and_what_is_sent_is_kept(as_alice: Browser, file: Path) -> None:
    new, log_in, anonymous = as_alice.get("/campaigns/new/").text, "/log-in/", Browser(as_alice.server)
    opened = anonymous.get(log_in).text
    prose = "They came over the ridge at dawn & said “nothing”.\n\nNobody had slept."
    notes = TABLE + "notes/new/"
    note = as_alice.get(notes).text
    with nothing_more_fits(as_alice.server):
        for _ in range(3):
            assert [as_alice.get(path).status for path in READ] == [200] * len(READ)
        stream = Stream(as_alice.server.port, "the-salt-road", as_alice.cookies["sessionid"])
        assert stream.next()[0] == 3
        refused = as_alice.send("/campaigns/new/", new, system="pdq", name="The Glass Sea")
        assert refused.status == 503
        assert "disk is full" in refused.text
        assert "Nothing was saved." in refused.text
        by_script = as_alice.send("/campaigns/new/", new, {"HX-Request": "true"}, system="pdq", name="The Glass Sea")
        assert (by_script.status, by_script.headers["Content-Type"]) == (503, "text/plain; charset=utf-8")
        assert by_script.text.startswith("The server’s disk is full")
        written = as_alice.send(notes, note, title="The ridge", text=prose)
        assert written.status == 503
        assert form_of(written.text, notes, "text").controls["text"].opens[0].replace("\r", "") == prose
        guessed = anonymous.send(log_in, opened, username="Alice", password="a long password")
        assert guessed.status == 503
        assert "Alice" in guessed.text
        assert "a long password" not in guessed.text
        assert as_alice.get("/").text.count("Log out")  # nobody is logged out by it
    assert as_alice.send("/", refused.text).status == 302
    assert "The Glass Sea" in as_alice.get("/").text
    assert as_alice.send("/", written.text).status == 302
    stream.close()


@on_sqlite
def test_a_writer_who_waits_for_too_long_hears_that_the_database_is_busy(as_alice: Browser, file: Path) -> None:
    new = as_alice.get("/campaigns/new/").text
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused = as_alice.send("/campaigns/new/", new, system="pdq", name="The Glass Sea")
    assert refused.status == 503
    assert "The database is busy. Nothing was saved." in refused.text
    assert as_alice.get(TABLE).status == 200
    other.execute("ROLLBACK")
    other.close()
    assert as_alice.send("/", refused.text).status == 302


@on_sqlite
def test_a_file_that_is_put_back_is_what_pages_show_and_no_empty_one_takes_its_place(
    as_alice: Browser, file: Path,
) -> None:
    new, backup = as_alice.get("/campaigns/new/").text, file.with_name("backup.sqlite3")
    with sqlite3.connect(file) as here, sqlite3.connect(backup) as there:
        here.backup(there)
    assert as_alice.send("/campaigns/new/", new, system="pdq", name="The Glass Sea").status == 302
    assert "The Glass Sea" in as_alice.get("/").text
    for ending in ("", "-wal", "-shm"):
        file.with_name(file.name + ending).unlink()
    away = as_alice.get("/")
    assert away.status == 503
    assert "The database can’t be reached." in away.text
    assert not file.exists()
    shutil.copy(backup, file)
    back = as_alice.get("/")
    assert back.status == 200
    assert "The Glass Sea" not in back.text
    assert as_alice.send("/campaigns/new/", new, system="pdq", name="The Salt Sea").status == 302
    assert sqlite3.connect(file).execute("PRAGMA integrity_check").fetchone() == ("ok",)


@contextmanager
def database_server() -> Iterator[Any]:
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as opened:
        yield opened


def cut_all(database: OwnDatabase) -> int:
    """Ends every connection to a database; how many there were."""
    with database_server() as opened:
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        return len(opened.execute(ended, [database.url.rsplit("/", 1)[1]]).fetchall())


@on_postgresql
def test_after_all_connections_were_cut_every_request_is_answered(
    as_alice: Browser, real_database: OwnDatabase,
) -> None:
    def many() -> list[int]:
        with ThreadPoolExecutor(8) as at_once:
            return [answer.status for answer in at_once.map(as_alice.get, [TABLE] * 40)]

    assert many() == [200] * 40
    for _ in range(3):
        assert cut_all(real_database) >= 4
        begun = time.monotonic()
        assert many() == [200] * 40
        assert time.monotonic() - begun < 30


@on_postgresql
def test_while_the_database_is_away_a_sentence_says_so_and_open_streams_stay(
    as_alice: Browser, real_database: OwnDatabase,
) -> None:
    new = as_alice.get("/campaigns/new/").text
    stream = Stream(as_alice.server.port, "the-salt-road", as_alice.cookies["sessionid"])
    stream.next()
    allow = f'ALTER DATABASE "{real_database.url.rsplit("/", 1)[1]}" ALLOW_CONNECTIONS '
    with database_server() as opened:
        opened.execute(allow + "false")
        cut_all(real_database)
        for path in READ:
            read = as_alice.get(path)
            assert read.status == 503, path
            assert "The database can’t be reached." in read.text
        refused = as_alice.send("/campaigns/new/", new, system="pdq", name="The Glass Sea")
        assert refused.status == 503
        assert "The database can’t be reached. Nothing was saved." in refused.text
        later = Stream(as_alice.server.port, "the-salt-road", as_alice.cookies["sessionid"])
        assert later.answer.status == 503
        assert later.answer.read().decode().startswith("The database can’t be reached.")
        opened.execute(allow + "true")
    assert as_alice.get(TABLE).status == 200
    assert as_alice.send("/", refused.text).status == 302
    seq = int(real_database.python(WRITES, "the-salt-road"))
    assert stream.next()[0] == seq


@on_postgresql
def test_a_connection_that_breaks_while_something_is_written_is_not_said_to_have_written_nothing(
    as_alice: Browser, real_database: OwnDatabase,
) -> None:
    import psycopg

    new = as_alice.get("/campaigns/new/").text
    with psycopg.connect(real_database.url) as other, ThreadPoolExecutor(1) as beside:
        other.execute("LOCK TABLE campaigns_campaign")
        sending = beside.submit(as_alice.send, "/campaigns/new/", new, system="pdq", name="The Glass Sea")
        waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        with database_server() as opened:
            while not (locked := other.execute(waiting).fetchall()):
                assert not sending.done(), f"It wrote nothing: {sending.result().status}"
                time.sleep(0.05)
            opened.execute("SELECT pg_terminate_backend(%s)", locked[0])
        refused = sending.result(30)
    assert refused.status == 503
    assert "This may not have been saved." in refused.text
    assert not re.search("Nothing was saved", refused.text)
