"""Rolls for one's place in the order, and such a roll made again before anybody acts (PN-07, PN-09)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.engine import Sheets, Values
from rules.moves import Die, Need, Roll, Step, take
from rules.sheet import Effect
from rules.systems.pnc.contract_rolls import standard
from rules.systems.pnc.dice import degree_text, draw, nothing_left
from rules.systems.pnc.factors import Weight, roll_of, room_for, steps_of, weights_of
from rules.systems.pnc.fight.events import Event, InitiativeRolled, OrderReopened, Placed, Result
from rules.systems.pnc.fight.state import Fallen, State
from rules.systems.pnc.mulligans import Purse

Faces = Sequence[int]


def initiative(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """A roll for one's place in the order (PN-07)."""
    if state.settings.initiative == "d6":
        return _d6(state, by, faces) if take(faces, 1) else Need((6,))
    weights = weights_of(sheets[by], values, by=by)
    room_for(weights)
    rolled = _roll(state, by, weights, faces, purse_of(state, sheets, by))
    if isinstance(rolled, Need):
        return rolled
    nothing_left(faces[len(rolled.dice) :], faces)
    return rolled


def roll_again(state: State, sheets: Sheets, by: str, faces: Faces, purse: Purse) -> Result | Need:
    """The same roll anew, for a point that is spent already (PN-09). Where nobody has acted, the round begins anew."""
    rolled = _roll(state, by, state.combatant(by).weights, faces, purse)
    if isinstance(rolled, Need):
        return rolled
    nothing_left(faces[len(rolled.dice) :], faces)
    before = (OrderReopened(),) if state.nobody_acted else ()
    return Result((*before, *rolled.events), rolled.steps, rolled.result, rolled.dice, rolled.effects, rolled.rolls)


def roll_the_rest(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """The GM rolls for everybody who has not."""
    events: list[Event] = []
    steps = [Step("PN-07", "The GM rolls for the rest.")]
    dice: list[Die] = []
    effects: list[Effect] = []
    rolls: list[Roll] = []
    left = faces
    for who in state.unplaced:
        if who.dice:
            events.append(Placed(who.id))  # a fight from before a roll was a place at once
            continue
        if state.settings.initiative == "d6":
            rolled = _d6(state, who.id, left) if left else Need((6,))
        else:
            rolled = _roll(state, who.id, (), left, purse_of(state, sheets, who.id))
        if isinstance(rolled, Need):
            return rolled
        left = left[len(rolled.dice) :]
        events += rolled.events
        steps += rolled.steps
        dice += _owned(rolled.dice, who.name)
        effects += rolled.effects
        rolls += rolled.rolls
    nothing_left(left, faces)
    return Result(tuple(events), tuple(steps), {}, tuple(dice), tuple(effects), tuple(rolls))


def purse_of(state: State, sheets: Sheets, who: str) -> Purse:
    """The mulligan points of one who rolls."""
    return Purse(sheets[who], player=state.combatant(who).player, swing=state.settings.swing)


def _roll(
    state: State, who: str, weights: tuple[Weight, ...], faces: Faces, purse: Purse
) -> Result | Need:
    """A standard roll read off the front of `faces`."""
    drawn = draw(roll_of(weights, open_ended=state.settings.open_ended), faces)
    if isinstance(drawn, Need):
        return drawn
    thrown, _ = drawn
    again = "rolls again" if purse.effects else "rolls"
    purse.fell(thrown.first)
    rolled = InitiativeRolled(who, weights, Fallen(thrown.first, thrown.second, thrown.faces), thrown.degree)
    steps = (Step("PN-07", f"{purse.sheet.name} {again} for a place in the order: {degree_text(thrown.degree)}."),
             *steps_of(weights, state.names), *thrown.steps(purse.sheet.name), *purse.steps)
    return Result((rolled, Placed(who)), steps, {"degree": thrown.degree}, thrown.laid(), tuple(purse.effects),
                  (standard(thrown),))


def _d6(state: State, who: str, faces: Faces) -> Result:
    """One d6. Who comes later goes behind those who showed the same."""
    name = state.combatant(who).name
    rolled = InitiativeRolled(who, (), None, faces[0] * 100 - 99)
    step = Step("PN-07", f"{name} shows {faces[0]} for a place in the order.")
    return Result((rolled, Placed(who)), (step,), dice=(Die(6, faces[0], name),))


def _owned(dice: Sequence[Die], name: str) -> tuple[Die, ...]:
    """The dice of one of several, with whose they are; bonus and penalty dice keep their word."""
    return tuple(replace(die, role=name) if die.role in ("d20", "3d6") else die for die in dice)
