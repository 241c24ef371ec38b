"""What each action leads to while standard rolls are made (PN-01 to PN-05, PN-08, PN-09)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from rules.moves import Die, Need, Roll, Step, take
from rules.sheet import Sheet
from rules.systems.pnc.dice import band_of, draw, nothing_left, signed
from rules.systems.pnc.done import Done
from rules.systems.pnc.factors import room_for, steps_of, weights_of
from rules.systems.pnc.mulligans import Purse
from rules.systems.pnc.rolls.offers import band_field
from rules.systems.pnc.rolls.state import (
    BAND_WORDS,
    VERDICTS,
    Dropped,
    Ended,
    Event,
    Meaning,
    Meant,
    Rolled,
    Settled,
    State,
    Stood,
    Weighed,
    evolve,
)
from rules.systems.pnc.told import competitions, standard
from rules.values import BadMove, Value

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]


def weigh(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done[Event]:
    """Factors are put down before the roll (PN-05)."""
    take(faces, 0)
    who = by or values.get("who") or next(each.id for each in state.rollers if not each.dice)
    weights = weights_of(sheets.get(by), values, by=by)
    if not weights:
        raise BadMove("Name at least one factor.", "circumstances")
    room_for((*state.roller(who).weights, *weights))
    after = evolve(state, Weighed(who, weights)).roller(who)
    told = f"{after.name}: the factors make it {after.button}."
    return Done((Weighed(who, weights),), (Step("PN-05", told), *steps_of(weights, state.names)), {"who": who})


def drop(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done[Event]:
    """A factor is taken off: one's own, or any by the GM."""
    take(faces, 0)
    who, place = (by, values["which"]) if by else values["which"].rsplit(" ", 1)
    gone = state.roller(who).weights[int(place)]
    event = Dropped(who, int(place))
    after = evolve(state, event).roller(who)
    told = f"“{gone.reason}” no longer counts: {after.name} rolls {after.button}."
    return Done((event,), (Step("PN-05", told),), {"who": who})


def mean(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done[Event]:
    """The GM says beforehand what the degrees mean (PN-03)."""
    take(faces, 0)
    written = tuple(
        Meaning(band, values[band_field(index)]) for index, band in enumerate(BAND_WORDS) if values[band_field(index)]
    )
    told = "The GM says what the degrees mean." if written else "The GM leaves the degrees open."
    steps = (Step("PN-03", told), *(Step("PN-03", f"{each.band.capitalize()}: {each.words}") for each in written))
    return Done((Meant(written),), steps)


def settle(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done[Event]:
    """The story decides, in the GM's words (PN-01)."""
    take(faces, 0)
    step = Step("PN-01", f"{VERDICTS[values['verdict']]}: {values['words']}")
    result: dict[str, Value] = {"verdict": values["verdict"], "words": values["words"]}
    return Done((Settled(values["verdict"], values["words"]),), (step,), result)


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done[Event] | Need:
    """The standard roll, with what is added at the last moment (PN-02 to PN-05)."""
    weights = weights_of(sheets[by], values, by=by)
    room_for((*state.roller(by).weights, *weights))
    before: tuple[Event, ...] = (Weighed(by, weights),) if weights else ()
    return _throw(reduce(evolve, before, state), before, Purse(
        sheets[by], player=state.roller(by).player, swing=state.swing
    ), faces)


def mulligan(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done[Event] | Need:
    """A point is spent, then all the dice of the roll fall anew (PN-09)."""
    purse = Purse(sheets[by], player=state.roller(by).player, swing=state.swing)
    purse.spend()
    return _throw(state, (), purse, faces)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done[Event]:
    """The roll stands; with the last one the result is read."""
    take(faces, 0)
    who = state.roller(by)
    after = evolve(state, Stood(by))
    events: tuple[Event, ...] = (Stood(by),)
    steps = (Step("PN-09", f"{who.name} lets the roll stand: {who.degree}, {who.band}."),)
    return _read(after, events, steps, ())


def _throw(
    state: State, before: tuple[Event, ...], purse: Purse, faces: Sequence[int]
) -> Done[Event] | Need:
    who = state.roller(purse.sheet.id)
    answer = draw(who.roll, faces)
    if isinstance(answer, Need):
        return answer
    thrown, rest = answer
    nothing_left(rest, faces)
    again = "rolls again" if purse.effects else "rolls"
    purse.fell(thrown.first)
    event = Rolled(who.id, thrown.first, thrown.second, thrown.faces)
    verdict = "success" if thrown.result()["success"] else "failure"
    told = f"{who.name} {again}: {verdict}, {signed(thrown.degree)}, {band_of(thrown.degree)}."
    steps = (Step("PN-03", told), *steps_of(who.weights, state.names), *thrown.steps(), *purse.steps)
    events: tuple[Event, ...] = (*before, event)
    after = evolve(state, event)
    if not purse.points:
        # Nothing is left to decide: without a point the roll stands as it fell.
        events, after = (*events, Stood(who.id)), evolve(after, Stood(who.id))
    done = _read(after, events, steps, thrown.laid(), by=who.id)
    return replace(done, effects=tuple(purse.effects))


def _read(
    state: State, events: tuple[Event, ...], steps: tuple[Step, ...], dice: tuple[Die, ...], by: str = ""
) -> Done[Event]:
    """The result, once every roll stands: the meaning of the band, or who did best."""
    result: dict[str, Value] = {}
    rolls: tuple[Roll, ...] = ()
    if by and (thrown := state.roller(by).thrown):
        result = {"who": state.roller(by).name, "told": state.roller(by).told, **thrown.result()}
        rolls = (standard(thrown),)
    if not all(each.stands for each in state.rollers):
        return Done(events, steps, result, dice, rolls=rolls)
    if not state.alone:
        ranking: list[Value] = [[each.name for each in place] for place in state.ranked]
        steps = (*steps, Step("PN-08", _winner(state)))
        result |= {"ranking": ranking, "reading": _winner(state)}
        best_first = [each.thrown for place in state.ranked for each in place if each.thrown]
        return Done((*events, Ended()), steps, result, dice, rolls=(*rolls, *competitions(best_first)))
    one = state.rollers[0]
    if one.thrown:
        result = {"who": one.name, "told": one.told, **one.thrown.result(), "meaning": state.meaning(one.band)}
        rolls = (standard(one.thrown),)
    if meaning := state.meaning(one.band):
        steps = (*steps, Step("PN-03", f"{one.band.capitalize()}: {meaning}"))
    return Done((*events, Ended()), steps, result, dice, rolls=rolls)


def _winner(state: State) -> str:
    first = state.ranked[0]
    told = ", ".join(f"{each.name} {each.degree}" for place in state.ranked for each in place)
    if len(first) == len(state.rollers):
        return f"The degrees are equal ({told}): nobody is ahead."
    names = " and ".join(each.name for each in first)
    return f"{names} {'wins' if len(first) == 1 else 'are level at the head'}: {told}."
