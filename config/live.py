"""The live stream: "this campaign is at entry N", as Server-Sent Events, beside Django and not through it.

A stream is one asyncio task and no thread, so that many open tables cost little. What travels is a number only; the
browser then fetches what its person may see. The right to listen is looked up again before each event.
"""
from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.base import SessionBase
from django.db import connection, connections
from django.http import Http404, HttpRequest, parse_cookie
from django.utils.module_loading import import_string

from accounts.addresses import UNKNOWN, network_of
from campaigns.access import viewer
from campaigns.models import Campaign
from campaigns.trail.visible import head_of
from campaigns.trail.write import CHANNEL
from config import limits
from config.protocol import Receive, Scope, Send, body, start

T = TypeVar("T")

HEARTBEAT = 20.0  # seconds; proxies close what is silent for longer
TICK = 0.15
RETRY = 1.0
PLAIN = "text/plain; charset=utf-8"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Place:
    """A campaign that somebody may listen to, and how far it is for them."""

    campaign: str
    seq: int


def place_for(cookies: str, slug: str) -> Place | None:
    """Where the owner of these cookies may listen, or None. Runs in a thread, and leaves no connection open."""
    try:
        request = HttpRequest()
        request.session = _session(parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME))
        found = viewer(get_user(request), slug)
        return Place(str(found.campaign.pk), head_of(found).seq)
    except Http404:
        return None
    finally:
        connection.close()


def _session(key: str | None) -> SessionBase:
    store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    # Keys are letters and digits; PostgreSQL would be asked in vain for one with a NUL.
    return store(key if key and key.isalnum() else None)


class Hub:
    """Who listens to which campaign, and one task that wakes them. A listener is an event that may be set early or
    twice: what a woken stream sends is what it then reads, so that a slow one skips to the latest and holds up nobody.
    """

    def __init__(self, thread: ThreadPoolExecutor) -> None:
        self._thread = thread
        self._listeners: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._wanted = asyncio.Event()

    @contextlib.contextmanager
    def listening(self, campaign: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the campaign has moved."""
        woken = asyncio.Event()
        self._listeners[campaign].add(woken)
        self._wanted.set()
        try:
            yield woken
        finally:
            self._listeners[campaign].discard(woken)
            if not self._listeners[campaign]:
                del self._listeners[campaign]
            if not self._listeners:
                self._wanted.clear()

    def wake(self, campaign: str) -> None:
        """Wakes those who listen to this campaign."""
        for woken in self._listeners.get(campaign, ()):
            woken.set()

    def wake_all(self) -> None:
        """Wakes everybody: something may have been missed."""
        for campaign in list(self._listeners):
            self.wake(campaign)

    async def in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        """Runs what touches the database away from the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def run(self) -> None:
        """Watches for as long as the server stands; begins again after a failure."""
        while True:
            await self._wanted.wait()
            try:
                await self.watch()
            except Exception as error:
                log.warning("The live stream begins again: %s", error)
                await asyncio.sleep(RETRY)

    async def watch(self) -> None:
        """Wakes listeners as campaigns move; raises when the database is lost."""
        raise NotImplementedError


class PollingHub(Hub):
    """SQLite: one kept connection asks whether anybody else wrote. The answer is in shared memory and costs no read."""

    async def watch(self) -> None:
        try:
            version = None
            heads: dict[str, int] = {}
            while self._listeners:
                if (now := await self.in_thread(self._version)) != version:
                    found = await self.in_thread(self._heads, list(self._listeners))
                    for campaign, seq in found.items():
                        if heads.get(campaign) != seq:
                            self.wake(campaign)
                    version, heads = now, found
                await asyncio.sleep(TICK)
        finally:
            await self.in_thread(self._close)

    # A connection of its own, under Django's settings: the thread's usual one is closed after each look-up.
    _kept: Any = None

    def _version(self) -> int:
        if self._kept is None:
            self._kept = connections.create_connection("default")
        with self._kept.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            return int(cursor.fetchone()[0])

    @staticmethod
    def _heads(campaigns: list[str]) -> dict[str, int]:
        try:
            rows = Campaign.objects.filter(pk__in=campaigns).values_list("pk", "head_seq")
            return {str(pk): seq for pk, seq in rows}
        finally:
            connection.close()

    def _close(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None


class NotifiedHub(Hub):
    """PostgreSQL: each writer's transaction says which campaign it moved; one connection a process hears it."""

    async def watch(self) -> None:
        parameters = connection.get_connection_params()
        for of_django in ("cursor_factory", "context"):
            parameters.pop(of_django, None)
        async with await psycopg.AsyncConnection.connect(**parameters, autocommit=True) as listener:
            await listener.execute(f"LISTEN {CHANNEL}")
            self.wake_all()
            async for heard in listener.notifies():
                self.wake(heard.payload.partition(":")[0])
        raise ConnectionError("the database closed the connection")


class Live:
    """The stream as an ASGI application, with its hub and its one thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")
        self._hub: Hub | None = None
        self._watching: asyncio.Task[None] | None = None
        self._open: Counter[str] = Counter()  # streams, by address

    async def open(self) -> None:
        """Begins to watch."""
        kind = NotifiedHub if connection.vendor == "postgresql" else PollingHub
        self._hub = kind(self._thread)
        self._watching = asyncio.create_task(self._hub.run())

    async def close(self) -> None:
        """Stops watching, and lets the connections go."""
        if self._watching:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching
        await asyncio.to_thread(self._thread.shutdown)

    async def __call__(self, scope: Scope, receive: Receive, send: Send, slug: str) -> None:
        """One stream, from a GET to when the browser goes or the right to listen ends."""
        address = network_of(scope["client"][0] if scope.get("client") else UNKNOWN)
        if self._open[address] >= limits.MOST_CONNECTIONS_EACH:
            await send(start(503, PLAIN, {"retry-after": "30"}))
            await send(body(b"Too many open pages. Close some of them.\n"))
            return
        self._open[address] += 1
        try:
            await self._stream(scope, receive, send, slug)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _stream(self, scope: Scope, receive: Receive, send: Send, slug: str) -> None:
        assert self._hub, "the server's start-up came first"  # noqa: S101
        cookies = "; ".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie")
        place = await self._hub.in_thread(place_for, cookies, slug)
        if place is None:
            await send(start(404, PLAIN))
            await send(body(b"There is nothing here for you.\n"))
            return
        # A proxy in front passes events on at once.
        await send(start(200, "text/event-stream; charset=utf-8", {"x-accel-buffering": "no"}))
        events = asyncio.create_task(self._events(self._hub, place.campaign, cookies, slug, send))
        gone = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait({events, gone}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # The server closes: the stream ends like one that its browser left, without a word in the log.
            pass
        finally:
            for task in (events, gone):
                task.cancel()
            await asyncio.gather(events, gone, return_exceptions=True)
        if events.cancelled():
            return
        if lost := events.exception():
            # The response stays without its end, so that the browser connects again.
            log.warning("A live stream broke off: %s", lost)
        else:
            await send(body(b""))

    @staticmethod
    async def _events(hub: Hub, campaign: str, cookies: str, slug: str, send: Send) -> None:
        """Sends where the campaign is, now and whenever it moved for this person; returns when their right is gone.

        What is sealed from them wakes the stream and leaves nothing in it, not even a beat of the heart.
        """
        sent, beats = -1, False
        with hub.listening(campaign) as woken:
            # Looked up after listening began: what moves from here on wakes, and what moved before is read now.
            while place := await hub.in_thread(place_for, cookies, slug):
                moved, sent = place.seq > sent, max(sent, place.seq)
                if moved or beats:
                    line = f"event: moved\ndata: {sent}\n\n" if moved else ": still here\n\n"
                    await send(body(line.encode(), more=True))
                    due = asyncio.get_running_loop().time() + HEARTBEAT
                beats = not await _woken(woken, due)


async def _woken(woken: asyncio.Event, until: float) -> bool:
    """Waits for an event until a moment; whether it came."""
    try:
        async with asyncio.timeout_at(until):
            await woken.wait()
    except TimeoutError:
        return False
    woken.clear()
    return True


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
