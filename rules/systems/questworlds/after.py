"""What stays of a contest of any kind: what was learned and lasts, as it is stored; what was used up in it."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from rules.moves import Step
from rules.procedure import CampaignContext
from rules.sheet import Effect, Lose, Sheet, Trait
from rules.systems.questworlds.traits import SUPPORT, supports

GIVEN = "community"  # the kind of what counts because a community gave it


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
    def kind(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def source(self) -> str: ...


@runtime_checkable
class HoldsCounted(Protocol):
    """A contest of any kind, as far as it holds what counts in it."""

    @property
    def laid(self) -> Sequence[Counted]:
        """Everything that counts in it, for anybody."""


def free_supports(sheet: Sheet, context: CampaignContext, laid: Sequence[Counted] = ()) -> tuple[Trait, ...]:
    """What a community gave this one and no contest has taken yet: neither the one in which these lines are `laid`, nor
    another that is not over. It belongs to one contest, and is free again where that lets go of it (QW-93)."""
    given = supports(sheet)
    if not given:
        return ()
    taken = {*_elsewhere(context), *(line.source for line in laid)}
    return tuple(line for line in given if line.id not in taken)


def taken_by_another(laid: Sequence[Counted], context: CampaignContext) -> str:
    """That something of what a community gave, as it is `laid` in a contest, counts in another one too, in a sentence;
    "" where nothing does (QW-93)."""
    given = [line for line in laid if line.kind == GIVEN and line.source]
    elsewhere = _elsewhere(context) if given else {}
    return next((f"{line.label} counts in “{elsewhere[line.source]}” by now, and belongs to one contest. Remove it "
                 "there first." for line in given if line.source in elsewhere), "")


def _elsewhere(context: CampaignContext) -> Mapping[str, str]:
    """The lines of sheets that count in a contest beside this one that is not over, each with that one's title."""
    return {line.source: past.title for past in context.past
            if not past.over and isinstance(past.state, HoldsCounted) for line in past.state.laid}


def used_up(lines: Sequence[Counted], sheets: Mapping[str, Sheet]) -> tuple[list[Effect], list[Step]]:
    """What a community gave for this contest leaves the sheets, whatever came of it (QW-93)."""
    gone = [trait for line in lines if line.who in sheets and (trait := sheets[line.who].trait(line.source))
            and trait.kind == SUPPORT]
    return [Lose(trait.id) for trait in gone], [Step("QW-93", f"{trait.name} is used up.") for trait in gone]
