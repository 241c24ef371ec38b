"""What a player says counts in a long contest, and the GM strikes: before the dice, and after those of a round, or of
something done beside it, while nothing stands on them (QW-21, QW-23, QW-45, QW-48).

*Ruling*: an ability that is struck counts no more for them in this contest. Of the dice that lie they have rolled with
none that fits; from then on they choose another, or contend with none (QW-06). What it came to in earlier rounds stays.
"""
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
from rules.systems.questworlds.long.dice import OF_A_ROUND, fall, laid
from rules.systems.questworlds.long.opening import as_they_stand
from rules.systems.questworlds.long.state import Phase, Result, State
from rules.systems.questworlds.long.values import AGAINST_A_NUMBER, Choice, Line, Thrown
from rules.systems.questworlds.notation import notation

USES = "uses:"  # before the id of an ability that is used


@dataclass(frozen=True)
class Struck(Event[State]):
    """The GM struck what somebody said: a line of theirs, by its source. Where `again`, all is as it was before the
    last dice, without it: what they come to follows."""

    who: str
    source: str
    again: bool = False

    def after(self, state: State) -> State:
        state = _rewound(state) if self.again else state
        gone = [line for line in state.lines if line.said_by and (line.who, line.source) == (self.who, self.source)]
        state = replace(state, lines=tuple(line for line in state.lines if line not in gone))
        return reduce(lambda now, line: now.unsaid(line), gone, state)


@dataclass(frozen=True)
class AbilityStruck(Event[State]):
    """The GM struck the ability that somebody uses, by its line. Where `again`, all is as it was before the last dice,
    without it: what they come to follows."""

    who: str
    trait: str
    again: bool = False

    def after(self, state: State) -> State:
        rolled = self.again and _has(state, self.who, self.trait)
        return (_rewound(state) if self.again else state).without_ability(self.who, self.trait, lie=rolled)


def _rewound(state: State) -> State:
    """As it was before the dice that lie."""
    return replace(state.unread[0], context=state.context) if state.unread else state


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
    used = {(who, choice.trait): choice for who, choice in (*_used(state), *_rolled_with(state))}
    return (*((f"{who} {USES}{trait}", f"{state.name_of(who)} says: {choice.name} "
                                       f"{notation(choice.score or 0, state.settings.symbol)} counts.")
              for (who, trait), choice in used.items()),
            *((f"{line.who} {line.source}", f"{state.name_of(line.said_by)} says: {line.label}, "
                                            f"{counts(line, state)}.") for line in lines if line.said_by))


def _used(state: State) -> Iterator[tuple[str, Choice]]:
    """What those who go on use in rounds to come, until they choose another."""
    for contestant in state.contestants if state.phase is Phase.ROUNDS else ():
        if contestant.fights and contestant.using and contestant.using.trait and state.keeper(contestant.id):
            yield contestant.id, contestant.using


def _rolled_with(state: State) -> Iterator[tuple[str, Choice]]:
    """The abilities of players in the dice that lie."""
    if state.unread and state.unread[1].kind in OF_A_ROUND:
        before, dice = state.unread
        yield from ((who, choice) for who, choice in ((dice.first, dice.choice), (dice.second, dice.other))
                    if choice.trait and before.keeper(who))


def _counted(state: State) -> Iterator[Line]:
    """What somebody said of the dice that lie."""
    if state.unread:
        before, dice = state.unread
        yield from (line for line in before.lines if line.said_by and line.who in (dice.first, dice.second))


def _has(state: State, who: str, trait: str) -> bool:
    """Whether somebody has rolled the dice that lie with this ability."""
    return any((whose, choice.trait) == (who, trait) for whose, choice in _rolled_with(state))


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """It no longer counts; where dice lie, the same faces are read without it: what they did is taken back before."""
    who, _, what = which.partition(" ")
    if what.startswith(USES):
        return _without_ability(state, sheets, who, what.removeprefix(USES))
    counted = any((line.who, line.source) == (who, what) for line in _counted(state))
    return _read(state, sheets, Struck(who, what, state.unread is not None), counted)


def _without_ability(state: State, sheets: Sheets, who: str, trait: str) -> Result:
    """None fits in the dice that lie, and another one is chosen from then on (QW-06)."""
    rolled, none = _has(state, who, trait), state.edition.resolution.no_ability
    says = Step("QW-06", f"No ability fits, which counts as {none}." if rolled else
                f"{state.name_of(who)} chooses another one. Where none fits, it counts as {none}.")
    read = _read(state, sheets, AbilityStruck(who, trait, state.unread is not None), rolled)
    return replace(read, steps=(says, *read.steps))


def _read(state: State, sheets: Sheets, struck: Event[State], counted: bool) -> Result:
    """What the same faces come to, where some lie; told where it `counted` in them."""
    if not state.unread:
        return Result((struck,))
    before, dice = as_they_stand(struck.after(state), sheets), state.unread[1]
    read = fall(before, sheets, _without(before, dice))
    compared = Step("QW-21", f"Before: {_came(state, dice)}. Now: {_came(after(before, read.events), dice)}.")
    return replace(read, events=(struck, *read.events), steps=(compared, *read.steps) if counted else (), dice=())


def _without(before: State, dice: Thrown) -> Any:
    """The same dice, with what each side rolls with now."""
    number = dice.resistance if dice.kind in AGAINST_A_NUMBER else None
    mine, theirs = (choice.unfit if (who, choice.trait) in before.unfit else choice
                    for who, choice in ((dice.first, dice.choice), (dice.second, dice.other)))
    return laid(
        before, dice.kind, dice.first, mine, dice.dice, name=dice.first_name, second=dice.second,
        second_name=dice.second_name, other=theirs, resistance=number, bout=dice.bout,
        deciders=(dice.deciders[0], dice.deciders[1]), whom=dice.whom, step=before.staked(dice))


def _came(state: State, dice: Thrown) -> str:
    """What these dice come to, in a few words."""
    for throw in state.throws:
        if (throw.thrown.first, throw.thrown.dice) == (dice.first, dice.dice):
            return f"{dice.first_name}: {state.clash(throw).outcome} so far"
    told = next(told for _, told in reversed(state.record) if (told.first, told.dice) == (dice.first, dice.dice))
    return f"{dice.first_name}: {told.outcome}{f' by rank {told.rank}' if told.rank else ''}"


DISMISS = strike_act("QW-21", lambda state, sheets: said(state), strike, lambda state: state.unread is not None,
                     takes_back=True)
EVENTS = (Struck, AbilityStruck, Stands)
