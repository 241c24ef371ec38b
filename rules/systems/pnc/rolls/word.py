"""What the GM takes off a roll: any factor before its dice, and what a player said after them, while nothing stands on
them (PN-05)."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.engine import Event, Sheets, after
from rules.procedure import Options
from rules.strike import strike_act
from rules.systems.pnc.factors import in_words, without
from rules.systems.pnc.reckoning import strikable
from rules.systems.pnc.rolls.state import Result, Roller, State
from rules.systems.pnc.rolls.throws import read
from rules.systems.pnc.rolls.weighing import dropped


@dataclass(frozen=True)
class ReadAgain(Event[State]):
    """The GM struck what a player said when the dice lay there: the same faces without it."""

    who: str
    place: int

    def after(self, state: State) -> State:
        weights = state.roller(self.who).weights
        return replace(state.with_(self.who, weights=without(weights, self.place)), over=False)


def said(state: State) -> Options:
    """What may be taken off now."""
    return tuple((f"{roller.id} {place}", _words(state, roller, place))
                 for roller in state.rollers for place in _places(state, roller))


def _places(state: State, roller: Roller) -> Iterator[int]:
    """Before the dice all; after them what was said, until somebody has let a roll stand or rolled again."""
    if roller.dice is None:
        yield from range(0 if state.over else len(roller.weights))
    elif not any(other.stands or other.times > 1 for other in state.rollers):
        yield from strikable(roller.terms, len(roller.dice.faces))


def _words(state: State, roller: Roller, place: int) -> str:
    words = in_words(roller.weights[place], state.names)
    several = not state.alone and roller.weights[place].by != roller.id
    return f"{roller.name}: {words}" if several else words


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """It no longer counts; the same faces are read without it."""
    who, _, place = which.rpartition(" ")
    if state.roller(who).dice is None:
        return dropped(state, who, int(place))
    again = ReadAgain(who, int(place))
    roller = after(state, [again]).roller(who)
    steps = roller.thrown.steps() if roller.thrown else ()
    return read(state, sheets, Result((again,), steps), by=who)


def came(state: State) -> str:
    """What the dice come to, in a few words."""
    return "; ".join(f"{roller.name}: {roller.both_readings}" for roller in state.rollers if roller.dice)


DISMISS = strike_act("PN-05", lambda state, sheets: said(state), strike, lambda state: state.begun, came,
                     title="Remove a factor")
EVENTS = (ReadAgain,)
