"""Attacks and opposed rolls: declared, weighed, rolled by both, read (PN-05, PN-06, PN-09, PN-10)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from rules.engine import Sheets, Values
from rules.moves import Need, Step, take
from rules.sheet import Effect, Gain
from rules.systems.pnc.character import WOUND
from rules.systems.pnc.contract_rolls import attack as attack_roll
from rules.systems.pnc.dice import Thrown, plain
from rules.systems.pnc.factors import Weight, room_for, steps_of, weights_of
from rules.systems.pnc.fight.aftermath import mark, undone, wound_in_words
from rules.systems.pnc.fight.events import (
    Attacked,
    AttackReopened,
    Defended,
    Event,
    Judged,
    Result,
    Stood,
    Struck,
    Struckout,
    Thrown6,
    WasRead,
    Wounded,
)
from rules.systems.pnc.fight.evolve import evolve
from rules.systems.pnc.fight.offers import hit_in_words, rolls_attack_again
from rules.systems.pnc.fight.places import purse_of, roll_again
from rules.systems.pnc.fight.state import Attack, State, prevails
from rules.systems.pnc.mulligans import MULLIGANS, Purse
from rules.systems.pnc.standard_roll import damage_of
from rules.values import BadMove, Value
from rules.wording import quoted

Faces = Sequence[int]


def attack(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """An attack is declared; the defender's dice come next (PN-06)."""
    take(faces, 0)
    return declare(state, sheets, by, values["target"], values, free=False)


def free_attack(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """An attack that a great failure of the other one has opened."""
    take(faces, 0)
    return declare(state, sheets, by, state.combatant(by).free_at, values, free=True)


def declare(state: State, sheets: Sheets, by: str, target: str, values: Values, *, free: bool) -> Result:
    """An attack with its factors. An opposed roll begins like one, without words (PN-05, PN-06)."""
    weights = weights_of(sheets[by], values, by=by)
    room_for(weights)
    who, foe = state.combatant(by), state.combatant(target)
    if state.settings.opposed:
        text = f"{who.name} rolls the d20, {foe.name} what stands against it{quoted(values['words'])}"
        event = Attacked(by, target, values["words"], weights, free)
        return Result((event,), (Step("PN-06", text), *steps_of(weights, state.names)), {"target": foe.name})
    how = " from hold" if who.held and by not in state.acting and not free else ", free of cost" if free else ""
    steps = (Step("PN-06", f"{who.name} attacks {foe.name}{how}{quoted(values['words'])}"),
             *steps_of(weights, state.names))
    return Result((Attacked(by, target, values["words"], weights, free),), steps, {"target": foe.name})


def weigh(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Factors of the one who has the d20 in an opposed roll (PN-05)."""
    take(faces, 0)
    return _judged(state, weights_of(sheets[by], values, by=by))


def judge(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM weighs the circumstances of an attack (PN-05)."""
    return _judged(state, weights_of(None, values))


def _judged(state: State, weights: tuple[Weight, ...]) -> Result:
    if not weights:
        raise BadMove("Name at least one factor.", "circumstances")
    room_for((*_pending(state).weights, *weights))
    after = _pending(evolve(state, Judged(weights)))
    text = f"The factors make it {after.button}."
    return Result((Judged(weights),), (Step("PN-05", text), *steps_of(weights, state.names)))


def dismiss(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM takes a factor off an attack."""
    gone = _pending(state).weights[int(values["which"])]
    event = Struckout(int(values["which"]))
    text = f"“{gone.reason}” no longer counts: {_pending(evolve(state, event)).button}."
    return Result((event,), (Step("PN-05", text),))


def defend(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """The defender's factors, turned to the attacker's side, and the defender's dice (PN-05, PN-06)."""
    weights = weights_of(sheets[by], values, by=by, against=True)
    room_for((*_pending(state).weights, *weights))
    after = _pending(evolve(state, Defended(by, weights, ())))
    if take(faces, after.roll.dice) is None:
        return Need((6,) * (after.roll.dice - len(faces)))
    event = Defended(by, weights, tuple(faces))
    fallen = _pending(evolve(state, event))
    steps = [Step("PN-06", f"{state.combatant(by).name} rolls {after.roll.dice}d6: {fallen.d6} to get over.")]
    if after.weights:
        steps.append(Step("PN-05", f"All factors together make it {after.button}."))
    return Result((event,), (*steps, *steps_of(weights, state.names)), {"d6": fallen.d6}, fallen.drawn)


def mulligan(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """A point is spent, then one's own part of the attack, or one's roll for a place, falls anew (PN-09)."""
    purse = purse_of(state, sheets, by)
    purse.spend()
    reopened: tuple[Event, ...] = ()
    effects: tuple[Effect, ...] = ()
    if state.attack is None:
        if not rolls_attack_again(state, by):
            return roll_again(state, sheets, by, faces, purse)
        reopened, effects = (AttackReopened(),), undone(state, sheets)
        state = evolve(state, AttackReopened())
    pending = _pending(state)
    rolled = _d20(state, purse, faces) if by == pending.by else _sixes(state, by, purse, faces)
    if isinstance(rolled, Need):
        return rolled
    settled = _settled(state, sheets, rolled, {by: purse.points})
    return replace(settled, events=(*reopened, *settled.events),
                   effects=(*purse.effects, *effects, *settled.effects))


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Whom an opposed roll goes against lets it stand."""
    text = f"{state.combatant(by).name} lets it stand: {_pending(state).reading}."
    return _settled(state, sheets, Result((Stood(by),), (Step("PN-09", text),)))


def strike(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """The attacker's d20, and what comes of both parts (PN-04, PN-06)."""
    purse = purse_of(state, sheets, by)
    rolled = _d20(state, purse, faces)
    if isinstance(rolled, Need):
        return rolled
    settled = _settled(state, sheets, rolled, {by: purse.points})
    return replace(settled, effects=(*purse.effects, *settled.effects))


def _d20(state: State, purse: Purse, faces: Faces) -> Result | Need:
    pending = _pending(state)
    if not faces or (len(faces) == 1 and pending.roll.opens(faces[0])):
        return Need((20,))
    opens = pending.roll.opens(faces[0])
    take(faces, 2 if opens else 1)
    again = "rolls again" if purse.effects else "rolls"
    purse.fell(faces[0])
    event = Struck(pending.by, faces[0], faces[1] if opens else None)
    thrown = Thrown(pending.roll, event.first, event.second, pending.faces)
    text = f"{purse.sheet.name} {again}: {plain(thrown.d20)} against {thrown.d6}."
    drawn = _pending(evolve(state, event)).drawn
    return Result((event,), (Step("PN-06", text), *thrown.steps(), *purse.steps), dice=drawn)


def _sixes(state: State, by: str, purse: Purse, faces: Faces) -> Result | Need:
    """The defender's dice anew."""
    count = _pending(state).roll.dice
    if take(faces, count) is None:
        return Need((6,) * (count - len(faces)))
    event = Thrown6(by, tuple(faces))
    after = _pending(evolve(state, event))
    text = f"{state.combatant(by).name} rolls again: {after.d6} to get over."
    dice = tuple(die for die in after.drawn if die.sides == 6)
    return Result((event,), (Step("PN-09", text), *purse.steps), dice=dice)


def _settled(state: State, sheets: Sheets, found: Result, points: Mapping[str, int] | None = None) -> Result:
    """The roll is read. An opposed one waits for whom it goes against, where they could roll again (PN-09).

    `points` are mulligan points that this act has changed.
    """
    state = reduce(evolve, found.events, state)
    pending = _pending(state)
    if pending.thrown is None:
        return found
    rolls = (attack_roll(pending.thrown, harmless=state.settings.opposed),)
    result: dict[str, Value] = {**pending.result}
    found = replace(found, result=result, rolls=rolls)
    if not state.settings.opposed:
        return _read(state, found)
    loser = state.loser
    if loser and loser.player and loser.id not in pending.stands:
        held = (points or {}).get(loser.id, sheets[loser.id].pool(MULLIGANS))
        if held:
            return replace(found, result={**result, "waiting": [loser.name]})
    text = f"{prevails(state, pending)}."
    return replace(found, events=(*found.events, WasRead(False)), steps=(*found.steps, Step("PN-06", text)),
                   result={**result, "reading": text, "damage": None})


def _read(state: State, found: Result) -> Result:
    """What an attack comes to: a hit is a wound in the words of its degree, which may be changed (PN-06, PN-10)."""
    pending = _pending(state)
    by, target = state.combatant(pending.by), state.combatant(pending.target)
    events: tuple[Event, ...] = (WasRead(pending.success or pending.backfires),)
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    if pending.success:
        text = f"A hit: {hit_in_words(pending, target.name)}"
        words = wound_in_words(pending, by.name)
        events = (*events, Wounded(target.id, words, target.standing))
        steps = (mark(pending, target, words),)
        effects = (Gain(target.id, WOUND, words, pending.degree),) if words else ()
    elif pending.backfires:
        text = f"{pending.reading}: a miss that may turn on {by.name}."
    else:
        text = f"{pending.reading}: a miss."
    read: dict[str, Value] = {"reading": text, "damage": damage_of(pending.degree) if pending.success else None}
    return replace(found, events=(*found.events, *events), steps=(*found.steps, Step("PN-06", text), *steps),
                   result={**found.result, **read}, effects=effects)


def _pending(state: State) -> Attack:
    if state.attack is None:
        raise BadMove("No attack is under way.")
    return state.attack
