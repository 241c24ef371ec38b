"""Why a number is what it is: the parts of what would be rolled, each with where it comes from."""
from __future__ import annotations

from dataclasses import dataclass

ON_THE_SHEET, HOUSE_RULE, LEFT_OUT = "on the sheet", "a house rule of this campaign", "not counted"


@dataclass(frozen=True)
class Part:
    """One thing that counts in what is rolled, or could: what it comes to (`−6`, `+1 die`), what it is called, and
    where it comes from: whose word, which line or rule.

    `line` is the line of a sheet that it is, or the choice of the form that ticks it; with `lasts` it came in play,
    and when it did is told.
    """

    counts: str
    label: str
    origin: str = ""
    line: str = ""
    lasts: bool = False


# While nobody is chosen whom an act is against.
THEIR_SIDE = Part("", "Their side", "comes with your choice of a target")


@dataclass(frozen=True)
class Why:
    """What is rolled, as a button says it: `7`, `3d6 +4`; its parts, the rating first; and what could be counted and
    is not (`idle`), each with the reason."""

    number: str
    parts: tuple[Part, ...]
    idle: tuple[Part, ...] = ()
