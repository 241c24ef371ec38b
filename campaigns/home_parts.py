"""What apps above put on Home: each says with `offer` how it makes its part for the campaigns that are shown."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from campaigns.access import Viewer


@dataclass(frozen=True, slots=True)
class HomePart:
    """A part of Home: a template, and what it gets; `answers` are the addresses to which what is asked would lead, and
    which the part answers itself."""

    template: str
    context: Any
    answers: frozenset[str] = frozenset()


class Place(IntEnum):
    """Where a part stands: what is wrong comes before what is asked, and that before what is one's own."""

    WRONG = 0
    ASKED = 1
    OWN = 2


Source = Callable[[Sequence[Viewer]], HomePart | None]
_SOURCES: list[tuple[Place, Source]] = []


def offer(place: Place) -> Callable[[Source], Source]:
    """Says who makes a part of Home: a function from viewers, one for each campaign, to it; None where it is empty."""

    def offered(source: Source) -> Source:
        _SOURCES.append((place, source))
        _SOURCES.sort(key=lambda placed: placed[0])
        return source

    return offered


def home_parts(viewers: Sequence[Viewer]) -> list[HomePart]:
    """All parts, from the top."""
    return [part for part in (source(viewers) for _, source in _SOURCES) if part is not None] if viewers else []
