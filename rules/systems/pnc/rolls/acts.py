"""What each action leads to while standard rolls are made (PN-01 to PN-05, PN-08, PN-09)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from rules.engine import Sheets, Values
from rules.moves import Need, Step
from rules.systems.pnc.contract_rolls import competitions, standard
from rules.systems.pnc.dice import draw, nothing_left, reading
from rules.systems.pnc.factors import room_for, steps_of, weights_of
from rules.systems.pnc.mulligans import Purse
from rules.systems.pnc.rolls.events import (
    Dropped,
    Ended,
    Event,
    Meaning,
    Meant,
    Result,
    Rolled,
    Settled,
    Stood,
    Weighed,
)
from rules.systems.pnc.rolls.evolve import evolve
from rules.systems.pnc.rolls.offers import asked, band_field
from rules.systems.pnc.rolls.state import BAND_WORDS, VERDICTS, State
from rules.values import BadMove, Value


def weigh(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Factors are put down before the roll (PN-05)."""
    who = by or values.get("who") or next(each.id for each in state.rollers if not each.dice)
    weights = weights_of(sheets.get(by), values, by=by)
    if not weights:
        raise BadMove("Name at least one factor.", "circumstances")
    room_for((*state.roller(who).weights, *weights))
    after = evolve(state, Weighed(who, weights)).roller(who)
    text = f"{after.name}: the factors make it {after.button}."
    return Result((Weighed(who, weights),), (Step("PN-05", text), *steps_of(weights, state.names)), {"who": who})


def drop(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A factor is taken off: one's own, or any by the GM."""
    who, place = (by, values["which"]) if by else values["which"].rsplit(" ", 1)
    gone = state.roller(who).weights[int(place)]
    event = Dropped(who, int(place))
    after = evolve(state, event).roller(who)
    text = f"“{gone.reason}” no longer counts: {after.name} rolls {after.button}."
    return Result((event,), (Step("PN-05", text),), {"who": who})


def mean(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says beforehand what the degrees mean (PN-03)."""
    meanings = tuple(
        Meaning(band, values[band_field(index)]) for index, band in enumerate(BAND_WORDS) if values[band_field(index)]
    )
    text = "The GM says what the degrees mean." if meanings else "The GM leaves the degrees open."
    steps = (Step("PN-03", text), *(Step("PN-03", f"{each.band.capitalize()}: {each.words}") for each in meanings))
    return Result((Meant(meanings),), steps)


def settle(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The story decides, in the GM's words (PN-01)."""
    step = Step("PN-01", f"{VERDICTS[values['verdict']]}: {values['words']}")
    result: dict[str, Value] = {"verdict": values["verdict"], "words": values["words"]}
    return Result((Settled(values["verdict"], values["words"]),), (step,), result)


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The standard roll, with what is added at the last moment (PN-02 to PN-05)."""
    weights = weights_of(sheets[by], values, by=by)
    room_for((*state.roller(by).weights, *weights))
    before: tuple[Event, ...] = (Weighed(by, weights),) if weights else ()
    return _throw(state, sheets, before, Purse(
        sheets[by], player=state.roller(by).player, swing=state.swing
    ), faces)


def mulligan(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A point is spent, then all the dice of the roll fall anew (PN-09)."""
    purse = Purse(sheets[by], player=state.roller(by).player, swing=state.swing)
    purse.spend()
    return _throw(state, sheets, (), purse, faces)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The roll stands; with the last one the result is read."""
    who = state.roller(by)
    steps = (Step("PN-09", f"{who.name} lets the roll stand: {who.reading}."),)
    return _read(state, sheets, Result((Stood(by),), steps))


def _throw(
    state: State, sheets: Sheets, before: tuple[Event, ...], purse: Purse, faces: Sequence[int]
) -> Result | Need:
    """The dice fall, after what was put down `before` them in the same act."""
    who = reduce(evolve, before, state).roller(purse.sheet.id)
    answer = draw(who.roll, faces)
    if isinstance(answer, Need):
        return answer
    thrown, rest = answer
    nothing_left(rest, faces)
    again = "rolls again" if purse.effects else "rolls"
    purse.fell(thrown.first)
    event = Rolled(who.id, thrown.first, thrown.second, thrown.faces)
    verdict = "success" if thrown.result()["success"] else "failure"
    text = f"{who.name} {again}: {verdict}, {reading(thrown.degree)}."
    steps = (Step("PN-03", text), *steps_of(who.weights, state.names), *thrown.steps(), *purse.steps)
    rolled = Result((*before, event), steps, dice=thrown.laid(), effects=tuple(purse.effects))
    return _read(state, sheets, rolled, {who.id: purse.points}, by=who.id)


def _read(
    state: State, sheets: Sheets, found: Result, points: Mapping[str, int] | None = None, by: str = ""
) -> Result:
    """The result, once nobody is asked any more: the meaning of the band, or who did best (PN-03, PN-08)."""
    state = reduce(evolve, found.events, state)
    if by and (thrown := state.roller(by).thrown):
        result = {"who": state.roller(by).name, "told": state.roller(by).both_readings, **thrown.result()}
        found = replace(found, result=result, rolls=(standard(thrown),))
    if not state.all_rolled or asked(state, sheets, points):
        return found
    return (_alone if state.alone else _compared)(state, replace(found, events=(*found.events, Ended())))


def _compared(state: State, found: Result) -> Result:
    """Who did best (PN-08)."""
    ranking: list[Value] = [[each.name for each in place] for place in state.ranked]
    best_first = [each.thrown for place in state.ranked for each in place if each.thrown]
    return replace(found, steps=(*found.steps, Step("PN-08", state.winner)),
                   result={**found.result, "ranking": ranking, "reading": state.winner},
                   rolls=(*found.rolls, *competitions(best_first)))


def _alone(state: State, found: Result) -> Result:
    """What the band means here (PN-03)."""
    one = state.rollers[0]
    meaning = state.meaning(one.band)
    steps = (Step("PN-03", f"{one.band.capitalize()}: {meaning}"),) if meaning else ()
    if one.thrown is None:
        return found
    result = {"who": one.name, "told": one.both_readings, **one.thrown.result(), "meaning": meaning}
    return replace(found, steps=(*found.steps, *steps), result=result, rolls=(standard(one.thrown),))
