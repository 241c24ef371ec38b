"""What stays of a contest of any kind: what was learned and lasts, as it is stored; what was used up in it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast, runtime_checkable

from rules.engine import Event
from rules.moves import Step
from rules.sheet import Effect, Lose, Sheet
from rules.systems.questworlds.traits import SUPPORT


@runtime_checkable
class Remembers(Protocol):
    """The state of a contest of any kind, as far as it holds what stays of it."""

    @property
    def learned(self) -> tuple[Learned, ...]: ...
    @property
    def gave(self) -> tuple[Gave, ...]: ...


@dataclass(frozen=True)
class Learned(Event[Remembers]):
    """What may be worth a point of experience, with the verdict (QW-80)."""

    who: str
    kind: str
    trait: str
    contest: str
    counts: bool
    why: str
    session: str = ""  # the session that it counts to; "" in what was written before this was told
    flaw: bool | None = None  # whether it is about a flaw of the sheet; None in what was written before this was told

    def after(self, state: Remembers) -> Remembers:
        return cast(Remembers, replace(cast(Any, state), learned=(*state.learned, self)))


@dataclass(frozen=True)
class Gave(Event[Remembers]):
    """Something lasting goes onto a sheet."""

    who: str
    kind: str
    name: str
    rank: int

    def after(self, state: Remembers) -> Remembers:
        return cast(Remembers, replace(cast(Any, state), gave=(*state.gave, self)))


class Counted(Protocol):
    """What counted in a contest of any kind, whose, and which line of a sheet it is from."""

    @property
    def who(self) -> str: ...
    @property
    def source(self) -> str: ...


def used_up(lines: Sequence[Counted], sheets: Mapping[str, Sheet]) -> tuple[list[Effect], list[Step]]:
    """What a community gave for this contest leaves the sheets, whatever came of it (QW-93)."""
    gone = [trait for each in lines if each.who in sheets and (trait := sheets[each.who].trait(each.source))
            and trait.kind == SUPPORT]
    return [Lose(each.id) for each in gone], [Step("QW-93", f"{each.name} is used up.") for each in gone]
