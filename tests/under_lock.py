"""What is done under a campaign's lock, beside asking the database: measured, and what has no business there kept out.

    with watched() as held: …

puts itself around `trail.entry`, from before the lock until after the commit; the site itself knows nothing of it.
"""
from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection

from campaigns import pictures, prose, trail
from rules.engine import Procedure
from rules.moves import MoveKind

BUDGET = 0.050  # seconds of this thread's CPU that are not the database's, where nothing else is done
YARDSTICK = 0.005  # seconds that `_measured` takes on such a machine


@dataclass(frozen=True)
class Held:
    """One entry: its kind, and the seconds of CPU between lock and commit that were no query's."""

    kind: str
    seconds: float


class MadeUnderLock(AssertionError):
    """Something was made while everybody else waited for it."""


@contextmanager
def watched() -> Iterator[list[Held]]:
    """The entries that are written meanwhile. Pictures, Markdown and odds raise `MadeUnderLock` within them."""
    entries: list[Held] = []
    real, depth = trail.entry, 0

    @contextmanager
    def entry(**said: Any) -> Iterator[trail.Draft]:
        nonlocal depth
        asking = 0.0

        def asked(execute: Callable[..., Any], *arguments: Any) -> Any:
            nonlocal asking
            began = time.thread_time()
            try:
                return execute(*arguments)
            finally:
                asking += time.thread_time() - began

        depth += 1
        began = time.thread_time()
        try:
            with connection.execute_wrapper(asked), real(**said) as draft:
                yield draft
            entries.append(Held(draft.kind, time.thread_time() - began - asking))
        finally:
            depth -= 1

    def kept_out(name: str, make: Callable[..., Any]) -> Callable[..., Any]:
        def made(*arguments: Any, **named: Any) -> Any:
            if depth:
                raise MadeUnderLock(f"{name} under the campaign’s lock")
            return make(*arguments, **named)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trail, "entry", entry)
        patch.setattr(pictures, "_answer", kept_out("A picture is drawn", pictures._answer))
        patch.setattr(prose._markdown, "parse", kept_out("Markdown is read", prose._markdown.parse))
        for kind in {*_below(MoveKind), *_below(Procedure)}:
            for name in {"odds", "forecast"} & set(vars(kind)):
                patch.setattr(kind, name, kept_out(f"{kind.__name__}.{name} is made", vars(kind)[name]))
        gc.disable()  # it comes when it likes, and counts for nobody
        try:
            yield entries
        finally:
            gc.enable()


def slowness() -> float:
    """How many times longer than usual all takes just now, at least 1: who shares a core has half of it."""
    return max(1.0, statistics.median(_measured() for _ in range(9)) / YARDSTICK)


def _measured() -> float:
    began = time.thread_time()
    known: dict[str, int] = {}
    for number in range(30_000):
        known[f"{number % 997}"] = known.get("0", 0) + len(known)
    sorted(known, key=lambda name: (len(name), name))
    return time.thread_time() - began


def _below(kind: type) -> Iterator[type]:
    for below in kind.__subclasses__():
        yield below
        yield from _below(below)
