"""Who is being served, by address, and who has to go when there are too many.

A request that waits for its client (for the rest of a body, for the answer to be taken) can be given up; one that a
thread works on can't, and is done soon. Where there are too many, the address with the most gives up its oldest that
waits: whoever opens a hundred connections pushes out their own.
"""
from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager


class TooMany(Exception):
    """There is no room, and nobody to make room."""


class TooManyStreams(TooMany):
    """Too many pages are open that listen."""


class CampaignHasTooMany(TooMany):
    """As many pages of one campaign listen as it has room for."""


class Visit:
    """One request. `held` is how many bytes of its body are kept."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.held = 0
        self.pushed_out = False
        self._deadline: asyncio.Timeout | None = None

    @property
    def waits_for_client(self) -> bool:
        """Whether it can be given up."""
        return self._deadline is not None and not self.pushed_out

    @asynccontextmanager
    async def waiting(self, seconds: float) -> AsyncIterator[None]:
        """While inside, raises `TimeoutError` after so many seconds, or as soon as it is given up."""
        async with asyncio.timeout(seconds) as self._deadline:
            try:
                yield
            finally:
                self._deadline = None

    def goes_on(self, seconds: float) -> None:
        """The client did something: the time begins anew."""
        if self._deadline and not self.pushed_out:
            self._deadline.reschedule(asyncio.get_running_loop().time() + seconds)

    def give_up(self) -> None:
        """Ends the waiting."""
        self.pushed_out = True
        if self._deadline:
            self._deadline.reschedule(asyncio.get_running_loop().time())


class Visits:
    """All requests of this process that are under way."""

    def __init__(self, *, most: int, most_each: int, most_bytes: int) -> None:
        self._most, self._most_each, self._most_bytes = most, most_each, most_bytes
        self._by_address: dict[str, list[Visit]] = defaultdict(list)  # oldest first
        self._number = 0
        self.held = 0

    @contextmanager
    def visit(self, address: str) -> Iterator[Visit]:
        """A new one, for as long as it lasts; raises `TooMany`."""
        own = self._by_address.get(address, [])
        if len(own) >= self._most_each:
            self._push_out(own)
        elif self._number >= self._most:
            self._push_out(self._crowd(by_bytes=False))
        visit = Visit(address)
        self._by_address[address].append(visit)
        self._number += 1
        try:
            yield visit
        finally:
            self.hold(visit, -visit.held)
            self._number -= 1
            self._by_address[address].remove(visit)
            if not self._by_address[address]:
                del self._by_address[address]

    def hold(self, visit: Visit, size: int) -> None:
        """Counts bytes that are kept for a visit; raises `TooMany` where all that can be given up is not enough."""
        visit.held += size
        self.held += size
        if size > 0 and self.held > self._most_bytes:
            self._push_out(self._crowd(by_bytes=True))

    def _crowd(self, *, by_bytes: bool) -> list[Visit]:
        """What one address has that could be given up: the address with the most."""
        waiting = [[visit for visit in own if visit.waits_for_client] for own in self._by_address.values()]
        return max(waiting, default=[], key=lambda own: sum(visit.held if by_bytes else 1 for visit in own))

    @staticmethod
    def _push_out(visits: list[Visit]) -> None:
        for visit in visits:
            if visit.waits_for_client:
                visit.give_up()
                return
        raise TooMany


class Streams:
    """All live streams of this process that are open. One is an event, set when it has to give way."""

    def __init__(
        self, *, most: int, most_person: int, most_address: int, most_campaign: int = 0,
        by_campaign: Counter[str] | None = None,
    ) -> None:
        self._most, self._most_person, self._most_address = most, most_person, most_address
        self._most_campaign, self._by_campaign = most_campaign, Counter() if by_campaign is None else by_campaign
        self._by_person: dict[str, list[asyncio.Event]] = defaultdict(list)  # oldest first
        self._by_address: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._by_person.values()))

    @contextmanager
    def stream(self, person: str, address: str, campaign: str = "") -> Iterator[asyncio.Event]:
        """A new one, for as long as it lasts; raises `TooManyStreams`, or `CampaignHasTooMany`.

        Who has as many as one may have is refused the newest: an older one would come back at once. Where there are too
        many of all, the person with the most gives up the oldest.
        """
        own = len(self._by_person.get(person, ()))
        if 0 < self._most_person <= own or self._by_address[address] >= self._most_address:
            raise TooManyStreams
        if 0 < self._most_campaign <= self._by_campaign[campaign]:
            raise CampaignHasTooMany
        if len(self) >= self._most:
            self._make_room(own)
        stream = asyncio.Event()
        self._by_person[person].append(stream)
        for counted, key in ((self._by_address, address), (self._by_campaign, campaign)):
            counted[key] += 1
        try:
            yield stream
        finally:
            self._forget(person, stream)
            for counted, key in ((self._by_address, address), (self._by_campaign, campaign)):
                counted.subtract((key,))
                if not counted[key]:
                    del counted[key]

    def _make_room(self, own: int) -> None:
        person = max(self._by_person, key=lambda device: len(self._by_person[device]))
        if len(self._by_person[person]) <= own + 1:
            raise TooManyStreams
        oldest = self._by_person[person][0]
        self._forget(person, oldest)
        oldest.set()

    def _forget(self, person: str, stream: asyncio.Event) -> None:
        if stream in self._by_person.get(person, ()):
            self._by_person[person].remove(stream)
            if not self._by_person[person]:
                del self._by_person[person]
