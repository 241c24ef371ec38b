"""What a player says counts in a long contest, and the GM strikes: before the dice, and after those of a round, or of
something done beside it, while nothing stands on them (QW-21, QW-23, QW-45, QW-48)."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from rules.engine import Event, Sheets, after
from rules.moves import Step
from rules.procedure import Options
from rules.strike import strike_act
from rules.systems.questworlds.long.counting import counts
from rules.systems.questworlds.long.dice import fall, laid
from rules.systems.questworlds.long.opening import as_they_stand
from rules.systems.questworlds.long.state import Phase, Result, State
from rules.systems.questworlds.long.values import AGAINST_A_NUMBER, Line, Thrown


@dataclass(frozen=True)
class Struck(Event[State]):
    """The GM struck what somebody said: a line of theirs, by its source. Where `again`, all is as it was before the
    last dice, without it: what they come to follows."""

    who: str
    source: str
    again: bool = False

    def after(self, state: State) -> State:
        if self.again and state.unread:
            state = replace(state.unread[0], context=state.context)
        gone = [line for line in state.lines if line.said_by and (line.who, line.source) == (self.who, self.source)]
        state = replace(state, lines=tuple(line for line in state.lines if line not in gone))
        return reduce(lambda now, line: now.unsaid(line), gone, state)


@dataclass(frozen=True)
class Stands(Event[State]):
    """What was said of the last dice stands: somebody has done something since."""

    def after(self, state: State) -> State:
        return replace(state, unread=None)


def said(state: State) -> Options:
    """What players say counts: lines that are struck from now on, or of the dice that lie."""
    if state.phase not in (Phase.ROUNDS, Phase.AFTER):
        return ()
    lines = dict.fromkeys((*state.lines, *_counted(state)))
    return tuple((f"{line.who} {line.source}", f"{state.name_of(line.said_by)} says: {line.label}, "
                                               f"{counts(line, state)}.") for line in lines if line.said_by)


def _counted(state: State) -> Iterator[Line]:
    """What somebody said of the dice that lie."""
    if state.unread:
        before, dice = state.unread
        yield from (line for line in before.lines if line.said_by and line.who in (dice.first, dice.second))


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """It no longer counts; the same faces are read without it."""
    who, _, source = which.partition(" ")
    again = any((line.who, line.source) == (who, source) for line in _counted(state))
    struck = Struck(who, source, again)
    if not (again and state.unread):
        return Result((struck,))
    before, dice = as_they_stand(struck.after(state), sheets), state.unread[1]
    read = fall(before, sheets, _without(before, dice))
    compared = Step("QW-21", f"Before: {_came(state, dice)}. Now: {_came(after(before, read.events), dice)}.")
    return replace(read, events=(struck, *read.events), steps=(compared, *read.steps), dice=())


def _without(before: State, dice: Thrown) -> Any:
    """The same dice, with what each side rolls with now."""
    number = dice.resistance if dice.kind in AGAINST_A_NUMBER else None
    return laid(
        before, dice.kind, dice.first, dice.choice, dice.dice, name=dice.first_name, second=dice.second,
        second_name=dice.second_name, other=dice.other, resistance=number, bout=dice.bout,
        deciders=(dice.deciders[0], dice.deciders[1]), whom=dice.whom, step=dice.step)


def _came(state: State, dice: Thrown) -> str:
    """What these dice come to, in a few words."""
    for throw in state.throws:
        if (throw.thrown.first, throw.thrown.dice) == (dice.first, dice.dice):
            return f"{dice.first_name}: {state.clash(throw).outcome} so far"
    told = next(told for _, told in reversed(state.record) if (told.first, told.dice) == (dice.first, dice.dice))
    return f"{dice.first_name}: {told.outcome}{f' by rank {told.rank}' if told.rank else ''}"


DISMISS = strike_act("QW-21", lambda state, sheets: said(state), strike, lambda state: state.unread is not None,
                     takes_back=True)
EVENTS = (Struck, Stands)
