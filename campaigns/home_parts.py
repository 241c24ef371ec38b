"""What apps above put on Home: each says with `offer` how it makes its part for the campaigns that are shown."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.access import Viewer


@dataclass(frozen=True, slots=True)
class HomePart:
    """A part of Home: a template, and what it gets."""

    template: str
    context: Any


Source = Callable[[Sequence[Viewer]], HomePart | None]
_SOURCES: list[Source] = []


def offer(source: Source) -> Source:
    """Says who makes a part of Home: a function from viewers, one for each campaign, to it; None where it is empty."""
    _SOURCES.append(source)
    return source


def home_parts(viewers: Sequence[Viewer]) -> list[HomePart]:
    """All parts, in the order in which they were offered."""
    return [part for part in (source(viewers) for source in _SOURCES) if part is not None] if viewers else []
