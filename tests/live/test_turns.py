"""Whose turn it is, on a clock of its own: no thread, no network, no waiting."""
from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

import pytest

from accounts.addresses import prefix_of
from accounts.devices import Device
from config import limits
from config.turns import PLACES_DEVICE, PLACES_PERSON, PLACES_SECONDS, Caller, Turns

HASH = 0.24  # seconds that a log-in takes one of the two cores of a small machine


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(eq=False)
class Try:
    """One log-in, and who makes it."""

    caller: Caller
    came: float
    guesser: bool = False
    done: float | None = None

    @property
    def took(self) -> float:
        return float("inf") if self.done is None else self.done - self.came


@dataclass
class Server:
    """The lane of passwords, with time that only it makes pass. A guesser who got an answer guesses again at once."""

    next_guess: Callable[[], Caller]
    clock: Clock = field(default_factory=Clock)
    refused: list[Try] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turns: Turns[Try] = Turns(limits.PASSWORD.waiting, self.clock)
        self._free = limits.PASSWORD.threads
        self._busy: list[tuple[float, int, Try]] = []
        self._count = itertools.count()

    def ask(self, caller: Caller, *, guesser: bool = False) -> Try:
        asked = Try(caller, self.clock.now, guesser)
        if last := self.turns.put(caller, asked):
            self.refused.append(last)
        self._give()
        return asked

    def guess(self) -> None:
        self.ask(self.next_guess(), guesser=True)

    def run(self, seconds: float) -> None:
        until = self.clock.now + seconds
        while self._busy and self._busy[0][0] <= until:
            self.clock.now, _, done = heapq.heappop(self._busy)
            done.done = self.clock.now
            self._free += 1
            self._give()
            if done.guesser:
                self.guess()
        self.clock.now = until

    def _give(self) -> None:
        while self._free and len(self.turns):
            self._free -= 1
            heapq.heappush(self._busy, (self.clock.now + HASH, next(self._count), self.turns.take()))


@cache
def networks(number: int) -> list[str]:
    """Addresses of which no two are in the same /24 or /48, both kinds."""
    fours = [f"100.{64 + number // 250}.{number % 250}.7" for number in range(number // 2)]
    sixes = [f"2001:db8:{number + 1:x}::7" for number in range(number - len(fours))]
    assert len({prefix_of(four) for four in (*fours, *sixes)}) == number
    return fours + sixes


def attacked(caller: Callable[[str], Caller] = Caller) -> Server:
    """A server on which 200 clients guess from 10,000 prefixes, for half a minute already."""
    chance, prefixes = random.Random(7), networks(10_000)
    server = Server(lambda: caller(chance.choice(prefixes)))
    for _ in range(200):
        server.guess()
    server.run(30)
    return server


def log_ins(server: Server, callers: Iterator[Caller], apart: float) -> list[float]:
    """How long 20 right log-ins took, so far apart."""
    tries = []
    for caller in itertools.islice(callers, 20):
        tries.append(server.ask(caller))
        server.run(apart)
    server.run(120)
    assert not server.refused
    return [attempt.took for attempt in tries]


def known() -> Iterator[Caller]:
    """People at their own devices, at addresses that are new."""
    return (Caller(f"198.18.{number}.7", Device(f"person {number}", f"cookie {number}"))
            for number in itertools.count())


def new() -> Iterator[Caller]:
    return (Caller(f"198.18.{number}.7") for number in itertools.count())


@pytest.mark.parametrize("apart", [0, 0.1, 1])
def test_with_200_who_guess_known_devices_log_in_within_three_seconds(apart: float) -> None:
    assert max(log_ins(attacked(), known(), apart)) < 3


@pytest.mark.parametrize("apart", [0, 0.1, 1])
def test_with_200_who_guess_new_devices_log_in_within_thirty_seconds(apart: float) -> None:
    assert max(log_ins(attacked(), new(), apart)) < 30


def test_no_first_try_is_refused_unseen_because_others_guess() -> None:
    server = attacked()
    tries = [server.ask(Caller("198.51.100.1")) for _ in range(3)]
    server.run(300)
    assert not server.refused
    assert tries[0].took < 30
    assert [attempt.done is None for attempt in tries] == [False] * 3


def test_one_network_or_one_prefix_is_one_of_the_round() -> None:
    turns: Turns[str] = Turns(1000)
    for number in range(50):
        turns.put(Caller("192.0.2.1"), f"one address {number}")
        turns.put(Caller(f"203.0.113.{number}"), f"one /24 {number}")
        turns.put(Caller(f"2001:db8:1:{number:x}::1"), f"one /48 {number}")
    turns.put(Caller("198.51.100.1"), "somebody")
    assert [turns.take() for _ in range(5)] == ["one address 0", "one /24 0", "one /48 0", "somebody", "one address 1"]
    turns.put(Caller("203.0.113.1"), "one /24 1 again")
    turns.put(Caller("203.0.113.200"), "a neighbour")
    rest = [turns.take() for _ in range(len(turns))]
    assert rest.index("one /24 49") < rest.index("a neighbour")
    assert rest.index("a neighbour") < rest.index("one /24 1 again")


def test_where_too_many_wait_the_longest_line_loses_its_last() -> None:
    turns: Turns[str] = Turns(6)
    for number in ("a1", "a2", "a3"):
        turns.put(Caller("192.0.2.1"), number)
    turns.put(Caller("192.0.2.2"), "b1")
    turns.put(Caller("198.51.100.1"), "c1")
    turns.put(Caller("198.51.100.1"), "c2")
    assert turns.put(Caller("203.0.113.1"), "d1") == "a3"
    assert turns.put(Caller("192.0.2.3"), "e1") == "a2"
    assert turns.put(Caller("203.0.113.1"), "d2") == "e1"  # the /24 of a, b and e is still the longest
    assert [turns.take() for _ in range(6)] == ["a1", "c1", "d1", "b1", "c2", "d2"]


def test_where_all_have_one_the_newest_goes() -> None:
    turns: Turns[str] = Turns(2)
    turns.put(Caller("192.0.2.1"), "first")
    turns.put(Caller("198.51.100.1"), "second")
    assert turns.put(Caller("203.0.113.1"), "third") == "third"


def test_who_leaves_takes_no_turn() -> None:
    turns: Turns[str] = Turns(9)
    for number, name in enumerate(("first", "second", "third")):
        turns.put(Caller(f"192.0.2.{number}"), name)
    turns.leave("second")
    turns.leave("nobody")
    assert (len(turns), turns.take(), turns.take(), len(turns)) == (2, "first", "third", 0)


def test_the_others_have_every_sixteenth_turn() -> None:
    turns: Turns[str] = Turns(100)
    for number in range(40):
        turns.put(Caller("192.0.2.1", Device(f"person {number}", f"cookie {number}")), f"known {number}")
        turns.put(Caller(f"198.51.{number}.1"), f"new {number}")
    assert [turns.take()[:3] for _ in range(32)] == [*["kno"] * 15, "new", *["kno"] * 15, "new"]


@pytest.mark.parametrize(("cookies", "ahead"), [(1, PLACES_DEVICE), (100, PLACES_PERSON)])
def test_a_cookie_that_was_stolen_or_made_helps_no_flood(cookies: int, ahead: int) -> None:
    clock = Clock()
    turns: Turns[str] = Turns(1000, clock)

    def flood() -> int:
        turns.put(Caller("198.51.100.1"), "somebody")
        turns.put(Caller("192.0.2.1"), "someone else")
        for number in range(200):
            device = Device("Mallory", f"cookie {number % cookies}")
            turns.put(Caller(f"2001:db8:{number + 1:x}::1", device), f"guess {number}")
        order = [turns.take() for _ in range(len(turns))]
        return order.index("someone else") - 1

    assert flood() == ahead
    assert flood() == 0
    clock.now += PLACES_SECONDS
    assert flood() == ahead


def test_with_a_cookie_in_the_hands_of_all_who_guess_both_promises_hold() -> None:
    server = attacked(lambda address: Caller(address, Device("Mallory", "stolen")))
    assert max(log_ins(server, known(), 0)) < 3
    assert max(log_ins(server, new(), 0)) < 30


def test_all_queues_together_leave_room_at_the_door() -> None:
    kinds = [*limits.KINDS, limits.STREAM]
    assert sum(kind.threads + kind.waiting for kind in kinds) < limits.MOST_VISITS
