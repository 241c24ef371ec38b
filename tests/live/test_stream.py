"""The live stream of a real server: two members, an outsider, somebody who is removed."""
from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests import forks
from tests.databases import ROOT, OwnDatabase, Template
from tests.gate import seldom
from tests.live.serving import Server

pytestmark = pytest.mark.processes

SEED = """
import json
from tests.conftest import join, logged_in, person
from campaigns.services.founding import found
import uuid
alice, bob, charlie = map(person, ("Alice", "Bob", "Charlie"))
campaign = found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
join(campaign, bob, "player")
other = found(user=charlie, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
print(json.dumps({user.username: logged_in(user).cookies["sessionid"].value for user in (alice, bob, charlie)}))
"""

# Writes an entry for each line that comes in, and says when it was committed.
WRITER = """
import sys, time, uuid
from campaigns import trail
from campaigns.models import Campaign, Member
campaign = Campaign.objects.get(slug=sys.argv[1])
for line in sys.stdin:
    kind, _, text = line.strip().partition(" ")
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind=kind, title=text) as entry:
        if kind == "member.remove":
            entry.change(entry.locked(Member, user__username=text), active=False)
    print(entry.written.seq, time.time(), flush=True)
"""


class Stream:
    """A browser that listens, as one of the people or as nobody."""

    def __init__(self, port: int, slug: str, cookie: str = "") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self._connection.request("GET", f"/c/{slug}/live/", headers={"Cookie": f"sessionid={cookie}"} if cookie else {})
        self.answer = self._connection.getresponse()

    def next(self) -> tuple[int, float]:
        """The next event's number, and when it came; raises `EOFError` at the end of the stream."""
        lines = []
        while (line := self.answer.readline()) not in (b"\n", b""):
            lines.append(line.decode().rstrip("\n"))
        if not lines:
            raise EOFError
        if lines[0].startswith(":"):
            return self.next()
        assert lines[0] == "event: moved"
        return int(lines[1].removeprefix("data: ")), time.time()

    def close(self) -> None:
        self.answer.close()
        self._connection.close()


@dataclass
class Site:
    """A server on a database of its own, and a process that writes to it."""

    database: OwnDatabase
    cookies: dict[str, str]
    port: int
    server: subprocess.Popen[Any]
    writer: subprocess.Popen[str]
    streams: list[Stream] = field(default_factory=list)

    def listen(self, name: str = "", slug: str = "the-salt-road") -> Stream:
        self.streams.append(Stream(self.port, slug, self.cookies.get(name, "")))
        return self.streams[-1]

    def write(self, what: str = "note.add A word") -> tuple[int, float]:
        """Writes an entry from another process; its number, and when it was committed."""
        assert self.writer.stdin
        assert self.writer.stdout
        self.writer.stdin.write(what + "\n")
        self.writer.stdin.flush()
        seq, at = self.writer.stdout.readline().split()
        return int(seq), float(at)


@contextmanager
def served(database: OwnDatabase) -> Iterator[Site]:
    """A site on a database, with a process that writes to it."""
    cookies = json.loads(database.python(SEED))
    server = Server(database, DJANGO_SETTINGS_MODULE="tests.live.settings")
    writer = forks.Process(
        [sys.executable, "-c", "import django; django.setup()" + WRITER, "the-salt-road"], cwd=ROOT, text=True,
        env=database.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )
    try:
        server.start()
        yield Site(database, cookies, server.port, server.process, writer)
    finally:
        server.kill()
        writer.kill()
        writer.communicate()


@pytest.fixture(scope="module")
def running(migrated_once: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One for all who leave it as it was."""
    with migrated_once.copied(tmp_path_factory.mktemp("stream")) as database, served(database) as site:
        yield site


@pytest.fixture
def site(running: Site) -> Iterator[Site]:
    """The same, with nobody listening yet."""
    yield running
    while running.streams:
        running.streams.pop().close()


@pytest.fixture
def own_site(real_database: OwnDatabase) -> Iterator[Site]:
    """One that a test may stop, or take somebody off."""
    with served(real_database) as running:
        yield running


def test_two_members_hear_of_an_entry_within_two_seconds(site: Site) -> None:
    begun, _ = site.write()
    listeners = [site.listen("Alice"), site.listen("Bob")]
    for listener in listeners:
        assert listener.answer.status == 200
        assert listener.answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert listener.answer.headers["Cache-Control"] == "no-store"
        assert listener.next()[0] == begun  # where the campaign is, at once; more dice are no news
    for _ in range(3):
        seq, written = site.write()
        for listener in listeners:
            heard, at = listener.next()
            assert heard == seq
            assert at - written < 2


@pytest.mark.parametrize(("name", "slug"), [
    ("", "the-salt-road"), ("Charlie", "the-salt-road"), ("Alice", "elsewhere"), ("Alice", "nowhere"),
])
def test_whoever_is_not_a_member_gets_404(site: Site, name: str, slug: str) -> None:
    assert site.listen(name, slug).answer.status == 404


def test_a_cookie_that_is_no_session_gets_404(site: Site) -> None:
    for cookie in ("made-up", "'; --", "x" * 500):
        assert Stream(site.port, "the-salt-road", cookie).answer.status == 404


def test_a_removed_members_stream_ends(own_site: Site) -> None:
    alices, bobs = own_site.listen("Alice"), own_site.listen("Bob")
    assert alices.next() and bobs.next()
    seq, _ = own_site.write("member.remove Bob")
    with pytest.raises(EOFError):
        bobs.next()
    assert alices.next()[0] == seq
    assert own_site.listen("Bob").answer.status == 404


def test_a_stream_that_nobody_reads_holds_up_no_other(site: Site) -> None:
    asleep = [site.listen("Bob") for _ in range(20)]
    awake = site.listen("Alice")
    awake.next()
    for _ in range(10):
        seq, written = site.write()
        while (heard := awake.next())[0] < seq:
            pass
        assert heard[1] - written < 2
    for stream in asleep:
        stream.close()


@seldom
def test_sixty_strangers_at_the_door_hold_up_no_news(site: Site) -> None:
    """Each from another network, with a cookie that looks like a session's."""
    stop = threading.Event()

    def knock(number: int) -> int:
        headers = {"Cookie": f"sessionid={number:032}", "X-Forwarded-For": f"2001:db8:{number + 1:x}::1"}
        knocks = 0
        while not stop.is_set():
            door = http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)
            door.request("GET", "/c/the-salt-road/live/", headers=headers)
            assert door.getresponse().status == 404
            door.close()
            knocks += 1
        return knocks

    alices = site.listen("Alice")
    alices.next()
    with ThreadPoolExecutor(60) as strangers:
        knocking = [strangers.submit(knock, number) for number in range(60)]
        try:
            time.sleep(0.5)
            for _ in range(3):
                seq, written = site.write()
                heard, at = alices.next()
                assert heard == seq
                assert at - written < 2
        finally:
            stop.set()
        assert sum(future.result() for future in knocking) >= 60


def test_another_campaigns_entries_are_not_heard(site: Site) -> None:
    elsewhere = site.listen("Charlie", "elsewhere")
    elsewhere.next()
    alices = site.listen("Alice")
    alices.next()
    site.write()
    alices.next()
    elsewhere._connection.sock.settimeout(0.5)
    with pytest.raises(TimeoutError):
        elsewhere.next()


def test_pages_come_from_the_same_port(site: Site) -> None:
    page = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
    page.request("GET", "/")
    answer = page.getresponse()
    assert answer.status == 200
    assert "Content-Security-Policy" in answer.headers
    page.close()


def test_the_server_stops_while_streams_are_open(own_site: Site) -> None:
    own_site.listen("Alice").next()
    begun = time.monotonic()
    own_site.server.send_signal(signal.SIGTERM)
    own_site.server.wait(timeout=10)
    assert time.monotonic() - begun < 5


@pytest.mark.skipif("not __import__('os').environ.get('DATABASE_URL', '').startswith('postgres')", reason="PostgreSQL")
def test_a_lost_database_connection_is_taken_up_again(own_site: Site) -> None:
    import psycopg

    stream = own_site.listen("Alice")
    stream.next()
    time.sleep(0.5)
    with psycopg.connect(own_site.database.url, autocommit=True) as other:
        lost = other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
            " AND datname = current_database()"
        ).fetchall()
    assert lost == [(True,)]
    seq, _ = own_site.write()  # said while nobody hears it
    assert stream.next()[0] == seq
    seq, _ = own_site.write()
    assert stream.next()[0] == seq
