"""Where people are, in yards: moving on one's turn and as a reaction, and the GM's word (PQ-20)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Whole
from rules.moves import Step
from rules.procedure import Offer
from rules.systems.pdq.chart import rank_of
from rules.systems.pdq.conflict.fields import about, qualities, several
from rules.systems.pdq.conflict.state import Deed, Phase, Result, State
from rules.systems.pdq.ranges import FARTHEST, half_movement
from rules.values import BadMove

Faces = Sequence[int]

YARD = Whole(name="to", label="To yard", least=-FARTHEST, most=FARTHEST)
MOVING = "Once a round {when}: 1 yard and the sum of the modifiers, half of what a round has."


@dataclass(frozen=True)
class Moved(Deed):
    """Somebody moved on their turn, or as a reaction (PQ-20)."""

    who: str
    to: int
    reaction: bool

    def done(self, state: State) -> State:
        used = {"dodged": True} if self.reaction else {"moved": True}
        return state.with_(self.who, position=self.to, **used)


@dataclass(frozen=True)
class Placed(Event[State]):
    """The GM put somebody elsewhere (PQ-20)."""

    who: str
    to: int

    def after(self, state: State) -> State:
        return state.with_(self.who, position=self.to)


def offer_move(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those whose turn it is, and to the targets of an attack."""
    reaction = state.phase is Phase.DEFEND
    moving = state.waited_for if state.settings.ranges and state.phase in (Phase.TURN, Phase.DEFEND) else ()
    for who in map(state.contestant, moving):
        if not (who.dodged if reaction else who.moved):
            yield Offer("move", who.id, "Move",
                        MOVING.format(when="as a reaction" if reaction else "on your turn"),
                        (YARD, several("qualities", "Qualities that help")), {"qualities": qualities(sheets[who.id])})


def move(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Moves on the turn or as a reaction, half the yards of a round each (PQ-20)."""
    who, sheet = state.contestant(by), sheets[by]
    traits = [trait for trait in map(sheet.trait, values["qualities"]) if trait]
    yards, most = abs(values["to"] - who.position), half_movement(map(rank_of, traits))
    if yards > most:
        raise BadMove(f"{who.name} can move {most} yards now; this would take {yards}.", "to")
    text = f"{who.name} moves {yards} of {most} yards, to {values['to']}."
    reaction = by not in state.acting
    return Result((Moved(by, values["to"], reaction),), (Step("PQ-20", text),), {"yards": yards, "of": most})


def offer_place(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, of everybody."""
    if state.settings.ranges and state.contestants:
        yield about("place", "Move a character", state.contestants, YARD)


def place(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Somebody is elsewhere (PQ-20)."""
    text = f"{state.contestant(values['who']).name} is now at yard {values['to']}."
    return Result((Placed(values["who"], values["to"]),), (Step("PQ-20", text),))


MOVE, PLACE = Act("move", offer_move, move), Act("place", offer_place, place)
EVENTS = (Moved, Placed)
