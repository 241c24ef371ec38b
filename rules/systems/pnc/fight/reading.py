"""Both parts of an attack: the d20 falls, they are read, and either may fall again (PN-04, PN-06, PN-09)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from rules.engine import Act, Event, Sheets, Values, after
from rules.moves import Need, Step, take
from rules.procedure import Ask, Offer
from rules.sheet import Effect, Gain
from rules.systems.pnc.character import WOUND
from rules.systems.pnc.contract_rolls import attack as attack_roll
from rules.systems.pnc.dice import Fallen, plain
from rules.systems.pnc.fight.aftermath import Wounded, hit_in_words, mark, undone, wound_in_words
from rules.systems.pnc.fight.order import purse_of, roll_again
from rules.systems.pnc.fight.state import Aftermath, Attack, Combatant, OfAttack, Phase, Result, State, prevails
from rules.systems.pnc.fight.why import why_again, why_attack
from rules.systems.pnc.mulligans import MULLIGANS, Purse, left_of
from rules.systems.pnc.reckoning import Kept, settle
from rules.systems.pnc.roll_odds import spread
from rules.systems.pnc.standard_roll import damage_of
from rules.values import Value
from rules.wording import percent

Faces = Sequence[int]


@dataclass(frozen=True)
class Struck(OfAttack):
    """The attacker's part: the d20, and what followed an open one. `terms` are what both parts are read with; where
    there are none, what was put down before."""

    who: str
    first: int
    second: int | None
    terms: Kept | None = None

    def to(self, attack: Attack) -> Attack:
        known = self.terms or attack.terms
        # Whatever falls again has to be let stand again.
        return replace(attack, first=self.first, second=self.second, stands=(), weights=known.weights,
                       open_ended=known.open_ended)


@dataclass(frozen=True)
class DefendedAgain(OfAttack):
    """The defender rolled their part again."""

    stored = "thrown6"

    who: str
    faces: tuple[int, ...]

    def to(self, attack: Attack) -> Attack:
        return replace(attack, faces=self.faces, stands=())


@dataclass(frozen=True)
class Stood(OfAttack):
    """Somebody lets both parts stand."""

    who: str

    def to(self, attack: Attack) -> Attack:
        return replace(attack, stands=(*attack.stands, self.who))


@dataclass(frozen=True)
class Read(Event[State]):
    """Both parts are read. `pending` says whether a wound or a ruling may follow."""

    stored = "was_read"

    pending: bool

    def after(self, state: State) -> State:
        attack = state.attack
        if attack is None:
            return state
        for who, foe in ((attack.by, attack.target), (attack.target, attack.by)):
            met = tuple(other for other in state.combatant(who).met if other != foe)
            state = state.with_(who, met=(*met, foe))
        return replace(state, attack=None, last=attack, aftermath=Aftermath(attack))


@dataclass(frozen=True)
class AttackReopened(Event[State]):
    """A part of the attack that was read last falls again, or both are read again: an opposed roll is not over then."""

    def after(self, state: State) -> State:
        return replace(state, over=False, attack=replace(state.last, stands=()) if state.last else None)


def pending(state: State) -> Attack:
    """The attack that is under way, for an act that is offered only while one is."""
    return cast(Attack, state.attack)


def drop_d20(state: State, purse: Purse, faces: Faces) -> Result | Need:
    """The attacker's part falls."""
    attack = pending(state)
    if not faces or (len(faces) == 1 and attack.roll.opens(faces[0])):
        return Need((20,))
    opens = attack.roll.opens(faces[0])
    take(faces, 2 if opens else 1)
    again = "rolls again" if purse.effects else "rolls"
    purse.fell(faces[0])
    struck = Struck(attack.by, faces[0], faces[1] if opens else None, attack.terms)
    thrown = settle(attack.roll, Fallen(struck.first, struck.second, attack.faces))
    text = f"{purse.sheet.name} {again}: {plain(thrown.d20)} against {thrown.d6}."
    return Result((struck,), (Step("PN-06", text), *thrown.steps(), *purse.steps), dice=struck.to(attack).drawn)


def _drop_sixes(state: State, by: str, purse: Purse, faces: Faces) -> Result | Need:
    """The defender's dice fall again."""
    count = pending(state).roll.dice
    if take(faces, count) is None:
        return Need((6,) * (count - len(faces)))
    again = DefendedAgain(by, tuple(faces))
    fallen = again.to(pending(state))
    text = f"{state.combatant(by).name} rolls again: {fallen.d6} to get over."
    dice = tuple(die for die in fallen.drawn if die.sides == 6)
    read = fallen.thrown.steps() if fallen.thrown else ()
    return Result((again,), (Step("PN-09", text), *read, *purse.steps), dice=dice)


def settled(state: State, sheets: Sheets, so_far: Result, points: Mapping[str, int] | None = None) -> Result:
    """The roll is read. An opposed one waits for whom it goes against, where they could roll again (PN-09).

    `points` are mulligan points that this act has changed.
    """
    state = after(state, so_far.events)
    attack = pending(state)
    if attack.thrown is None:
        return so_far
    rolls = (attack_roll(attack.thrown, harmless=state.settings.opposed),)
    result: dict[str, Value] = {**attack.result}
    so_far = replace(so_far, result=result, rolls=rolls)
    if not state.settings.opposed:
        return _read(state, so_far)
    loser = state.loser
    if loser and loser.player and loser.id not in attack.stands:
        held = (points or {}).get(loser.id, sheets[loser.id].pool(MULLIGANS))
        if held:
            return replace(so_far, result={**result, "waiting": [loser.name]})
    text = f"{prevails(state, attack)}."
    return replace(so_far, events=(*so_far.events, Read(False)), steps=(*so_far.steps, Step("PN-06", text)),
                   result={**result, "reading": text, "damage": None})


def _read(state: State, so_far: Result) -> Result:
    """What an attack comes to: a hit is a wound in the words of its degree, which may be changed (PN-06, PN-10)."""
    attack = pending(state)
    by, target = state.combatant(attack.by), state.combatant(attack.target)
    events: tuple[Event[State], ...] = (Read(attack.success or attack.backfires),)
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    if attack.success:
        text = f"A hit: {hit_in_words(attack, target.name)}"
        words = wound_in_words(attack, by.name)
        events = (*events, Wounded(target.id, words, target.standing))
        steps = (mark(attack, target, words),)
        effects = (Gain(target.id, WOUND, words, attack.degree),) if words else ()
    elif attack.backfires:
        text = f"{attack.reading}: a miss that may turn on {by.name}."
    else:
        text = f"{attack.reading}: a miss."
    read: dict[str, Value] = {"reading": text, "damage": damage_of(attack.degree) if attack.success else None}
    return replace(so_far, events=(*so_far.events, *events), steps=(*so_far.steps, Step("PN-06", text), *steps),
                   result={**so_far.result, **read}, effects=effects)


def offer_stand(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whom an opposed roll goes against."""
    if state.attack and state.loser and state.phase is Phase.SECOND_THOUGHTS:
        yield Offer("stand", state.loser.id, f"Let it stand: {state.attack.reading}")


def ask_to_stand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Whom an opposed roll goes against."""
    if state.attack and state.loser and state.phase is Phase.SECOND_THOUGHTS:
        text = f"let it stand ({state.attack.reading}) or roll again"
        hits = state.attack.success and not state.settings.opposed
        yield Ask(state.loser.id, "stand", text, "Decide", decision=True, stands=True, hurts=hits)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Whom an opposed roll goes against lets it stand."""
    text = f"{state.combatant(by).name} lets it stand: {pending(state).reading}."
    return settled(state, sheets, Result((Stood(by),), (Step("PN-09", text),)))


def may_roll_again(state: State, sheets: Sheets) -> tuple[Combatant, ...]:
    """Those who have a mulligan for a part of the last attack, or for their place, which nobody acted upon (PN-09)."""
    return tuple(who for who in state.fighting if _points(who, sheets) and (
        rolls_attack_again(state, who.id) or _rolls_place_again(state, who)))


def rolls_attack_again(state: State, who: str) -> bool:
    """Whether it is their part of the attack that was read last that may fall again."""
    aftermath = state.aftermath
    return bool(aftermath and aftermath.may_roll_again and who in (aftermath.attack.by, aftermath.attack.target))


def _rolls_place_again(state: State, who: Combatant) -> bool:
    # Whoever acts now has the best place there is.
    return who.id in state.new_places and who.dice is not None and who.id not in state.acting


def offer_mulligan(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whom an opposed roll goes against; after an attack or for a place, to those who could do better."""
    if state.attack:
        loser = state.loser
        if loser and state.phase is Phase.SECOND_THOUGHTS:
            yield from _again(loser, sheets, state.attack, opposed=True)
        return
    for who in may_roll_again(state, sheets) if state.combatants and not state.over else ():
        of_attack = state.aftermath and rolls_attack_again(state, who.id)
        yield from _again(who, sheets, state.aftermath.attack if state.aftermath and of_attack else None)


def _again(who: Combatant, sheets: Sheets, attack: Attack | None, *, opposed: bool = False) -> Iterator[Offer]:
    """Rolling a part of this attack again; without one, for one's place."""
    if points := _points(who, sheets):
        part, chance = "initiative", ""
        if attack:
            part = "the d20" if who.id == attack.by else f"your {attack.roll.dice}d6"
            chance = _chance(attack, who.id, opposed=opposed)
        help = f"Costs a mulligan point; {left_of(points)}. The new dice count."
        yield Offer("mulligan", who.id, f"Roll {part} again{chance}", help, rolls=True)


def _chance(attack: Attack, who: str, *, opposed: bool = False) -> str:
    """What new dice of one part may come to while the other lies: `: 38.5% to hit`."""
    mine = who == attack.by
    odds = spread(attack.roll, d6=attack.d6) if mine else spread(attack.roll, d20=(attack.first, attack.second))
    if opposed:
        return f": {percent(odds.success if mine else 1 - odds.success)} to prevail"
    if mine and attack.success:
        return f": {percent(odds.better(attack.degree))} to hit harder, {percent(1 - odds.success)} to miss"
    return f": {percent(odds.success)} to hit" if mine else f": {percent(1 - odds.success)} that it misses"


def _points(who: Combatant, sheets: Sheets) -> int:
    return sheets[who.id].pool(MULLIGANS) if who.player else 0


def mulligan(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """A point is spent, then one's own part of the attack, or one's roll for a place, falls again (PN-09)."""
    purse = purse_of(state, sheets, by)
    purse.spend()
    reopened: tuple[Event[State], ...] = ()
    effects: tuple[Effect, ...] = ()
    if state.attack is None:
        if not rolls_attack_again(state, by):
            return roll_again(state, sheets, by, faces, purse)
        reopened, effects = (AttackReopened(),), undone(state, sheets)
        state = after(state, reopened)
    own = by == pending(state).by
    rolled = drop_d20(state, purse, faces) if own else _drop_sixes(state, by, purse, faces)
    if isinstance(rolled, Need):
        return rolled
    read = settled(state, sheets, rolled, {by: purse.points})
    return replace(read, events=(*reopened, *read.events), effects=(*purse.effects, *effects, *read.effects))


STAND = Act("stand", offer_stand, stand, ask_to_stand, why=why_attack)
MULLIGAN = Act("mulligan", offer_mulligan, mulligan, why=why_again)
EVENTS: tuple[type[Event[State]], ...] = (Struck, DefendedAgain, Stood, Read, AttackReopened)
