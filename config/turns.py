"""Whose turn it is where more ask than there are threads.

Prefixes of addresses take turns: one of each wide prefix (a /48 of IPv6, a /24 of IPv4), within it one of each network,
and there first come, first served. A prefix that comes newly waits for one round, however many others ask how often;
where too many wait, the longest line loses its last. Devices that somebody logged in on before go ahead of all, within
what a device and a person may have of that, and leave every sixteenth turn to the others.
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from accounts.addresses import network_of, prefix_of
from accounts.devices import Device

T = TypeVar("T", bound=Hashable)

KNOWN_IN_A_ROW = 15
PLACES_DEVICE, PLACES_PERSON = 5, 10  # how often they go ahead
PLACES_SECONDS = 300.0  # in this time


@dataclass(frozen=True)
class Caller:
    """Who asks: an address, and the device where it is a known one."""

    address: str
    device: Device | None = None


class Line(Generic[T]):
    """Those who wait, by keys from wide to narrow; those of the same keys in the order in which they came."""

    def __init__(self) -> None:
        self._inside: dict[str, Line[T]] = {}  # in the order of their turns
        self._own: deque[T] = deque()
        self.size = 0

    def put(self, keys: Sequence[str], waiting: T) -> None:
        """At the end of its line; a new line is the last of the round."""
        self.size += 1
        if keys:
            self._inside.setdefault(keys[0], Line()).put(keys[1:], waiting)
        else:
            self._own.append(waiting)

    def take(self) -> T:
        """Whose turn it is."""
        self.size -= 1
        if not self._inside:
            return self._own.popleft()
        key = next(iter(self._inside))
        line = self._inside.pop(key)
        taken = line.take()
        if line.size:
            self._inside[key] = line
        return taken

    def cut(self) -> T:
        """The last of the longest; of lines that are as long, of the one whose turn is last."""
        self.size -= 1
        if not self._inside:
            return self._own.pop()
        key = max(reversed(self._inside), key=lambda network: self._inside[network].size)
        last = self._inside[key].cut()
        if not self._inside[key].size:
            del self._inside[key]
        return last

    def remove(self, keys: Sequence[str], waiting: T) -> None:
        """One that is there goes without a turn."""
        self.size -= 1
        if not keys:
            self._own.remove(waiting)
            return
        line = self._inside[keys[0]]
        line.remove(keys[1:], waiting)
        if not line.size:
            del self._inside[keys[0]]


class Places:
    """How often each of them went ahead lately."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._times: dict[str, deque[float]] = {}  # who went longest ago comes first

    def left(self, key: str, now: float) -> bool:
        """Whether it may go ahead now."""
        while self._times and next(iter(self._times.values()))[-1] <= now - self._seconds:
            del self._times[next(iter(self._times))]
        times = self._times.get(key, deque())
        while times and times[0] <= now - self._seconds:
            times.popleft()
        return len(times) < self._most

    def use(self, key: str, now: float) -> None:
        """It goes ahead."""
        times = self._times.pop(key, None) or deque()
        times.append(now)
        self._times[key] = times


class Turns(Generic[T]):
    """All who wait for one kind of page, `most` of them."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._known: Line[T] = Line()
        self._others: Line[T] = Line()
        self._keys: dict[T, tuple[Line[T], tuple[str, ...]]] = {}
        self._in_a_row = 0
        self._by_device = Places(PLACES_DEVICE, PLACES_SECONDS)
        self._by_person = Places(PLACES_PERSON, PLACES_SECONDS)

    def __len__(self) -> int:
        return len(self._keys)

    def put(self, caller: Caller, waiting: T) -> T | None:
        """One more waits; answers who has to go for it, perhaps itself."""
        line, keys = self._place_of(caller)
        line.put(keys, waiting)
        self._keys[waiting] = line, keys
        if len(self._keys) <= self._most:
            return None
        last = max(self._others, self._known, key=lambda other: other.size).cut()
        del self._keys[last]
        return last

    def take(self) -> T:
        """Whose turn it is; there has to be one."""
        ahead = self._known.size and (self._in_a_row < KNOWN_IN_A_ROW or not self._others.size)
        self._in_a_row = self._in_a_row + 1 if ahead else 0
        taken = (self._known if ahead else self._others).take()
        del self._keys[taken]
        return taken

    def leave(self, waiting: T) -> None:
        """One waits no longer, if it did."""
        if waiting in self._keys:
            line, keys = self._keys.pop(waiting)
            line.remove(keys, waiting)

    def _place_of(self, caller: Caller) -> tuple[Line[T], tuple[str, ...]]:
        device, now = caller.device, self._clock()
        if device and self._by_device.left(device.nonce, now) and self._by_person.left(device.person, now):
            self._by_device.use(device.nonce, now)
            self._by_person.use(device.person, now)
            return self._known, (device.person,)
        return self._others, (prefix_of(caller.address), network_of(caller.address))
