"""How often what is random is tried: a little in every run, much more with `LONG=1`, as `make torture` has it."""
from __future__ import annotations

import os
from collections.abc import Iterable

LONG = os.environ.get("LONG", "") == "1"


def tries(usual: int, long: int) -> int:
    """`usual` in every run, `long` in a long one."""
    return long if LONG else usual


def some(values: Iterable[str], *usual: str) -> list[str]:
    """These in every run, all of them in a long one: games, say, so that each is in some test of every run."""
    every = list(values)
    assert set(usual) <= set(every), usual
    return every if LONG else list(usual)
