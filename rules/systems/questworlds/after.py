"""What stays of a contest of any kind: what was learned and lasts, as it is stored; what was used up in it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from rules.moves import Step
from rules.sheet import Effect, Lose, Sheet
from rules.systems.questworlds.traits import SUPPORT


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


@dataclass(frozen=True)
class Defeat:
    """What somebody lost against, with what, for whoever tries the same again (QW-25)."""

    obstacle: str
    foes: tuple[str, ...]
    abilities: tuple[str, ...]


@runtime_checkable
class RemembersDefeats(Protocol):
    """A contest that is over, as far as it says who lost it."""

    def defeat_of(self, who: str) -> Defeat | None:
        """What somebody lost against; None for who did not."""


class Counted(Protocol):
    """What counted in a contest of any kind, whose, and which line of a sheet it is from."""

    @property
    def who(self) -> str: ...
    @property
    def source(self) -> str: ...


def used_up(lines: Sequence[Counted], sheets: Mapping[str, Sheet]) -> tuple[list[Effect], list[Step]]:
    """What a community gave for this contest leaves the sheets, whatever came of it (QW-93)."""
    gone = [trait for line in lines if line.who in sheets and (trait := sheets[line.who].trait(line.source))
            and trait.kind == SUPPORT]
    return [Lose(trait.id) for trait in gone], [Step("QW-93", f"{trait.name} is used up.") for trait in gone]
