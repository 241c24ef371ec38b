"""Who has died by the word of their sheet is out of the duel, and back in it with that word (PS-23, PS-32)."""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine import Event, Sheets
from rules.moves import Step
from rules.systems.pdq_sharp.duel.state import DEAD, FALLEN, Result, State
from rules.systems.pdq_sharp.reading import how_fallen


@dataclass(frozen=True)
class Died(Event[State]):
    """Somebody's sheet says that they are dead: nothing waits for them, nor is read from their dice any more."""

    who: str

    def after(self, state: State) -> State:
        if any(side.who == self.who for side in state.lull):
            state = replace(state, lull=(), stood=())
        if self.who in state.coup:
            state = replace(state, coup=("", ""), sworn=False)
        state = _without_terms((_without_dice(state, self.who) if state.throws else state).gone(self.who, DEAD))
        return replace(state, unread=None)


def _without_dice(state: State, who: str) -> State:
    """The state in which nobody crosses blades with them any more; whoever faced nobody else is done with this turn."""
    state = replace(state, pairs=tuple(pair for pair in state.pairs if who not in pair))
    done = (throw.who for throw in state.live if not state.foes_of(throw.who))
    return replace(state, clashed=(*state.clashed, *done))


def _without_terms(state: State) -> State:
    """The state in which nobody offers terms who is out, or whom no foe is left to answer."""
    offering = next((fencer for fencer in state.standing if fencer.id == state.terms[0]), None)
    heard = offering and any(foe.side != offering.side for foe in state.standing)
    return state if heard else replace(state, terms=("", ""))


@dataclass(frozen=True)
class Revived(Event[State]):
    """Somebody's sheet no longer says that they are dead; `out` is how they are out all the same, "" for who is in."""

    who: str
    out: str = ""

    def after(self, state: State) -> State:
        return state.with_(self.who, out=self.out, held=False, backing="")


def of_death(state: State, sheets: Sheets, who: str) -> Result | None:
    """A fencer dies by the GM's word on the sheet, or lives again."""
    fencer = next((fencer for fencer in state.fencers if fencer.id == who), None)
    if fencer is None or (fencer.out == DEAD) == sheets[who].dead:
        return None
    if sheets[who].dead:
        return Result((Died(who),), (Step("PS-32", f"{fencer.name} is dead, and out of the duel."),))
    fell = how_fallen(sheets[who])
    text = f"{fencer.name} lives, and is {fell or 'in the duel again'}."
    return Result((Revived(who, FALLEN if fell else ""),), (Step("PS-32", text),))


EVENTS = (Died, Revived)
