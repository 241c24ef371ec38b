"""What a player says counts, and the GM strikes: before the dice, and after them while nothing stands on them (QW-21).
"""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine import Event, Sheets
from rules.procedure import Options
from rules.strike import strike_act
from rules.systems.questworlds.reckoning import Kept, Modifier, counts_with, kept, told
from rules.systems.questworlds.simple_contest.modifiers import TookBack
from rules.systems.questworlds.simple_contest.resolution import by_how_much, rolls_of, settle, why
from rules.systems.questworlds.simple_contest.state import Phase, Result, State

LAID = (Phase.MODIFY, Phase.ROLL, Phase.POINT, Phase.AFTER)


@dataclass(frozen=True)
class ReadAgain(Event[State]):
    """The GM struck what somebody said when dice lay there: the line by its place, and what those who have rolled have
    rolled with, without it. What the dice came to first is told anew."""

    place: int
    who: tuple[str, ...]
    terms: tuple[Kept, ...]

    def after(self, state: State) -> State:
        state = TookBack(self.place).after(state)
        for who, known in zip(self.who, self.terms, strict=True):
            state = state.with_(who, terms=known)
        return replace(state, outcomes=(), side="", learned=state.learned if not state.outcomes else state.taught)


def said(state: State) -> Options:
    """What players say counts, as long as nothing stands on the dice."""
    if state.phase not in LAID or state.decided or state.goals or state.gave or state.boost or state.own_roll:
        return ()
    return tuple((str(place), _words(state, line)) for place, line in enumerate(state.modifiers)
                 if line.said_by and counts_with(line, state.used(line.who)))


def _words(state: State, line: Modifier) -> str:
    return f"{state.name_of(line.said_by)} says: {line.label}, {told(line, state.settings.symbol)}."


def _lie(state: State) -> bool:
    return any(entrant.rolled_die for entrant in state.entrants)


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """It no longer counts; the same faces are read without it (QW-21)."""
    place = int(which)
    if not _lie(state):
        return Result((TookBack(place),))
    rolled = [entrant.id for entrant in state.entrants if entrant.rolled_die]
    bare = TookBack(place).after(state)
    for who in rolled:
        bare = bare.with_(who, terms=None)
    again = ReadAgain(place, tuple(rolled), tuple(kept(bare.terms(who)) for who in rolled))
    then = again.after(state)
    if ending := settle(then, sheets):
        return replace(ending, events=(again, *ending.events))
    who = state.modifiers[place].who
    return Result((again,), why(then, who), rolls=rolls_of(then, who))


def came(state: State) -> str:
    """What the dice come to, in a few words: `defeat by rank 2`."""
    if state.side:
        return state.side
    read = [f"{state.name_of(outcome.who)}: {outcome.outcome}{by_how_much(outcome)}" for outcome in state.outcomes]
    if not read:
        lying = [(entrant, state.rolled(entrant.id)) for entrant in state.entrants]
        read = [f"{entrant.name}: {clash.outcome} so far" for entrant, clash in lying if clash]
    return "; ".join(read)


DISMISS = strike_act("QW-21", lambda state, sheets: said(state), strike, _lie, came, takes_back=True)
EVENTS = (ReadAgain,)
