"""Who may listen to the live stream, and what asking for it may cost, without a network or a database."""
from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest
from django.conf import settings
from django.test import Client as Browser

from campaigns import budgets
from config import limits
from config.live import Hub, Live, Place, session_key
from config.visits import Streams, TooManyStreams, Visits
from tests.live.client import Client, play, serve

NOTHING = b"There is nothing here for you.\n"


def visits() -> Visits:
    return Visits(most=limits.MOST_VISITS, most_each=limits.MOST_VISITS_EACH, most_bytes=0)


def opened() -> Live:
    """With a hub that nothing wakes but the test."""
    live = Live(visits())
    live._hub = Hub(live._thread)
    return live


def asking(key: str = "", address: str = "192.0.2.1", **more: Any) -> Client:
    return Client("/c/x/live/", "GET", address=address, headers=((b"cookie", f"sessionid={key}".encode()),), **more)


def key_of(name: str) -> str:
    return name.ljust(32, "0")


class Guests:
    """In place of the database: members' names begin with `member`, and who is looked up as a stranger takes long."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go = threading.Event()
        self.asked: list[str] = []
        self.seq = 1
        monkeypatch.setattr("config.live.place_for", self.place_for)

    def place_for(self, cookies: str, slug: str) -> Place | None:
        name = cookies.removeprefix("sessionid=").rstrip("0")
        self.asked.append(name)
        if name.startswith("member"):
            return Place(name, "campaign", self.seq)
        self.go.wait(10)
        return None


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> Guests:
    monkeypatch.setattr("config.refusals.LINGER", 0.01)
    return Guests(monkeypatch)


@asynccontextmanager
async def asked(live: Live, *clients: Client) -> AsyncIterator[list[asyncio.Task[Client]]]:
    """While they ask, and those who are let in listen."""
    tasks = [asyncio.create_task(serve(live, client, "x")) for client in clients]
    await asyncio.sleep(0.1)
    try:
        yield tasks
    finally:
        for client in clients:
            client.went.set()
        await asyncio.gather(*tasks)


@pytest.mark.parametrize("key", [
    "", "made-up", "'; --", "x" * 500, "A" * 32, "a" * 31, "a" * 31 + "ä", "a" * 31 + "\0",
])
def test_what_can_be_no_session_takes_no_thread(key: str, guests: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadPoolExecutor, "submit", lambda *_: pytest.fail("a thread was taken"))

    async def story() -> None:
        refused = await serve(opened(), asking(key), "x")
        assert (refused.status, refused.text.encode()) == (404, NOTHING)
        assert not guests.asked
    play(story())


@pytest.mark.django_db
def test_every_key_that_sessions_have_could_be_one(as_alice: Browser) -> None:
    key = as_alice.cookies["sessionid"].value
    assert session_key(f"a=b; sessionid={key}; c=d") == key


def test_strangers_at_the_door_hold_up_no_news(guests: Guests) -> None:
    async def story() -> None:
        live, member = opened(), asking(key_of("member"))
        strangers = [asking(key_of(f"stranger{number}x"), f"2001:db8:{number + 1:x}::1") for number in range(60)]
        async with asked(live, member), asked(live, *strangers):
            assert live._hub
            for guests.seq in (2, 3, 4):
                live._hub.wake("campaign")
                await asyncio.sleep(0.1)
                assert f"data: {guests.seq}\n" in member.text
            assert not any(stranger.sent for stranger in strangers)  # or nothing was tested
            guests.go.set()
            while not all(stranger.sent for stranger in strangers):
                await asyncio.sleep(0.01)
            assert {stranger.status for stranger in strangers} == {404}
    play(story())


def test_a_flood_from_one_address_is_refused_and_a_member_gets_in_after_one_of_it(guests: Guests) -> None:
    async def story() -> None:
        live, member = opened(), asking(key_of("member"), "198.51.100.1")
        flood = [asking(key_of(f"flood{number}x")) for number in range(limits.MOST_VISITS_EACH + 20)]
        async with asked(live, *flood), asked(live, member):
            assert [client.status for client in flood].count(503) == 20
            guests.go.set()
            while not member.sent:
                await asyncio.sleep(0.01)
            assert member.status == 200
            assert guests.asked.index("member") <= 2  # one was inside, one had its turn already
    play(story())


def test_who_went_before_their_turn_is_not_looked_up(guests: Guests) -> None:
    async def story() -> None:
        live, inside, goes = opened(), asking(key_of("inside")), asking(key_of("goes"))
        async with asked(live, inside):
            async with asked(live, goes):
                pass
            guests.go.set()
        assert guests.asked == ["inside"]
        assert not goes.sent
    play(story())


def test_a_person_has_so_many_streams_and_the_next_is_refused(guests: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "STREAMS_PER_PERSON", 3)

    async def story() -> None:
        live = opened()
        own = [asking(key_of("memberone"), f"192.0.2.{number}") for number in range(4)]
        async with asked(live, *own), asked(live, other := asking(key_of("membertwo"))):
            assert [client.status for client in own] == [200, 200, 200, 503]
            assert own[3].text == "Too many open pages. Close some of them.\n"
            assert other.status == 200
        assert len(live._streams) == 0
    play(story())


def test_a_campaign_has_so_many_streams_and_the_next_is_told_so(
    guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "STREAMS_PER_CAMPAIGN", 2)

    async def story() -> None:
        live, many = opened(), [asking(key_of(f"member{name}"), f"192.0.2.{ord(name)}") for name in "abc"]
        async with asked(live, *many):
            assert [client.status for client in many] == [200, 200, 503]
            assert "of this campaign are open as it has room for" in many[2].text
            assert list(budgets.STREAMS.values()) == [2], "as its owner is shown"
        assert not budgets.STREAMS
    play(story())


def test_an_address_has_so_many_streams(guests: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_CONNECTIONS_EACH", 3)

    async def story() -> None:
        live = opened()
        async with asked(live, *(same := [asking(key_of(f"member{name}")) for name in "abcd"])):
            assert [client.status for client in same] == [200, 200, 200, 503]
            async with asked(live, elsewhere := asking(key_of("membere"), "198.51.100.1")):
                assert elsewhere.status == 200
    play(story())


def test_where_there_are_too_many_of_all_the_person_with_the_most_gives_up_the_oldest(
    guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_STREAMS", 3)

    async def story() -> None:
        live = opened()
        many = [asking(key_of("membermany")) for _ in range(3)]
        async with asked(live, *many) as tasks, asked(live, one := asking(key_of("memberone"))):
            assert one.status == 200
            assert [task.done() for task in tasks] == [True, False, False]
            assert not many[0].sent[-1].get("more_body")  # it ends as a whole answer does
            assert len(live._streams) == 3
    play(story())


def test_who_has_as_many_as_the_others_pushes_out_nobody() -> None:
    streams = Streams(most=2, most_person=9, most_address=9)
    with streams.stream("Alice", "here") as alices, streams.stream("Bob", "there") as bobs:
        with pytest.raises(TooManyStreams), streams.stream("Charlie", "elsewhere"):
            pass
        assert not (alices.is_set() or bobs.is_set())


def test_a_length_that_is_said_twice_is_refused(guests: Guests) -> None:
    async def story() -> None:
        client = asking(key_of("member"))
        client.scope["headers"] += [(b"content-length", b"2"), (b"transfer-encoding", b"chunked")]
        assert (await serve(opened(), client, "x")).status == 400
    play(story())
