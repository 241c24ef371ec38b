"""Which fortes count in a challenge is a player's word, and the GM strikes them: those of a helper before the dice, all
after them while nothing stands on them (PS-10, PS-13, PS-15)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from rules.engine import Event, Sheets
from rules.procedure import Options
from rules.sheet import Effect, Lose, Sheet, Spend, Transfer
from rules.strike import strike_act
from rules.systems.pdq_sharp.challenge.ellipsis import as_it_lies, completed, in_numbers, settle
from rules.systems.pdq_sharp.challenge.state import (
    CALLED_OFF,
    Cast,
    Entrant,
    Help,
    Result,
    State,
    standing,
)
from rules.systems.pdq_sharp.chart import modifier
from rules.systems.pdq_sharp.kinds import BURNED, THIS_SCENE
from rules.systems.pdq_sharp.reading import of_kind
from rules.systems.pdq_sharp.reckoning import KEEP, Terms, kept_step, steps_of
from rules.systems.pdq_sharp.reckoning import settle as settled

T = TypeVar("T")


@dataclass(frozen=True)
class HelpStruck(Event[State]):
    """The GM struck a forte with which somebody helps; `help` is what is left of it: without ranks, nothing."""

    help: Help

    def after(self, state: State) -> State:
        helps = (self.help if helper.who == self.help.who else helper for helper in state.helps)
        return replace(state, helps=tuple(helper for helper in helps if helper.ranks))


@dataclass(frozen=True)
class ReadAgain(Event[State]):
    """The GM struck a forte when the dice lay there: the roll without it. What it came to first is told anew."""

    who: str
    cast: Cast

    def after(self, state: State) -> State:
        return replace(state.with_(self.who, cast=self.cast), stood=(), outcome="", hurt=("", 0, ""))


def said(state: State) -> Options:
    """The fortes that count on players' words, as long as nothing stands on the dice: whose, which, and a sentence."""
    if state.outcome == CALLED_OFF or any(entrant.cast and entrant.cast.added for entrant in state.entrants):
        return ()
    return (*_own(state), *_helping(state))


def _own(state: State) -> Iterator[tuple[str, str]]:
    for entrant in state.entrants:
        for line in entrant.cast.lines if entrant.cast else ():
            yield f"{entrant.id} {line.id}", f"{entrant.name} says: {line.words} counts."


def _helping(state: State) -> Iterator[tuple[str, str]]:
    for helper in state.helps:
        whose = "" if helper.said_by == helper.name else f"{helper.name}’s "
        for line in helper.lines if helper.said_by else ():
            yield f"{helper.who} {line.id}", f"{helper.said_by} says: {whose}{line.words} counts."


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """A forte counts no more; the same faces are read without it, and what hangs on it (PS-11)."""
    who, _, forte = which.partition(" ")
    helper = next((helper for helper in state.helps if helper.who == who), None)
    if helper is None:
        entrant = state.entrant(who)
        return _again(state, sheets, entrant, without(_cast(entrant), forte), forte)
    left = _less_help(helper, forte)
    roller, event = state.entrants[0], HelpStruck(left)
    if roller.cast is None:
        return Result((event,))
    return _again(state, sheets, roller, _without_help(state, roller.cast, helper, left), "", event)


def _cast(entrant: Entrant) -> Cast:
    if entrant.cast is None:
        raise LookupError("Nothing of theirs is offered before they have rolled.")
    return entrant.cast


def _less_help(helper: Help, forte: str) -> Help:
    place = [line.id for line in helper.lines].index(forte)
    start = sum(line.ranks for line in helper.lines[:place])
    return replace(helper, ranks=less(helper.ranks, start, helper.lines[place].ranks),
                   lines=less(helper.lines, place))


def _without_help(state: State, cast: Cast, helper: Help, left: Help) -> Cast:
    """A roll with what is left of somebody's help; what helps counts last, in the order in which it came."""
    at = [help.who for help in state.helps].index(helper.who)
    ranks, reasons = list(cast.ranks), list(cast.reasons)
    first = len(ranks) - sum(len(help.ranks) for help in state.helps[at:])
    ranks[first:first + len(helper.ranks)] = left.ranks
    place = len(reasons) - len(state.helps) + at
    reasons[place:place + 1] = [replace(reasons[place], adds=modifier(left.ranks))] if left.ranks else []
    return replace(cast, ranks=tuple(ranks), reasons=tuple(reasons))


def without(cast: Cast, forte: str) -> Cast:
    """A roll without a forte of one's own, and without the techniques that hang on it: their dice and +1s (PS-11)."""
    place = [line.id for line in cast.lines].index(forte)
    gone, dice = cast.lines[place], len(cast.used) - cast.flat  # techniques as dice come before those as +1
    start, own = sum(line.ranks for line in cast.lines[:place]), sum(line.ranks for line in cast.lines)
    hung = [number for number, technique in enumerate(cast.used) if technique in gone.hung]
    reasons = {*range(start, start + gone.ranks), *(own + number for number in hung)}
    return replace(
        cast, fortes=tuple(line for line in cast.fortes if line != forte), ranks=less(cast.ranks, start, gone.ranks),
        faces=_but(cast.faces, {KEEP + number for number in hung if number < dice}),
        flat=cast.flat - sum(number >= dice for number in hung), used=_but(cast.used, set(hung)),
        reasons=_but(cast.reasons, reasons), lines=less(cast.lines, place))


def less(values: tuple[T, ...], start: int, many: int = 1) -> tuple[T, ...]:
    """All of them without so many from this place on."""
    return _but(values, set(range(start, start + many)))


def _but(values: tuple[T, ...], places: set[int]) -> tuple[T, ...]:
    return tuple(value for place, value in enumerate(values) if place not in places)


def _again(
    state: State, sheets: Sheets, entrant: Entrant, cast: Cast, forte: str, *before: Event[State]
) -> Result:
    """What the same dice come to; a motivation that was burned with them, and counts no more, is burned no more."""
    events = (*before, ReadAgain(entrant.id, cast))
    now = state
    for event in events:
        now = event.after(now)
    counted = Terms(cast.ranks, flat=cast.flat, reasons=cast.reasons)
    steps = (*steps_of(counted, entrant.name), kept_step(settled(counted, cast.faces), counted, entrant.name))
    result, rolls = as_it_lies(now)
    effects = (*_taken_back(settle(replace(state, outcome=""))[2] if state.outcome else ()),
               *_unburned(sheets[entrant.id], _cast(entrant), forte))
    return completed(state, sheets, Result(events, (*steps, *in_numbers(now)), result, (), effects, rolls))


def _taken_back(effects: Iterable[Effect]) -> Iterator[Effect]:
    """What a roll did that is read again: what was learned and won is gone first."""
    for effect in effects:
        match effect:
            case Spend(sheet, pool, by):
                yield Spend(sheet, pool, -by)
            case Transfer(amount, source, target, reason):
                yield Transfer(amount, target, source, reason)


def _unburned(sheet: Sheet, cast: Cast, forte: str) -> Iterator[Effect]:
    burns = [sheet.trait(line.id) for line in cast.lines if line.burns and line.id == forte]
    yield from (Lose(burned.id) for motivation in burns if motivation for burned in of_kind(sheet, BURNED)
                if (burned.name, burned.value) == (motivation.name, THIS_SCENE))


def came(state: State) -> str:
    """What the dice come to, in a few words."""
    if not all(entrant.cast for entrant in state.entrants):
        return ""
    return f"{state.outcome}, {standing(state)}" if state.outcome else f"{standing(state)}, as it lies"


def _lie(state: State) -> bool:
    return any(entrant.cast for entrant in state.entrants)


DISMISS = strike_act("PS-10", lambda state, sheets: said(state), strike, _lie, came, title="Strike a forte")
EVENTS = (HelpStruck, ReadAgain)
