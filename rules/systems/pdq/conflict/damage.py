"""Damage: placed on any qualities, or taken on the chin (PQ-15, PQ-16)."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Forecasts, Sheets, Values
from rules.fields import REQUIRED, Allocation, Text
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.sheet import Damage, Effect, SetDead, Sheet
from rules.systems.pdq.chart import Rank, can_lose, capacity, rank_of, spare
from rules.systems.pdq.conflict.fields import WORDS
from rules.systems.pdq.conflict.state import KILL, Deed, Phase, Result, State, Wound, put_out
from rules.systems.pdq.harm import CHIN, FAILURE, chin_used, easiest, noted, ranks
from rules.tables import OddsAnswer
from rules.values import BadMove, Value

Faces = Sequence[int]

SPREAD = Allocation(name="spread", label="Damage", default={}, help="By trait; below Poor in any is out of action.")
FIRM = Text(name="trait", label="Quality", default=REQUIRED, most=100,
            help="One at Good or better that applies to the attack.")


class Settled(Deed):
    """The first damage that somebody has to place is dealt with."""

    who: str

    def done(self, state: State) -> State:
        wounds = list(state.wounds)
        if wound := state.wound_of(self.who):
            wounds.remove(wound)
        return self.settled(replace(state, wounds=tuple(wounds)))

    @abstractmethod
    def settled(self, state: State) -> State:
        """The state after it, that damage gone."""


@dataclass(frozen=True)
class Suffered(Settled):
    """Damage was placed: so many ranks of each trait (PQ-16)."""

    who: str
    losses: tuple[tuple[str, int], ...]
    out: bool
    killed: bool

    def settled(self, state: State) -> State:
        return put_out(state, self.who, killed=self.killed) if self.out else state


@dataclass(frozen=True)
class TookOnTheChin(Settled):
    """1 damage to this trait instead of the whole (PQ-15); then nobody asks whether a weakness bears on that attack."""

    who: str
    trait: str

    def done(self, state: State) -> State:
        wound = state.wound_of(self.who)
        cancelled = (self.who, wound.by) if wound else ()
        return super().done(replace(state, doubts=tuple(doubt for doubt in state.doubts if doubt != cancelled)))

    def settled(self, state: State) -> State:
        return state.with_(self.who, chin_used=True)


def _hurt(state: State) -> Iterator[Wound]:
    """The next damage of each who has some to assign."""
    for who in state.contestants if state.phase is Phase.DAMAGE else ():
        if wound := state.wound_of(who.id):
            yield wound


def offer_take_damage(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who has damage to assign."""
    for wound in _hurt(state):
        sheet = sheets[wound.who]
        held = tuple((trait.id, f"{trait.name}, {rank_of(trait).notation}: {can_lose(trait)} here is out of action")
                     for trait in sheet.traits if can_lose(trait))
        yield Offer("take_damage", wound.who, "Assign damage", _placing(state, sheet, wound), (SPREAD, WORDS),
                    {"spread": held}, previews=True, now={"spread": easiest(sheet, wound.amount)})


def ask_to_place(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each who has damage to place, as it was dealt."""
    for who in state.waited_for if state.phase is Phase.DAMAGE else ():
        yield Ask(who, "take_damage", f"assign {ranks(_wound(state, who).amount, state.settings.harm)}", "Assign")


def take_damage(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Spreads damage over any qualities; below poor in one is out of action (PQ-16)."""
    wound, sheet, name = _wound(state, by), sheets[by], state.contestant(by).name
    losses: dict[str, int] = values["spread"]
    _check_spread(sheet, wound, losses)
    out = takes_out(sheet, wound.amount, losses)
    killed = out and _meant_to_kill(state, wound)
    listed = ", ".join(f"{trait.name} −{losses[trait.id]}" for trait in sheet.traits if trait.id in losses)
    harm = state.settings.harm
    steps = [Step("PQ-16", f"{name} takes {ranks(wound.amount, harm)}: {listed or 'nothing is left to lose'}.")]
    steps += _said(values["words"])
    if wound.amount > sum(losses.values()):
        steps.append(Step("PQ-16", f"{name}: all that the qualities can lose is lost; the rest has nowhere to go."))
    if out:
        steps.append(Step("PQ-16", f"{name} is out of action for the scene."))
    if killed:
        steps.append(Step("PQ-17", f"{state.contestant(wound.by).name} meant to kill: {name} dies."))
    effects: tuple[Effect, ...] = tuple(Damage(trait, lost, harm == FAILURE) for trait, lost in losses.items())
    effects += (SetDead(by),) if killed else ()
    result: dict[str, Value] = {
        "damage": wound.amount, "placed": sum(losses.values()), "harm": harm, "out": out, "killed": killed}
    event = Suffered(by, tuple(sorted(losses.items())), out, killed)
    return Result((event,), tuple(steps), result, effects=effects)


def preview(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """What placing damage so comes to: no dice fall for it (PQ-16)."""
    wound, sheet, spread = state.wound_of(offer.by), sheets[offer.by], values["spread"]
    if wound is None:
        return ()
    left = min(wound.amount, capacity(sheet)) - sum(spread.values())
    if takes_out(sheet, wound.amount, spread):
        dies = _meant_to_kill(state, wound)
        text = f"This {'kills' if dies else 'takes'} {sheet.name}{'' if dies else ' out of action'}"
    else:
        text = f"{sheet.name} stays in action"
    still = f", with {left} still to assign" if left > 0 else f": {-left} too many" if left < 0 else ""
    return ((f"{text}{still}", OddsAnswer(())),)


def takes_out(sheet: Sheet, amount: int, losses: Mapping[str, int]) -> bool:
    """Whether so much damage, placed so, puts a character out of action: below poor in any one quality (PQ-16)."""
    lost = (trait.now - losses[trait.id] for trait in sheet.traits if trait.id in losses)
    return any(now < Rank.POOR for now in lost) or amount > capacity(sheet)


def offer_chin(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who defended, once a scene, with a quality at good or better."""
    harm = state.settings.harm
    for wound in _hurt(state):
        firm = tuple((trait.id, f"{trait.name}, {rank_of(trait).notation}")
                     for trait in sheets[wound.who].traits if trait.now >= Rank.GOOD)
        if wound.defending and firm and not (
                state.contestant(wound.who).chin_used or chin_used(sheets[wound.who])):
            instead = f"Once a scene: {ranks(1, harm)} to one quality instead of {ranks(wound.amount, harm)}."
            yield Offer("take_on_the_chin", wound.who, "Take it on the chin", instead, (FIRM, WORDS), {"trait": firm})


def take_on_the_chin(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """1 damage to one quality instead of the whole, once a scene (PQ-15)."""
    wound = _wound(state, by)
    trait = next(trait for trait in sheets[by].traits if trait.id == values["trait"])
    harm = state.settings.harm
    text = (f"{state.contestant(by).name} takes it on the chin with {trait.name}: {ranks(1, harm)} there, "
            f"and the {ranks(wound.amount, harm)} of the attack are cancelled.")
    steps = (Step("PQ-15", text), *_said(values["words"]))
    return Result((TookOnTheChin(by, trait.id),), steps, {"damage": 1, "harm": harm, "cancelled": wound.amount},
                  effects=(Damage(trait.id, 1, harm == FAILURE), *noted(sheets, by, what=CHIN)))


def _placing(state: State, sheet: Sheet, wound: Wound) -> str:
    """What there is to place, and whether it takes this character out however it is placed (PQ-16)."""
    attacker, amount = state.contestant(wound.by), wound.amount
    to_place, room = min(amount, capacity(sheet)), spare(sheet)
    rest = f", {to_place} of which the qualities can lose" if to_place < amount else ""
    text = f"Assign {ranks(amount, state.settings.harm)}{rest}."
    if state.lethal and state.settings.killing == "asked" and attacker.intent:
        text += f" {attacker.name} means {'to kill' if attacker.intent == KILL else 'to put out of action'}."
    if amount > room:
        return f"{text} This takes {sheet.name} out of action, wherever you assign it."
    return f"{text} Up to {room} can be assigned with {sheet.name} still in action."


def _meant_to_kill(state: State, wound: Wound) -> bool:
    return state.lethal and state.settings.killing == "asked" and state.contestant(wound.by).intent == KILL


def _said(words: str) -> tuple[Step, ...]:
    """What a person tells of it in their own words, as a line of its own."""
    return (Step("PQ-16", f"“{words}”"),) if words else ()


def _wound(state: State, by: str) -> Wound:
    return next(wound for wound in state.wounds if wound.who == by)


def _check_spread(sheet: Sheet, wound: Wound, losses: Mapping[str, int]) -> None:
    for trait in sheet.traits:
        if losses.get(trait.id, 0) > can_lose(trait):
            text = f"{trait.name} can lose {can_lose(trait)}, down to one below Poor. Assign the rest elsewhere."
            raise BadMove(text, f"spread.{trait.id}")
    to_place, placed = min(wound.amount, capacity(sheet)), sum(losses.values())
    if placed != to_place:
        raise BadMove(f"Assign exactly {to_place} damage; you have assigned {placed}.", "spread")


ACTS = (
    Act("take_damage", offer_take_damage, take_damage, ask_to_place, preview),
    Act("take_on_the_chin", offer_chin, take_on_the_chin),
)
EVENTS = (Suffered, TookOnTheChin)
