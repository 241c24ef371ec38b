"""Reactions to an attack, and the dice of both sides (PQ-13, PQ-14)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Field, Text
from rules.moves import Die, Need, Roll, Step, take
from rules.procedure import Ask, Offer, Options, Use, met
from rules.sheet import Sheet
from rules.systems.pdq.attack import Blow, Strike, explain, rolled, rolls_of
from rules.systems.pdq.chart import is_weakness, rank_of, usable
from rules.systems.pdq.conflict.fields import WORDS, several
from rules.systems.pdq.conflict.sides import (
    LEAD,
    attack_side,
    first_damage,
    given,
    leading,
    lines_for,
    on_their_word,
    reaction_shifts,
    side_of,
    strikes,
    used_up,
    why_side,
)
from rules.systems.pdq.conflict.state import (
    Applied,
    Attack,
    Contestant,
    Hit,
    Landed,
    Phase,
    Reaction,
    Result,
    State,
    wounds_of,
)
from rules.systems.pdq.conflict.weakness import can_be_weak, unsaid
from rules.systems.pdq.harm import WEAK, noted, ranks
from rules.systems.pdq.reckoning import Terms, kept, odds_of_attack, settle, terms
from rules.systems.pdq.roll import Shift, Side
from rules.values import Value
from rules.why import Why
from rules.wording import join, quoted

Faces = Sequence[int]

WEAKNESS = Text(name="weakness", label="A weakness that applies", most=100,
                help="2 damage more, for it would be the first of the scene.")


@dataclass(frozen=True)
class Defended(Event[State]):
    """A target answers the attack (PQ-13)."""

    who: str
    qualities: tuple[Applied, ...]
    lead: int | None
    shifts: tuple[Shift, ...]
    weakness: bool
    words: str

    def after(self, state: State) -> State:
        if state.attack is None:
            return state
        reaction = Reaction(self.who, self.qualities, self.lead, self.shifts, self.weakness, self.words)
        return replace(state, attack=replace(state.attack, reactions=(*state.attack.reactions, reaction)))


@dataclass(frozen=True)
class Struck(Event[State]):
    """The dice of an attack fell, or it failed without any; the damage is known.

    `terms` and `faces` are what the attacker rolled with, None and () where an older entry has not kept them; `fresh`
    are those whose first damage of the scene it is, `weak` those of them with a weakness that nobody has spoken of.
    """

    who: str
    hits: tuple[Hit, ...]
    terms: Terms | None = None
    faces: tuple[int, ...] = ()
    fresh: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()

    def after(self, state: State) -> State:
        for who in (self.who, *(hit.target for hit in self.hits if hit.rolled)):
            state = state.with_(who, grants=())
        wounds = wounds_of(self.who, self.hits)
        for wound in wounds:
            state = state.with_(wound.who, hurt=True)
        landed = Landed(self.who, self.terms, self.faces, self.hits, self.fresh) if self.terms else None
        doubts = (*state.doubts, *((who, self.who) for who in self.weak))
        return replace(state, attack=None, wounds=(*state.wounds, *wounds), landed=landed, doubts=doubts)

    def used(self, before: State) -> tuple[Use, ...]:
        attack, rolled = before.attack, {hit.target for hit in self.hits if hit.rolled}
        if attack is None:
            return ()
        return tuple(use for reaction in attack.reactions if reaction.by in rolled for use in met(
            self.who, _own(attack, self.who), reaction.by, _own(reaction, reaction.by)))


def _own(used: Attack | Reaction, who: str) -> tuple[str, ...]:
    """The lines of one's own in it: a helper's are the helper's."""
    return tuple(applied.trait for applied in used.qualities if applied.sheet == who)


def offer_defend(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each target that has not reacted."""
    for who in state.attack.unanswered if state.attack else ():
        sheet, contestant = sheets[who], state.contestant(who)
        fields: tuple[Field, ...] = (several("qualities", "Your qualities"), LEAD, lines_for(contestant), WORDS)
        options = {"qualities": _usable(state, contestant, sheet, "if it is all you use"),
                   "lead": _usable(state, contestant, sheet, "if it leads")}
        weak = tuple((trait.id, trait.name) for trait in sheet.traits if is_weakness(trait))
        if weak and can_be_weak(sheets, contestant):
            fields += (WEAKNESS,)
            options["weakness"] = weak
        yield Offer("defend", who, "React", fields=fields, options=options, rolls=True)


def ask_to_defend(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each target that has not reacted."""
    if state.attack and state.phase is Phase.DEFEND:
        text = f"react to {state.contestant(state.attack.by).name}"
        yield from (Ask(target, "defend", text, "React") for target in state.attack.unanswered)


def defend(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """A target reacts. With the last reaction the dice fall: the attacker's once, then each target's, in order."""
    event = _reaction(state, by, values)
    after = event.after(state)
    steps: tuple[Step, ...] = (Step("PQ-13", f"{state.contestant(by).name} reacts{quoted(values['words'])}"),)
    pending = after.attack
    if pending is None or pending.unanswered:
        take(faces, 0)
        waiting = pending.unanswered if pending else ()
        return Result((event,), (*steps, *on_their_word(event.shifts)), {"waiting": waiting})
    struck = _strike_all(after, sheets, pending, faces)
    if isinstance(struck, Need):
        return struck
    # An entry is called after its first step: what the attack came to. That somebody reacted is told for their words.
    came = Step("PQ-14", _came(after, pending, struck.events))
    said = steps if values["words"] else ()
    return replace(struck, events=(event, *struck.events), steps=(came, *said, *struck.steps))


def odds_of_defence(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """This target's part of the attack, exactly as it stands."""
    if state.attack is None:
        return ()
    after = _reaction(state, offer.by, values).after(state).attack
    alone = replace(after or state.attack, targets=(offer.by,))
    attacker = sheets[state.attack.by].name
    return tuple((f"The attack by {attacker}", odds_of_attack(move)) for _, move in strikes(state, sheets, alone))


def why_defence(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The side with which this target reacts (PQ-13)."""
    if state.attack is None:
        return None
    event = _reaction(state, offer.by, values)
    shifts = (*event.shifts, *given(state, offer.by))
    side = side_of(state, sheets, offer.by, event.qualities, shifts, event.lead)
    return why_side(sheets, offer.by, side, event.qualities)


def hit_result(target: str, blow: Blow) -> dict[str, Value]:
    """What an attack did to one target and its attacker, in numbers."""
    damage = {"attacker": blow.to_attacker, "defender": blow.to_defender}
    return {"target": target, "defence": blow.defence, "damage": damage}


def _reaction(state: State, by: str, values: Values) -> Defended:
    shifts = reaction_shifts(state.contestant(by), values)
    applied = tuple(Applied(by, trait) for trait in values["qualities"])
    return Defended(by, applied, leading(values), shifts, bool(values.get("weakness", "")), values["words"])


def _came(state: State, pending: Attack, events: Sequence[Event[State]]) -> str:
    """An attack in a sentence: who is hurt by whom, and how much."""
    wounds = [wound for event in events if isinstance(event, Struck) for wound in wounds_of(event.who, event.hits)]
    attacker, harm = state.contestant(pending.by).name, state.settings.harm
    if not wounds:
        return f"{attacker} does not hit {state.names(pending.targets)}."
    taken = [f"{state.contestant(wound.who).name} takes {ranks(wound.amount, harm)}" for wound in wounds]
    return f"{attacker} attacks {state.names(pending.targets)}: {join(taken)}."


def _strike_all(state: State, sheets: Sheets, pending: Attack, faces: Faces) -> Result | Need:
    side, made = attack_side(state, sheets, pending), strikes(state, sheets, pending)
    wanted = (side.dice, *(move.defence_dice for _, move in made))
    runs = take(faces, *wanted)
    if runs is None:
        return Need((6,) * (sum(wanted) - len(faces)))
    thrown, *parries = runs
    blows = [(reaction.by, move, parried) for (reaction, move), parried in zip(made, parries, strict=True)]
    hits = tuple(hit_of(target, move, thrown, parried) for target, move, parried in blows)
    attacker = state.contestant(pending.by)
    dice = [Die(6, face, attacker.name) for face in thrown]
    rolls: list[Roll] = []
    for target, move, parried in blows:
        dice += [Die(6, face, state.contestant(target).name) for face in parried]
        rolls += rolls_of(move, (*thrown, *parried))
    fresh = first_hurt(state, sheets, pending.by, hits)
    struck = Struck(pending.by, hits, kept(side), tuple(thrown), fresh, unsaid(sheets, hits))
    weak = [reaction.by for reaction, _ in made if reaction.weakness]
    result, steps = told(state, pending.by, side, blows, thrown)
    return Result((struck,), steps, result, tuple(dice), rolls=tuple(rolls),
                  effects=(*noted(sheets, *fresh), *noted(sheets, *weak, what=WEAK), *used_up(
                      state, pending.by, *(hit.target for hit in hits if hit.rolled))))


def first_hurt(
    state: State, sheets: Sheets, by: str, hits: Sequence[Hit], before: Sequence[str] = ()
) -> tuple[str, ...]:
    """Whose first damage of the scene these are; `before` are those whose first it was when they were read last."""
    hurt = dict.fromkeys(wound.who for wound in wounds_of(by, hits))
    return tuple(who for who in hurt if who in before or first_damage(sheets, state.contestant(who)))


def hit_of(target: str, move: Strike, thrown: Faces, parried: Faces) -> Hit:
    """What these faces come to for one target, with the terms of it."""
    blow = settle(move, thrown, parried)
    return Hit(target, blow.to_attacker, blow.to_defender, bool(parried), kept(move.defender), tuple(parried),
               move.weapon, move.surprise, move.weakness, move.first_damage)


def told(
    state: State, by: str, side: Side, blows: Sequence[tuple[str, Strike, Faces]], thrown: Faces
) -> tuple[dict[str, Value], tuple[Step, ...]]:
    """What these faces come to against each target, in numbers and in words."""
    attacker, counted = state.contestant(by).name, thrown[:side.dice]
    steps = [*side.steps(attacker), *([rolled(attacker, sum(counted), side)] if counted else ())]
    hits: list[Value] = []
    blow = Blow(None, None)
    for target, move, parried in blows:
        name, blow = state.contestant(target).name, settle(move, thrown, parried)
        steps += _defender_steps(move, name, parried[:move.defence_dice])
        explained = explain(move, blow, attacker, name, unit=partial(ranks, harm=state.settings.harm))
        # Of several targets each line says whose it is.
        steps += [replace(step, text=f"{name}: {step.text}") for step in explained] if len(blows) > 1 else explained
        hits.append(hit_result(target, blow))
    return {"attack": blow.attack, "hits": hits}, tuple(steps)


def _defender_steps(move: Strike, name: str, parried: Sequence[int]) -> tuple[Step, ...]:
    if move.static_defence or move.attacker.fails:
        return ()
    side = move.defender
    return (*side.steps(name), rolled(name, sum(parried), side)) if parried else side.steps(name)


def _usable(state: State, who: Contestant, sheet: Sheet, when: str) -> Options:
    """Qualities to react with; each one that a downshift would take below poor says what comes of it (PQ-13)."""
    shifts = (*reaction_shifts(who), *given(state, who.id))
    return tuple(
        (trait.id, f"{trait.name}, {rank_of(trait).notation}" + (
            f"; {when}, it counts 0 and the whole attack hits"
            if state.settings.defence == "roll" and terms((trait,), shifts).fails else ""))
        for trait in sheet.traits if usable(trait)
    )


DEFEND = Act("defend", offer_defend, defend, ask_to_defend, odds_of_defence, why_defence)
EVENTS = (Defended, Struck)
