"""The live stream: "this campaign is at entry N", as Server-Sent Events, beside Django and not through it.

A stream is one asyncio task and no thread, so that many open tables cost little. What travels is a number only; the
browser then fetches what its person may see. The right to listen is looked up again before each event.
"""
from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeVar

import psycopg
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.base import SessionBase
from django.db import Error, close_old_connections, connection
from django.http import Http404, HttpRequest, parse_cookie
from django.utils.module_loading import import_string

from accounts.addresses import network_of
from accounts.troubles import trouble_of
from campaigns import budgets
from campaigns.access import viewer
from campaigns.models import Campaign
from campaigns.trail.draft import CHANNEL
from campaigns.trail.visible import head_of
from config import limits, metrics
from config.lanes import Lane
from config.protocol import Receive, Scope, Send, address_of, body, cookies_of, gone, start
from config.refusals import Refused, check_length, not_here, or_say_why
from config.threads import Threads
from config.turns import Caller
from config.visits import Streams, Visits

T = TypeVar("T")

HEARTBEAT = 20.0  # seconds; proxies close what is silent for longer
TICK = 0.15
TICK_OF_QUERIES = 0.5  # where each look is a query
RETRY = 1.0
KEY = re.compile(r"[a-z0-9]{32}")  # as sessions have them

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Place:
    """A campaign that a person may listen to, and how far it is for them."""

    person: str
    campaign: str
    seq: int


def place_for(cookies: str, slug: str) -> Place | None:
    """Where the owner of these cookies may listen, or None. Runs in a thread."""
    if (key := session_key(cookies)) is None:
        return None
    try:
        request = HttpRequest()
        request.session = _session(key)
        listener = viewer(get_user(request), slug)
        return Place(str(listener.member.user_id), str(listener.campaign.pk), head_of(listener).seq)
    except Http404:
        return None


def _looked_up(cookies: str, slug: str) -> Place | None:
    """The same, at the door: its thread keeps a connection, which may have been cut since it was last used."""
    close_old_connections()
    return place_for(cookies, slug)


def session_key(cookies: str) -> str | None:
    """What could be a session's key, None where nothing of these cookies could be one. Asks no database."""
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "")
    return key if KEY.fullmatch(key) else None


def _session(key: str) -> SessionBase:
    store: type[SessionBase] = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    return store(key)


class Hub:
    """Who listens to which campaign, and one task that wakes them. A listener is an event that may be set early or
    twice: what a woken stream sends is what it then reads, so that a slow one skips to the latest and holds up nobody.
    """

    def __init__(self, thread: Threads) -> None:
        self._thread = thread
        self._listeners: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._wanted = asyncio.Event()
        self.failed = False  # whether what it last began broke off

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
        """Runs what touches the database away from the event loop, on the thread's kept connection."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _on_what_works, work, *arguments)

    async def run(self) -> None:
        """Watches for as long as the server stands; begins again after a failure."""
        while True:
            await self._wanted.wait()
            try:
                await self.watch()
                self.failed = False
            except Exception as error:
                self.failed = True
                log.warning("The live stream begins again: %s", error)
                await asyncio.sleep(RETRY)

    async def watch(self) -> None:
        """Wakes listeners as campaigns move; raises when the database is lost."""
        raise NotImplementedError


def _on_what_works(work: Callable[..., T], *arguments: Any) -> T:
    close_old_connections()  # as before a request: only those that failed, or whose file is another one by now
    return work(*arguments)


class PollingHub(Hub):
    """SQLite: a kept connection asks whether anybody else wrote. The answer is in shared memory and costs no read."""

    tick = TICK

    async def watch(self) -> None:
        version = None
        heads: dict[str, int] = {}
        while self._listeners:
            if (now := await self.in_thread(self._version)) != version:
                newest = await self.in_thread(self._heads, list(self._listeners))
                for campaign, seq in newest.items():
                    if heads.get(campaign) != seq:
                        self.wake(campaign)
                version, heads = now, newest
            self.failed = False
            await asyncio.sleep(self.tick)

    @staticmethod
    def _version() -> tuple[int, int]:
        """The number is one connection's: to another it says nothing."""
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            return id(connection.connection), int(cursor.fetchone()[0])

    @staticmethod
    def _heads(campaigns: list[str]) -> dict[str, int]:
        rows = Campaign.objects.filter(pk__in=campaigns).values_list("pk", "head_seq")
        return {str(pk): seq for pk, seq in rows}


class AskingHub(PollingHub):
    """A server that speaks PostgreSQL and has no LISTEN: it is asked how far the campaigns are, all in one query."""

    tick = TICK_OF_QUERIES

    @staticmethod
    def _version() -> tuple[int, int]:
        """Nobody says whether anything was written: it may always be."""
        return 0, time.monotonic_ns()


class NotifiedHub(Hub):
    """PostgreSQL: each writer's transaction says which campaign it moved; one connection a process hears it, which goes
    past a pooler by `LISTEN_URL`."""

    async def watch(self) -> None:
        async with await psycopg.AsyncConnection.connect(**self._past_a_pooler(), autocommit=True) as listener:
            await listener.execute(f"LISTEN {CHANNEL}")
            self.wake_all()
            self.failed = False
            async for heard in listener.notifies():
                self.wake(heard.payload.partition(":")[0])
        raise ConnectionError("the database closed the connection")

    @staticmethod
    def _past_a_pooler() -> dict[str, Any]:
        """What to connect with: `LISTEN_URL`, else as Django does."""
        if settings.LISTEN_URL:
            return {"conninfo": settings.LISTEN_URL}
        parameters = connection.get_connection_params()
        return {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}


def hub_of_database() -> type[Hub]:
    """How this server's database tells of what is written."""
    if connection.vendor != "postgresql":
        return PollingHub
    return NotifiedHub if settings.NOTIFIES else AskingHub


class Live:
    """The stream as an ASGI application. Who may listen is looked up by a thread of its own, in turns (`config.turns`);
    the hub with its one thread does what the streams that are open need, and nobody else can make it wait."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits
        self._door = Lane(limits.STREAM)
        self._streams = Streams(
            most=limits.MOST_STREAMS, most_person=settings.STREAMS_PER_PERSON,
            most_address=limits.MOST_CONNECTIONS_EACH, most_campaign=settings.STREAMS_PER_CAMPAIGN,
            by_campaign=budgets.STREAMS,
        )
        self._thread = Threads(1, "live")
        self._hub: Hub | None = None
        self._watching: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begins to watch."""
        self._hub = hub_of_database()(self._thread)
        self._watching = asyncio.create_task(self._hub.run())

    @property
    def listens(self) -> bool:
        """Whether it hears of what is written, or would as soon as somebody asks."""
        return bool(self._hub and self._watching and not self._watching.done() and not self._hub.failed)

    async def close(self) -> None:
        """Stops watching, and lets the connections go."""
        if self._watching:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._door.close)

    async def __call__(self, scope: Scope, receive: Receive, send: Send, slug: str) -> None:
        """One stream, from a GET to when the browser goes or the right to listen ends."""
        await or_say_why(self._serve(scope, receive, send, slug), receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, slug: str) -> None:
        check_length(scope)
        address, cookies = address_of(scope), cookies_of(scope)
        if session_key(cookies) is None:
            raise not_here()
        with self._visits.visit(network_of(address)):
            place = await self._place(cookies, slug, Caller(address), receive)
        if place is None:
            raise not_here()
        with self._streams.stream(place.person, network_of(address), place.campaign) as gives_way:
            ends: list[Coroutine[Any, Any, object]] = [gives_way.wait()]
            if connection := scope.get("state", {}).get("connection"):
                ends.append(connection.closing.wait())
            with metrics.streams.track_inprogress():
                await self._stream(place.campaign, cookies, slug, ends, receive, send)

    async def _place(self, cookies: str, slug: str, caller: Caller, receive: Receive) -> Place | None:
        """Where they may listen; raises `Refused` where the database does not answer now."""
        try:
            return await self._door.run(lambda: _looked_up(cookies, slug), caller, receive)
        except Error as error:
            if (trouble := trouble_of(error)) is None:
                raise
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, trouble.sentence("GET")) from error

    async def _stream(
        self, campaign: str, cookies: str, slug: str, ends: list[Coroutine[Any, Any, object]], receive: Receive,
        send: Send,
    ) -> None:
        assert self._hub, "the server’s start-up came first"  # noqa: S101
        # A proxy in front passes events on at once.
        await send(start(200, "text/event-stream; charset=utf-8", {"x-accel-buffering": "no"}))
        events = asyncio.create_task(self._events(self._hub, campaign, cookies, slug, send))
        over = [asyncio.create_task(end) for end in (gone(receive), *ends)]
        try:
            await asyncio.wait({events, *over}, return_when=asyncio.FIRST_COMPLETED)
            left = over[0].done()
        except asyncio.CancelledError:
            # The server waits no longer: the stream ends like one that its browser left, without a word in the log.
            left = True
        finally:
            for task in (events, *over):
                task.cancel()
            await asyncio.gather(events, *over, return_exceptions=True)
        if not events.cancelled() and (lost := events.exception()):
            # The response stays without its end, so that the browser connects again.
            log.warning("A live stream broke off: %s", lost)
        elif not left:
            await send(body(b""))

    @staticmethod
    async def _events(hub: Hub, campaign: str, cookies: str, slug: str, send: Send) -> None:
        """Sends where the campaign is, now and whenever it moved for this person; returns when their right is gone.

        What is sealed from them wakes the stream and leaves nothing in it, not even a beat of the heart.
        """
        sent, beats = -1, False
        with hub.listening(campaign) as woken:
            # Looked up after listening began: what moves from here on wakes, and what moved before is read now.
            while place := await _place_once_found(hub, cookies, slug):
                moved, sent = place.seq > sent, max(sent, place.seq)
                if moved or beats:
                    line = f"event: moved\ndata: {sent}\n\n" if moved else ": still here\n\n"
                    await send(body(line.encode(), more=True))
                    due = asyncio.get_running_loop().time() + HEARTBEAT
                beats = not await _woken(woken, due)


async def _place_once_found(hub: Hub, cookies: str, slug: str) -> Place | None:
    """Where the owner of these cookies may listen. An open stream outlasts a database that is away."""
    while True:
        try:
            return await hub.in_thread(place_for, cookies, slug)
        except Error as error:
            if trouble_of(error) is None:
                raise
            await asyncio.sleep(RETRY)


async def _woken(woken: asyncio.Event, until: float) -> bool:
    """Waits for an event until a moment; whether it came."""
    try:
        async with asyncio.timeout_at(until):
            await woken.wait()
    except TimeoutError:
        return False
    woken.clear()
    return True

