"""What is so in a challenge at one moment."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from rules.engine import Event
from rules.procedure import ActResult, CampaignContext, Options
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.challenge_roll import Side
from rules.systems.pdq_sharp.reckoning import Counted, Reason, lead, lies

CALLED_OFF = "called off"
NONE, ASK = "none", "ask"  # whether failing hurts: no, or the GM says when it has failed
HARMS: Options = (
    (NONE, "Does not hurt"), (ASK, "May hurt: the GM says when it has failed"),
    (harm.FAILURE, "Costs failure ranks, by the difference"), (harm.WOUND, "Costs wound ranks, by the difference"))
FAILING_COSTS = {ASK: "may hurt", harm.FAILURE: "costs failure ranks", harm.WOUND: "costs wound ranks"}


class Phase(Enum):
    """What the challenge is waiting for."""

    BLANK = "blank"
    FRAME = "frame"  # the difficulty, who helps, and the roll
    ELLIPSIS = "ellipsis"  # the dice have fallen and do not stand yet
    HURT = "hurt"  # the GM says whether it hurts
    DAMAGE = "damage"
    OVER = "over"


@dataclass(frozen=True)
class ContestOptions:
    """What it is about. `harm` is `none`, `ask`, `failure` or `wound`."""

    flashy: bool = False
    title: str = ""
    harm: str = NONE


@dataclass(frozen=True)
class Cast:
    """A roll: the ranks that count, all faces, +1s, the techniques that were used, and why each of it counts.

    `lines` are the fortes of a player's character, () where an older entry has not kept them; `added`: something
    was added after the dice.
    """

    fortes: tuple[str, ...]
    ranks: tuple[str, ...]
    faces: tuple[int, ...]
    flat: int = 0
    used: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    lines: tuple[Counted, ...] = ()
    added: bool = False


@dataclass(frozen=True)
class Entrant:
    """Somebody who rolls."""

    id: str
    name: str
    player: bool = False
    cast: Cast | None = None


@dataclass(frozen=True)
class Help:
    """Somebody whose fortes count with the one who rolls (PS-15).

    `lines` are those fortes, and `said_by` the character whose player says so, "" for the GM; neither is known of what
    an older entry has kept.
    """

    who: str
    name: str
    ranks: tuple[str, ...]
    lines: tuple[Counted, ...] = ()
    said_by: str = ""


@dataclass(frozen=True)
class State:
    """A challenge: one who rolls against a target number, or two against each other."""

    settings: ContestOptions = ContestOptions()
    entrants: tuple[Entrant, ...] = ()
    target: int = 0  # 0 while nobody has set it
    said: bool = False  # whether it is the player's word alone: then nobody learns from it
    helps: tuple[Help, ...] = ()
    stood: tuple[str, ...] = ()
    hurt: tuple[str, int, str] = ("", 0, "")  # who has ranks to place, how many, of which kind
    outcome: str = ""  # what came of it; "" while it is open
    context: CampaignContext = field(default_factory=CampaignContext, compare=False, repr=False)

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if not self.entrants:
            return Phase.BLANK
        if not self.outcome:
            return Phase.ELLIPSIS if all(entrant.cast for entrant in self.entrants) else Phase.FRAME
        if self.hurt[1]:
            return Phase.HURT if self.hurt[2] == ASK else Phase.DAMAGE
        return Phase.OVER

    @property
    def ready(self) -> bool:
        """Whether it is known what has to be reached."""
        return self.settings.flashy or bool(self.target)

    @property
    def teaches(self) -> bool:
        """Whether a failure earns a training point: in play, against a difficulty of the GM's (PS-14)."""
        return not self.said and self.context.open_scene != ""

    def entrant(self, who: str) -> Entrant:
        """Whoever rolls under this id; raises `KeyError`."""
        for entrant in self.entrants:
            if entrant.id == who:
                return entrant
        raise KeyError(who)

    def with_(self, who: str, **changes: Any) -> State:
        """The state with facts of one who rolls changed."""
        return replace(self, entrants=tuple(
            replace(entrant, **changes) if entrant.id == who else entrant for entrant in self.entrants))


def side(entrant: Entrant, flashy: bool) -> Side:
    """A roll as the moves of the contract take it."""
    cast = entrant.cast
    if cast is None:
        return Side(pc=entrant.player)
    return Side(cast.ranks, len(cast.faces) - 2, cast.flat, entrant.player and flashy)


def total(entrant: Entrant) -> int:
    """What somebody has rolled so far."""
    return lies(entrant.cast).total if entrant.cast else 0


def behind(state: State) -> Sequence[str]:
    """Whoever does not have it as it lies, the worse off first; both where nobody has it (PS-10, PS-16)."""
    if not state.settings.flashy:
        one = state.entrants[0]
        return (one.id,) if total(one) < state.target else ()
    first, second = state.entrants
    has = lead(total(first), total(second), (first.player, second.player))
    return {1: (second.id,), -1: (first.id,)}.get(has, (first.id, second.id))


def decider(state: State) -> str:
    """Who is asked whether it stands: whoever does not have it, the worse off first; "" when it stands (PS-17)."""
    return next((who for who in behind(state) if who not in state.stood), "")


def standing(state: State) -> str:
    """The numbers as they lie."""
    if state.settings.flashy:
        return " against ".join(str(total(entrant)) for entrant in state.entrants)
    return f"{total(state.entrants[0])} against {state.target}"


Result = ActResult[Event[State]]
