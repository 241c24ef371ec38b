"""How often what is random is tried: a little in every run, much more with `LONG=1`, as `make torture` has it.

`PARTS=103-200` plays these parts alone of a long test that is divided, or what is left of it: `PARTS=103-`.
"""
from __future__ import annotations

import os
from collections.abc import Iterable

LONG = os.environ.get("LONG", "") == "1"


def tries(usual: int, long: int) -> int:
    """`usual` in every run, `long` in a long one."""
    return long if LONG else usual


def parts(long: int) -> list[int]:
    """The parts of a long test that are played, counted from 1, each with dice of its own; else the first alone."""
    first, _, last = os.environ.get("PARTS", "").partition("-")
    return list(range(int(first or 1), min(int(last or long), long) + 1)) if LONG else [1]


def some(values: Iterable[str], *usual: str) -> list[str]:
    """These in every run, all of them in a long one: games, say, so that each is in some test of every run."""
    every = list(values)
    assert set(usual) <= set(every), usual
    return every if LONG else list(usual)
