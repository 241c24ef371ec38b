"""The events of a check. Names of events and their fields are stored: they never change, new fields have defaults."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult
from rules.systems.danger_world.table.state import Complication, Proposal


@dataclass(frozen=True)
class Began:
    """A check began: `who` tries, `beside` is whom it is for ("" for nobody), `own` are the rows of an own move."""

    who: str
    beside: str
    title: str
    difficulty: int
    move: str
    own: tuple[str, ...]
    keywords: tuple[str, ...]
    complications: tuple[Complication, ...]
    agree: bool
    hint: bool


@dataclass(frozen=True)
class RatedAs:
    """The GM said how hard it is, and which keywords help or hinder (DW-09)."""

    difficulty: int
    helps: tuple[str, ...]
    hinders: tuple[str, ...]


@dataclass(frozen=True)
class Complicated:
    """Threat dice were added to the roll."""

    complication: Complication


@dataclass(frozen=True)
class Proposed:
    """The player said which dice to throw."""

    proposal: Proposal


@dataclass(frozen=True)
class Agreed:
    """The GM agreed to the pool."""


@dataclass(frozen=True)
class Rolled:
    """The dice fell: how many of each kind, their faces in this order, the difficulty at that moment."""

    action: int
    danger: int
    threat: int
    faces: tuple[int, ...]
    difficulty: int


@dataclass(frozen=True)
class Rerolled:
    """A round of re-rolls: which dice, by index, and what they show now (DW-03)."""

    dice: tuple[int, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Stood:
    """The player kept all dice as they lie."""


@dataclass(frozen=True)
class Used:
    """A set was used, `height` 0 for none; `heals` says that the healer chooses a box next.

    `benefit`: the GM says next what the excess is good for. `draws`: there are kept botches that the GM may take.
    """

    height: int
    botches: int
    heals: bool
    benefit: bool = False
    draws: bool = False


@dataclass(frozen=True)
class Healed:
    """A box of this zone was opened (DW-16)."""

    zone: str


@dataclass(frozen=True)
class Benefited:
    """The GM said what the excess is good for: a further `row`, 0 for none, or words; `heals` as in `Used` (DW-05)."""

    row: int
    words: str
    heals: bool


@dataclass(frozen=True)
class Paid:
    """The GM spent botches; `sort` is the word of what they bought, `on` the challenge of a threat die (DW-06)."""

    botches: int
    sort: str
    on: str = ""
    why: str = ""


@dataclass(frozen=True)
class ThreatsRemoved:
    """The GM took threat dice off the challenge that had been left there."""

    dice: int


@dataclass(frozen=True)
class Drew:
    """The GM took botches that were kept from an earlier check."""

    botches: int


@dataclass(frozen=True)
class LetGo:
    """The GM spends no more botches here: they are kept for later, or let go."""

    kept: bool


@dataclass(frozen=True)
class Ended:
    """The check was dropped."""

    words: str


Event = Union[
    Began, RatedAs, Complicated, Proposed, Agreed, Rolled, Rerolled, Stood, Used, Healed, Benefited, Paid,
    ThreatsRemoved, Drew, LetGo, Ended,
]

Result = ActResult[Event]
