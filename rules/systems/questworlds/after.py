"""What stays of a contest of any kind, as it is stored: what was learned, and what lasts on a sheet."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Learned:
    """What may be worth a point of experience, with the verdict (QW-80)."""

    who: str
    kind: str
    trait: str
    contest: str
    counts: bool
    why: str
    session: str = ""  # the session that it counts to; "" in what was written before this was told
    flaw: bool | None = None  # whether it is about a flaw of the sheet; None in what was written before this was told


@dataclass(frozen=True)
class Gave:
    """Something lasting goes onto a sheet."""

    who: str
    kind: str
    name: str
    rank: int
