"""How much is tried: a part in the gate, all of it and what is random far more often with `LONG=1`, as `make torture`
has it.

What all games, or all procedures, are asked alike is asked of some in the gate; which follows from the test's name, so
that each is asked something (`asked`, by the ids of a test's parameters). In `tests/gate.py`, `every` has a test ask
all, and `seldom` leaves it to the long run as a whole. `ALL=1` tries all that, and what is random as in the gate.

`PARTS=103-200` plays these parts alone of a long test that is divided, or what is left of it: `PARTS=103-`.
"""
from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable
from zlib import crc32

from rules.registry import SYSTEMS

LONG = os.environ.get("LONG", "") == "1"
ALL = LONG or os.environ.get("ALL", "") == "1"
GAMES = tuple(SYSTEMS)
IN_BROWSER = "chromium-"
# As a test's id has it: a game, perhaps with a procedure, and what else it is.
OF_A_GAME = re.compile(rf"(?:{IN_BROWSER})?(?:{'|'.join(GAMES)})(?:\.\w+)?(?P<else>-.*)?", re.DOTALL)
OF_A_RULE = re.compile(r"test_(?:qw|ps|pq|pn|dw)_")
ONE, TWO = 1, 2  # so many games in browsers, which take longest; so many elsewhere
FOUR, SHARE = 4, 3  # so many procedures, or one of so many where that is more


def tries(usual: int, long: int) -> int:
    """`usual` in every run, `long` in a long one."""
    return long if LONG else usual


def parts(long: int) -> list[int]:
    """The parts of a long test that are played, counted from 1, each with dice of its own; else the first alone."""
    first, _, last = os.environ.get("PARTS", "").partition("-")
    return list(range(int(first or 1), min(int(last or long), long) + 1)) if LONG else [1]


def some(values: Iterable[str], *usual: str) -> list[str]:
    """These in the gate, all of them where all is tried: games, say, so that each is in some test of every run."""
    every = list(values)
    assert set(usual) <= set(every), usual
    return every if ALL else list(usual)


def asked(test: str, ids: Iterable[str]) -> set[str]:
    """Those of a test's parameters, by their ids, that the gate asks: all, but where each begins with a game or a
    procedure; of those some, with each of what else they are.

    What tests a rule, by its name, asks all: each of its cases is that rule.
    """
    every = set(ids)
    read = {name: OF_A_GAME.fullmatch(name) for name in every}
    if ALL or OF_A_RULE.match(test) or not all(read.values()):
        return every
    alike = defaultdict(list)
    for name, of_a_game in read.items():
        alike[of_a_game["else"]].append(name)  # type: ignore[index]
    return {name for of_one in alike.values() for name in _chosen(test, of_one)}


def _chosen(test: str, alike: list[str]) -> list[str]:
    procedures = any("." in one.removeprefix(IN_BROWSER).partition("-")[0] for one in alike)
    games = ONE if alike[0].startswith(IN_BROWSER) else TWO
    many = max(FOUR, -(-len(alike) // SHARE)) if procedures else games
    return sorted(alike, key=lambda one: crc32(f"{test} {one}".encode()))[:many]
