"""What each action of a fight leads to (PN-06, PN-07, PN-09, PN-11)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Die, Need, Roll, Step, take
from rules.sheet import Effect, Gain, Sheet
from rules.systems.pnc.character import WOUND
from rules.systems.pnc.dice import Thrown, band_of, draw, nothing_left, plain, signed
from rules.systems.pnc.done import Done, quote
from rules.systems.pnc.factors import Weight, roll_of, room_for, steps_of, weights_of
from rules.systems.pnc.fight.events import (
    Acted,
    Attacked,
    Backfired,
    Defended,
    Ended,
    Event,
    Held,
    InitiativeRolled,
    Judged,
    Placed,
    Readied,
    Skipped,
    Stands,
    Stood,
    Struck,
    Struckout,
    Thrown6,
    WasRead,
    Wounded,
    evolve,
)
from rules.systems.pnc.fight.offers import hit_in_words
from rules.systems.pnc.fight.state import FIGHTING, WORDS, Attack, Fallen, Phase, State, prevails
from rules.systems.pnc.mulligans import MULLIGANS, Purse
from rules.systems.pnc.standard_roll import BACKFIRES_FROM, damage_of
from rules.systems.pnc.told import attack as attack_roll
from rules.systems.pnc.told import standard
from rules.values import BadMove, Value

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]
Faces = Sequence[int]


def initiative(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event] | Need:
    """A roll for one's place in the order (PN-07)."""
    weights = weights_of(sheets[by], values, by=by)
    room_for(weights)
    return _place(state, sheets, by, weights, faces, _purse(state, sheets, by))


def roll_the_rest(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event] | Need:
    """The GM rolls for everybody who has not; these rolls stand."""
    events: list[Event] = []
    steps = [Step("PN-07", "The GM rolls for the rest.")]
    dice: list[Die] = []
    effects: list[Effect] = []
    rolls: list[Roll] = []
    for who in state.unplaced:
        if who.dice:
            continue
        done = _place(state, sheets, who.id, (), faces, _purse(state, sheets, who.id), rest_follows=True)
        if isinstance(done, Need):
            return done
        faces = faces[len(done.dice) :]
        events += [*(each for each in done.events if not isinstance(each, Placed)), Placed(who.id)]
        steps += done.steps
        dice += done.dice
        effects += done.effects
        rolls += done.rolls
    nothing_left(faces, [die.face for die in dice] + list(faces))
    return Done(tuple(events), tuple(steps), {}, tuple(dice), tuple(effects), tuple(rolls))


def _place(
    state: State, sheets: Sheets, who: str, weights: tuple[Weight, ...], faces: Faces, purse: Purse,
    *, rest_follows: bool = False,
) -> Done[Event] | Need:
    name = state.combatant(who).name
    if state.settings.initiative == "d6":
        if not faces:
            return Need((6,))
        if not rest_follows:
            take(faces, 1)
        # Who comes later goes behind those who showed the same.
        rolled = InitiativeRolled(who, (), None, faces[0] * 100 - 99)
        step = Step("PN-07", f"{name} shows {faces[0]} for the place in the order.")
        return Done((rolled, Placed(who)), (step,), {}, (Die(6, faces[0], name),))
    answer = draw(roll_of(weights, open_ended=state.settings.open_ended), faces)
    if isinstance(answer, Need):
        return answer
    thrown, rest = answer
    if not rest_follows:
        nothing_left(rest, faces)
    purse.fell(thrown.first)
    event = InitiativeRolled(who, weights, Fallen(thrown.first, thrown.second, thrown.faces), thrown.degree)
    steps = (Step("PN-07", f"{name} rolls for the place in the order: {signed(thrown.degree)}."),
             *steps_of(weights, state.names), *thrown.steps(name), *purse.steps)
    events: tuple[Event, ...] = (event,) if purse.points else (event, Placed(who))
    dice = thrown.laid(name, name) if rest_follows else thrown.laid()
    return Done(events, steps, {"degree": thrown.degree}, dice, tuple(purse.effects), (standard(thrown),))


def keep(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The place in the order stands."""
    who = state.combatant(by)
    return Done((Placed(by),), (Step("PN-07", f"{who.name} keeps the place: {signed(who.score)}."),))


def attack(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """An attack is declared; the defender's dice come next (PN-06)."""
    return _declare(state, sheets, by, values["target"], values, free=False)


def free_attack(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """An attack that a great failure of the other one has opened."""
    return _declare(state, sheets, by, state.combatant(by).free_at, values, free=True)


def _declare(state: State, sheets: Sheets, by: str, target: str, values: Values, *, free: bool) -> Done[Event]:
    weights = weights_of(sheets[by], values, by=by)
    room_for(weights)
    who, foe = state.combatant(by), state.combatant(target)
    if state.settings.opposed:
        told = f"{who.name} rolls the d20, {foe.name} what stands against it{quote(values['words'])}."
        event = Attacked(by, target, values["words"], weights, free)
        return Done((event,), (Step("PN-06", told), *steps_of(weights, state.names)), {"target": foe.name})
    how = " from hold" if who.held and by not in state.acting and not free else ", free of cost" if free else ""
    steps = (Step("PN-06", f"{who.name} attacks {foe.name}{how}{quote(values['words'])}."),
             *steps_of(weights, state.names))
    return Done((Attacked(by, target, values["words"], weights, free),), steps, {"target": foe.name})


def weigh(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """Factors of the one who has the d20 in an opposed roll (PN-05)."""
    return _judged(state, weights_of(sheets[by], values, by=by))


def oppose(state: State, sheets: Sheets, by: str, target: str) -> Done[Event]:
    """An opposed roll begins: factors of the one with the d20 come with that roll's page (PN-06)."""
    return _declare(state, sheets, by, target, {"words": ""}, free=True)


def judge(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The GM weighs the circumstances of an attack (PN-05)."""
    return _judged(state, weights_of(None, values))


def _judged(state: State, weights: tuple[Weight, ...]) -> Done[Event]:
    if not weights:
        raise BadMove("Name at least one factor.", "circumstances")
    room_for((*_pending(state).weights, *weights))
    after = _pending(evolve(state, Judged(weights)))
    told = f"The factors make it {after.button}."
    return Done((Judged(weights),), (Step("PN-05", told), *steps_of(weights, state.names)))


def dismiss(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The GM takes a factor off an attack."""
    gone = _pending(state).weights[int(values["which"])]
    event = Struckout(int(values["which"]))
    told = f"“{gone.reason}” no longer counts: {_pending(evolve(state, event)).button}."
    return Done((event,), (Step("PN-05", told),))


def defend(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event] | Need:
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
    return Done((event,), (*steps, *steps_of(weights, state.names)), {"d6": fallen.d6}, fallen.drawn)


def strike(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event] | Need:
    """The attacker's d20 (PN-04, PN-06)."""
    return _d20(state, sheets, _purse(state, sheets, by), faces)


def mulligan(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event] | Need:
    """A point is spent, then one's own part falls anew (PN-09)."""
    purse = _purse(state, sheets, by)
    purse.spend()
    if state.phase == Phase.INITIATIVE:
        return _place(state, sheets, by, state.combatant(by).weights, faces, purse)
    pending = _pending(state)
    if by == pending.by:
        return _d20(state, sheets, purse, faces)
    if take(faces, pending.roll.dice) is None:
        return Need((6,) * (pending.roll.dice - len(faces)))
    event = Thrown6(by, tuple(faces))
    after = evolve(state, event)
    told = f"{state.combatant(by).name} rolls again: {_pending(after).d6} to get over."
    dice = tuple(die for die in _pending(after).drawn if die.sides == 6)
    return _settled(after, sheets, purse, Done((event,), (Step("PN-09", told), *purse.steps), {}, dice))


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """Both parts stand, as far as this one is asked."""
    event = Stood(by)
    told = f"{state.combatant(by).name} lets it stand: {_pending(state).degree}."
    return _settled(evolve(state, event), sheets, None, Done((event,), (Step("PN-09", told),)))


def wound(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The attacker's player puts the hit into words; it is a line on the other's sheet (PN-06, PN-10)."""
    return _hurt(state, values["words"], state.combatant(_pending(state).target).standing)


def unmarked(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """A hit that leaves nothing behind."""
    return _hurt(state, "", state.combatant(_pending(state).target).standing)


def deal(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The GM says what the hit does, and how its target stands now (PN-06, PN-11)."""
    return _hurt(state, values["words"], values["standing"])


def backfire(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """What a great failure or worse does to the attacker (PN-06)."""
    pending, what = _pending(state), values["what"]
    name, foe = state.combatant(pending.by).name, state.combatant(pending.target).name
    if what == "wound" and not values["words"]:
        raise BadMove("Say how the attacker is hurt.", "words")
    told = {
        "nothing": "The failure has no further cost", "wound": f"{name} is hurt",
        "place": f"{name} goes last from now on", "turn": f"{name} loses the next turn",
        "free": f"{foe} gets a free attack on {name}",
    }[what]
    degree = pending.thrown.degree if pending.thrown else 0
    effects = (Gain(pending.by, WOUND, values["words"], degree),) if what == "wound" else ()
    return Done((Backfired(pending.by, what, values["words"], pending.target),),
                (Step("PN-06", f"{told}{quote(values['words'])}."),), {"what": what}, effects=effects)


def act(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """Something else than an attack."""
    told = f"{state.combatant(by).name} acts{quote(values['words'])}."
    return Done((Acted(by, values["words"]),), (Step("PN-07", told),))


def hold(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The turn is held (PN-07)."""
    told = f"{state.combatant(by).name} holds, until the next time round at the latest."
    return Done((Held(by),), (Step("PN-07", told),))


def skip(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The GM lets a turn go by."""
    told = f"{state.combatant(values['who']).name} lets the turn go by."
    return Done((Skipped(values["who"]),), (Step("PN-07", told),))


def leave(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """Somebody gives up, or gets away (PN-11)."""
    verb = "surrenders" if values["standing"] == "surrendered" else "escapes"
    told = f"{state.combatant(by).name} {verb}{quote(values['words'])}."
    return Done((Stands(by, values["standing"], values["words"]),), (Step("PN-11", told),))


def stands(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The GM says how somebody stands (PN-11)."""
    who = state.combatant(values["who"])
    if who.standing == values["standing"]:
        raise BadMove(f"{who.name} is {who.state} already.", "standing")
    told = f"{who.name} is {WORDS[values['standing']]} now{quote(values['words'])}."
    return Done((Stands(who.id, values["standing"], values["words"]),), (Step("PN-11", told),))


def ready(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """Who was caught off guard can act, and rolls for a place (PN-07)."""
    told = f"{state.combatant(values['who']).name} can act now, and rolls for a place in the order."
    return Done((Readied(values["who"]),), (Step("PN-07", told),))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Done[Event]:
    """The GM ends the fight."""
    what = "The roll" if state.settings.opposed else "The fight"
    return Done((Ended("", values["words"]),), (Step("PN-11", f"{what} ends{quote(values['words'])}."),))


def _d20(state: State, sheets: Sheets, purse: Purse, faces: Faces) -> Done[Event] | Need:
    pending = _pending(state)
    if not faces or (len(faces) == 1 and pending.roll.opens(faces[0])):
        return Need((20,))
    opens = pending.roll.opens(faces[0])
    take(faces, 2 if opens else 1)
    again = "rolls again" if purse.effects else "rolls"
    purse.fell(faces[0])
    event = Struck(pending.by, faces[0], faces[1] if opens else None)
    after = evolve(state, event)
    thrown = Thrown(pending.roll, event.first, event.second, pending.faces)
    told = f"{purse.sheet.name} {again}: {plain(thrown.d20)} against {thrown.d6}."
    done = Done[Event]((event,), (Step("PN-06", told), *thrown.steps(), *purse.steps), {}, _pending(after).drawn)
    return _settled(after, sheets, purse, done)


def _settled(state: State, sheets: Sheets, purse: Purse | None, done: Done[Event]) -> Done[Event]:
    """The attack is read as soon as nobody can roll anything again."""
    effects = (*done.effects, *(purse.effects if purse else ()))
    pending = _pending(state)
    points = {purse.sheet.id: purse.points} if purse else {}
    waiting = [
        who for who in (pending.by, pending.target)
        if state.combatant(who).player and points.get(who, sheets[who].pool(MULLIGANS)) and who not in pending.stands
    ]
    result: dict[str, Value] = {**pending.result, "waiting": [state.combatant(who).name for who in waiting]}
    if pending.thrown is None:
        return Done(done.events, done.steps, result, done.dice, effects)
    rolls = (attack_roll(pending.thrown, harmless=state.settings.opposed),)
    if waiting:
        return Done(done.events, done.steps, result, done.dice, effects, rolls)
    degree, foe = pending.thrown.degree, state.combatant(pending.target).name
    if state.settings.opposed:
        event, told = WasRead(False), f"{prevails(state, pending)}."
    elif pending.result["success"]:
        event, told = WasRead(True), f"A hit: {hit_in_words(pending, foe)}"
    elif degree <= BACKFIRES_FROM:
        name = state.combatant(pending.by).name
        event, told = WasRead(True), f"{signed(degree)}, {band_of(degree)}: a miss that may turn on {name}."
    else:
        event, told = WasRead(False), f"{signed(degree)}, {band_of(degree)}: a miss."
    hurts = pending.result["success"] and not state.settings.opposed
    read: dict[str, Value] = {"reading": told, "damage": damage_of(degree) if hurts else None}
    steps = (*done.steps, Step("PN-06", told))
    return Done((*done.events, event), steps, {**result, **read}, done.dice, effects, rolls)


def _hurt(state: State, words: str, standing: str) -> Done[Event]:
    pending = _pending(state)
    who = state.combatant(pending.target)
    degree = pending.thrown.degree if pending.thrown else 0
    told = f"{who.name} is hurt: {words} ({signed(degree)}, {band_of(degree)})." if words else (
        f"The hit leaves no mark on {who.name}.")
    steps = [Step("PN-10", told)]
    if standing != FIGHTING:
        steps.append(Step("PN-11", f"{who.name} is {WORDS[standing]} now."))
    effects = (Gain(who.id, WOUND, words, degree),) if words else ()
    result: dict[str, Value] = {"who": who.name, "wound": words, "degree": degree, "standing": standing}
    return Done((Wounded(who.id, words, standing),), tuple(steps), result, effects=effects)


def _pending(state: State) -> Attack:
    if state.attack is None:
        raise BadMove("No attack is under way.")
    return state.attack


def _purse(state: State, sheets: Sheets, who: str) -> Purse:
    return Purse(sheets[who], player=state.combatant(who).player, swing=state.settings.swing)

