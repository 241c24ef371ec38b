"""Reactions to an attack, a weakness that bears on it, and the dice of both sides (PQ-13, PQ-14)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Field, Text
from rules.moves import Die, Need, Roll, Step, take
from rules.procedure import Ask, Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq.attack import Blow, Strike, explain, rolled, rolls_of, strike
from rules.systems.pdq.conflict.sides import (
    LEAD,
    LINES,
    attack_side,
    defence_shifts,
    grant_shifts,
    leading,
    strikes,
)
from rules.systems.pdq.conflict.state import (
    WORDS,
    Applied,
    Attack,
    Contestant,
    Phase,
    Reaction,
    Result,
    State,
    Wound,
    about,
    several,
)
from rules.systems.pdq.harm import ranks
from rules.systems.pdq.roll import Shift, Side, shifts_of
from rules.systems.pdq.tables import exchange
from rules.systems.pdq.traits import is_weakness, rank_of, usable
from rules.tables import OddsAnswer
from rules.values import Value
from rules.wording import decimal, quoted

Faces = Sequence[int]

WEAKNESS = Text(name="weakness", label="A weakness that bears on it", most=100,
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
class Hit:
    """What an attack came to for one target (PQ-14). `rolled`: the target's own dice fell."""

    target: str
    to_attacker: int
    to_defender: int
    rolled: bool


@dataclass(frozen=True)
class Struck(Event[State]):
    """The dice of an attack fell, or it failed without any; the damage is known."""

    who: str
    hits: tuple[Hit, ...]

    def after(self, state: State) -> State:
        state = state.with_(self.who, grants=())
        wounds = list(state.wounds)
        for hit in self.hits:
            if hit.rolled:
                state = state.with_(hit.target, grants=())
            if hit.to_defender:
                wounds.append(Wound(hit.target, hit.to_defender, self.who))
                state = state.with_(hit.target, hurt=True)
            if hit.to_attacker:
                wounds.append(Wound(self.who, hit.to_attacker, hit.target, defending=False))
                state = state.with_(self.who, hurt=True)
        return replace(state, attack=None, wounds=tuple(wounds))


@dataclass(frozen=True)
class WeaknessCalled(Event[State]):
    """The GM said that a weakness of this target bears on the attack (PQ-14)."""

    who: str

    def after(self, state: State) -> State:
        if state.attack is None:
            return state
        return replace(state, attack=replace(state.attack, weak=(*state.attack.weak, self.who)))


def offer_defend(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each target that has not reacted."""
    for who in state.attack.unanswered if state.attack else ():
        sheet, contestant = sheets[who], state.contestant(who)
        fields: tuple[Field, ...] = (several("qualities", "Your qualities"), LEAD, LINES, WORDS)
        options = {"qualities": _usable(state, contestant, sheet, "if it is all you use"),
                   "lead": _usable(state, contestant, sheet, "if it leads")}
        weak = tuple((trait.id, trait.name) for trait in sheet.traits if is_weakness(trait))
        if weak and not contestant.hurt:
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
        return Result((event,), steps, {"waiting": pending.unanswered if pending else ()})
    struck = _strike_all(after, sheets, pending, faces)
    if isinstance(struck, Need):
        return struck
    return Result((event, *struck.events), (*steps, *struck.steps), struck.result, struck.dice, rolls=struck.rolls)


def odds_of_defence(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """This target's part of the attack, exactly as it stands."""
    if state.attack is None:
        return ()
    after = _reaction(state, offer.by, values).after(state).attack
    alone = replace(after or state.attack, targets=(offer.by,))
    attacker = sheets[state.attack.by].name
    return tuple((f"The attack by {attacker}", odds_of(move)) for _, move in strikes(state, sheets, alone))


def offer_call_weakness(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, of targets that have not reacted and would be hurt for the first time."""
    if state.attack is None:
        return
    weak = tuple(
        who for who in map(state.contestant, state.attack.unanswered)
        if not who.hurt and who.id not in state.attack.weak and any(map(is_weakness, sheets[who.id].traits))
    )
    if weak:
        yield about("call_weakness", "Call a weakness relevant", weak, help="2 damage more when the attack hits.")


def call_weakness(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """A weakness of a target bears on the attack (PQ-14)."""
    text = f"A weakness of {state.contestant(values['who']).name} bears on this attack."
    return Result((WeaknessCalled(values["who"]),), (Step("PQ-14", text),))


def odds_of(move: Strike) -> OddsAnswer:
    """How an attack on one target may end."""
    chances = exchange(move)
    facts = [f"{decimal(chances.mean_damage)} damage on average when it hits"] if chances.mean_damage else []
    if move.attacker.fails:
        facts.append("The attack fails without a roll: a downshift goes below Poor")
    elif move.defender.fails and not move.static_defence:
        facts.append("The reaction counts 0 and the whole attack hits: a downshift goes below Poor")
    outcomes = (("Hit", chances.higher, "good"), ("Tie", chances.tie, "fair"), ("Miss", chances.lower, "bad"))
    return OddsAnswer(outcomes, tuple(facts))


def hit_result(target: str, blow: Blow) -> dict[str, Value]:
    """What an attack did to one target and its attacker, in numbers."""
    damage = {"attacker": blow.to_attacker, "defender": blow.to_defender}
    return {"target": target, "defence": blow.defence, "damage": damage}


def _reaction(state: State, by: str, values: Values) -> Defended:
    shifts = (*defence_shifts(state.contestant(by)), *shifts_of(values["lines"]))
    applied = tuple(Applied(by, trait) for trait in values["qualities"])
    return Defended(by, applied, leading(values), shifts, bool(values.get("weakness", "")), values["words"])


def _strike_all(state: State, sheets: Sheets, pending: Attack, faces: Faces) -> Result | Need:
    attacker, side = state.contestant(pending.by), attack_side(state, sheets, pending)
    made = strikes(state, sheets, pending)
    wanted = (side.dice, *(move.defence_dice for _, move in made))
    runs = take(faces, *wanted)
    if runs is None:
        return Need((6,) * (sum(wanted) - len(faces)))
    thrown, *parries = runs
    steps = list(side.steps(attacker.name))
    steps += [rolled(attacker.name, sum(thrown), side)] if thrown else []
    dice = [Die(6, face, attacker.name) for face in thrown]
    hits: list[Hit] = []
    hit_results: list[Value] = []
    rolls: list[Roll] = []
    blow = Blow(None, None)
    for (reaction, move), parried in zip(made, parries, strict=True):
        name = state.contestant(reaction.by).name
        blow = strike(move, sum(thrown), sum(parried))
        steps += _defender_steps(move, name, parried)
        explained = explain(move, blow, attacker.name, name, unit=partial(ranks, harm=state.settings.harm))
        # Of several targets each line says whose it is.
        steps += [replace(step, text=f"{name}: {step.text}") for step in explained] if len(made) > 1 else explained
        dice += [Die(6, face, name) for face in parried]
        hits.append(Hit(reaction.by, blow.to_attacker, blow.to_defender, bool(parried)))
        hit_results.append(hit_result(reaction.by, blow))
        rolls += rolls_of(move, (*thrown, *parried))
    result: dict[str, Value] = {"attack": blow.attack, "hits": hit_results}
    return Result((Struck(pending.by, tuple(hits)),), tuple(steps), result, tuple(dice), rolls=tuple(rolls))


def _defender_steps(move: Strike, name: str, parried: Sequence[int]) -> tuple[Step, ...]:
    if move.static_defence or move.attacker.fails:
        return ()
    side = move.defender
    return (*side.steps(name), rolled(name, sum(parried), side)) if parried else side.steps(name)


def _usable(state: State, who: Contestant, sheet: Sheet, when: str) -> Options:
    """Qualities to react with; each one that a downshift would take below poor says what comes of it (PQ-13)."""
    shifts = (*defence_shifts(who), *grant_shifts(who))
    return tuple(
        (trait.id, f"{trait.name}, {rank_of(trait).notation}" + (
            f"; {when}, it counts 0 and the whole attack hits"
            if state.settings.defence == "roll" and Side((rank_of(trait),), shifts=shifts).fails else ""))
        for trait in sheet.traits if usable(trait)
    )


DEFEND = Act("defend", offer_defend, defend, ask_to_defend, odds_of_defence)
CALL_WEAKNESS = Act("call_weakness", offer_call_weakness, call_weakness)
EVENTS = (Defended, Struck, WeaknessCalled)
