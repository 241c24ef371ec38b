"""Contests that augments and flaws have of their own within a long one; flaws that have their way (QW-22 to QW-24).

*Ruling*: a story point is the character's gain there as elsewhere: it bumps an augment up, and against a flaw what
stands against that flaw. What a compelled act does in the round the GM says; the round itself is rolled as ever.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice as ChoiceField
from rules.fields import text
from rules.moves import Need, Step, take
from rules.procedure import Offer, Options
from rules.sheet import Effect, Sheet, Trait
from rules.systems.questworlds.experience import FLAW
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.long.beside import decider
from rules.systems.questworlds.long.chances import of_roll
from rules.systems.questworlds.long.counting import Added, augments, counts
from rules.systems.questworlds.long.dice import (
    Settled,
    abilities,
    both,
    choice_of,
    comes_of,
    fall,
    laid,
    last_ability,
    two,
    with_ability,
)
from rules.systems.questworlds.long.ending import TookLesson
from rules.systems.questworlds.long.pairs import awaited, gms, own
from rules.systems.questworlds.long.state import Result, State
from rules.systems.questworlds.long.values import (
    AGAINST_A_FLAW,
    OWN_AUGMENT,
    OWN_HINDRANCE,
    Choice,
    Line,
    Proposal,
    Throw,
)
from rules.systems.questworlds.long.why import of_roll as why_of
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.older.degrees import degree_of, in_words
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.traits import BONUSES, FLAWS, SCORED, flaws, score_of
from rules.wording import sentence


@dataclass(frozen=True)
class AugmentRolled(Event[State]):
    """The augment's own contest is over."""

    place: int
    won: bool

    def after(self, state: State) -> State:
        return replace(state, proposals=tuple(
            replace(proposal, won=self.won) if place == self.place else proposal
            for place, proposal in enumerate(state.proposals)))


@dataclass(frozen=True)
class FlawOvercome(Event[State]):
    """A flaw's own contest was lost: it is no hindrance here, and is not tried again (QW-23)."""

    who: str
    trait: str

    def after(self, state: State) -> State:
        return replace(state, overcome=(*state.overcome, self.trait))


@dataclass(frozen=True)
class FlawMet(Event[State]):
    """A flaw came up in this round: somebody acted against it, or as it dictates (QW-24)."""

    who: str
    trait: str

    def after(self, state: State) -> State:
        return replace(state, met=(*state.met, (state.round, self.trait)))


def _to_roll_for(state: State) -> Iterator[tuple[int, Proposal]]:
    """The augments whose own contest decides, with their places."""
    return ((place, proposal) for place, proposal in enumerate(state.proposals)
            if proposal.verdict == "roll" and proposal.won is None)


def can_roll_augment(state: State, sheet: Sheet) -> Offer | None:
    """To whoever offered it, once the GM has answered."""
    mine = [proposal for _, proposal in _to_roll_for(state) if proposal.by == sheet.id]
    return Offer("roll_augment", sheet.id, f"Roll for the augment: {mine[0].name}", rolls=True) if mine else None


def roll_augment(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The augment's own contest against the base; it teaches nothing (QW-22)."""
    if (dice := two(faces)) is None:
        return both(faces)
    place, offered = next((place, offered) for place, offered in _to_roll_for(state) if offered.by == by)
    trait = sheets[by].trait(offered.trait)
    choice = (with_ability(state, sheets[by], trait) if trait else
              Choice(offered.trait, offered.name, offered.score))
    return fall(state, sheets, laid(
        state, OWN_AUGMENT, by, choice, dice, name=offered.name, second_name="the base",
        resistance=state.settings.base, deciders=(decider(state, sheets, by), ""), whom=offered.whom, step=place))


@comes_of(OWN_AUGMENT, State, victory="helps", defeat="does not help", tie="does not help")
def augment_came(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """What an augment's own contest comes to."""
    lies, steps = throw.thrown, [Step("QW-80", "An augment earns no experience.")]
    offered, symbol = state.proposals[lies.step], state.settings.symbol
    amount = state.policy.augment(clash, offered.bonus)
    if state.policy.by_degree:
        degree = f"A {in_words(degree_of(clash))} comes to {signed(amount, symbol)}."
        steps.insert(0, Step("QW-A8", degree))
    over = AugmentRolled(lies.step, amount > 0)
    if not amount:
        return (over,), tuple(steps), "It is not tried again.", ()
    line = augments(state, sheets, offered, amount)
    return (over, Added(line)), tuple(steps), f"{state.name_of(offered.whom)} has {signed(amount, symbol)}.", ()


def hinder(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A flaw gets in its owner's way, straight away or after its own contest (QW-23)."""
    whom, trait = _whose(state, sheets, values["trait"])
    amount = int(values.get("amount") or -state.edition.modifiers.hindrance[0])
    if values.get("how") == "rolled":
        if (dice := two(faces)) is None:
            return both(faces)
        choice = Choice(trait.id, trait.name, score_of(trait, whom), words=values["reason"])
        return fall(state, sheets, laid(
            state, OWN_HINDRANCE, whom.id, choice, dice, name=trait.name, second_name="the base",
            resistance=state.settings.base, deciders=("", decider(state, sheets, whom.id)), whom=whom.id, step=amount))
    take(faces, 0)
    reason = values["reason"] or (f"{sheets[by].name} says so" if by else "")
    line = Line(whom.id, "hindrance", trait.name, amount, reason, trait.id, said_by=by)
    because = f" {sentence(reason)}" if reason else ""
    text = f"{trait.name} hinders {whom.name}: {counts(line, state)}.{because}"
    return Result((Added(line),), (Step("QW-23", text), *_later(state, whom.id)))


def _later(state: State, who: str) -> tuple[Step, ...]:
    """That a hindrance may teach something."""
    teaches = state.settings.counts and who in state.settings.players
    return (Step("QW-80", "It may be worth a point, once the penalty has met the dice."),) if teaches else ()


@comes_of(OWN_HINDRANCE, State, victory="gets in the way", defeat="does not get in the way",
          tie="does not get in the way")
def hindrance_came(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """What a flaw's own contest comes to."""
    lies, name = throw.thrown, state.name_of(throw.thrown.whom)
    if clash.lead <= 0:
        return (FlawOvercome(lies.whom, lies.choice.trait),), (), f"{name} overcomes it: it is no hindrance here.", ()
    line = Line(lies.whom, "hindrance", lies.choice.name, lies.step, lies.choice.words, lies.choice.trait)
    return (Added(line),), _later(state, lies.whom), f"{name} has {counts(line, state)}.", ()


def can_hinder(state: State, sheets: Sheets) -> Offer | None:
    """A flaw, or another line, that gets in the way (QW-23)."""
    used = {line.source for line in state.lines if line.kind == "hindrance"} | {*state.overcome}
    lines = _lines(state, sheets, (*FLAWS, *SCORED, *BONUSES), used)
    if not lines:
        return None
    amounts = tuple((str(-number), signed(-number)) for number in state.edition.modifiers.hindrance)
    fields = (text("trait", "Flaw", needed=True),
              ChoiceField(name="amount", label="How much", options=amounts, default=amounts[0][0]),
              ChoiceField(name="how", label="Is it in doubt?", default="straight",
                          options=(("straight", "It applies"), ("rolled", "Roll the flaw against the base"))),
              text("reason", "Reason", most=200))
    return Offer("hinder", "", "Apply a flaw", "", fields, {"trait": lines}, rolls=True)


def can_admit(state: State, sheet: Sheet) -> Offer | None:
    """One's own flaw, that one says oneself gets in the way (QW-23)."""
    used = {line.source for line in state.lines if line.kind == "hindrance"}
    options = _own_flaws(state, sheet, used)
    if not options:
        return None
    help = f"{signed(-state.edition.modifiers.hindrance[0])}, and it may be worth a point. The GM can remove it."
    return Offer("hinder", sheet.id, "Let a flaw hinder you", help,
                 (text("trait", "Flaw", needed=True), text("reason", "Reason", most=200)), {"trait": options})


def offer_to_hinder(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM any line that gets in the way, to each player a flaw of their own."""
    yield from gms(can_hinder)(state, sheets)
    yield from own(can_admit)(state, sheets)


def can_act_against(state: State, sheet: Sheet) -> Offer | None:
    """A flaw of one's own that one acts against: its score is then the resistance (QW-24)."""
    options = _own_flaws(state, sheet, {trait for number, trait in state.met if number == state.round})
    if not options or not abilities(state, sheet):
        return None
    fields = (text("flaw", "Flaw", needed=True), text("ability", "Ability"), text("words", "In your words", most=200))
    return Offer("act_against", sheet.id, "Act against a flaw", "It takes a contest against the flaw’s own score.",
                 fields, {"flaw": options, "ability": abilities(state, sheet)}, rolls=True,
                 now={"flaw": options[0][0], "ability": last_ability(state, sheet)})


def act_against(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Somebody acts against a flaw: it resists with its own score (QW-24)."""
    if (dice := two(faces)) is None:
        return both(faces)
    _, flaw = _whose(state, sheets, values["flaw"])
    return fall(state, sheets, laid(
        state, AGAINST_A_FLAW, by, choice_of(state, sheets, by, values), dice, second_name=flaw.name,
        resistance=score_of(flaw, sheets[by]) or state.settings.base, deciders=(decider(state, sheets, by), ""),
        whom=flaw.id))


@comes_of(AGAINST_A_FLAW, State, victory="prevails", defeat="fails", tie="does not prevail")
def flaw_came(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """Whether a flaw was overcome; it was used however that came out (QW-24, QW-80)."""
    lies = throw.thrown
    told = f"{lies.first_name} acts against it." if clash.lead > 0 else f"{lies.second_name} has its way."
    lessons, why, effects = _taught(state, sheets[lies.first], lies.second_name, "against a flaw")
    return (FlawMet(lies.first, lies.whom), *lessons), why, told, effects


def can_compel(state: State, sheets: Sheets) -> Offer | None:
    """A flaw of somebody in it that has come up (QW-24)."""
    lines = _lines(state, sheets, FLAWS, {trait for number, trait in state.met if number == state.round})
    if not lines:
        return None
    now = {"trait": lines[0][0]} if len(lines) == 1 else None
    return Offer("compel", "", "Compel a flaw", "They act as it dictates: no dice, and 1 experience.",
                 (text("trait", "Flaw", needed=True),), {"trait": lines}, now=now)


def compel(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A compelled act earns a point, and there is no contest with the flaw (QW-24)."""
    whom, trait = _whose(state, sheets, values["trait"])
    lessons, why, effects = _taught(state, whom, trait.name, "compelled")
    said = Step("QW-24", f"{whom.name} acts as {trait.name} dictates: no die falls.")
    return Result((FlawMet(whom.id, trait.id), *lessons), (said, *why), effects=effects)


def _taught(
    state: State, sheet: Sheet, flaw: str, how: str
) -> tuple[tuple[TookLesson, ...], tuple[Step, ...], tuple[Effect, ...]]:
    lessons, why, effects = learned(state, sheet, FLAW, flaw, how)
    return tuple(TookLesson(**vars(lesson)) for lesson in lessons), why, effects


def _whose(state: State, sheets: Sheets, trait_id: str) -> tuple[Sheet, Trait]:
    """Whose line it is, among those in it, and the line."""
    return next((sheet, trait) for sheet in sheets.values()
                if state.contestant(sheet.id) and (trait := sheet.trait(trait_id)))


def _lines(state: State, sheets: Sheets, kinds: Sequence[str], without: set[str]) -> Options:
    """Lines of these kinds of all who stand in it."""
    return tuple((trait.id, f"{contestant.name}: {trait.name}") for contestant in state.contestants
                 if contestant.fights and contestant.id in sheets
                 for trait in sheets[contestant.id].traits if trait.kind in kinds and trait.id not in without)


def _own_flaws(state: State, sheet: Sheet, without: set[str]) -> Options:
    """Flaws of somebody who stands in it."""
    contestant = state.contestant(sheet.id)
    if contestant is None or not contestant.fights:
        return ()
    return tuple((trait.id, trait.name) for trait in flaws(sheet) if trait.id not in without)


EVENTS = (AugmentRolled, FlawOvercome, FlawMet)
ROLL_AUGMENT: Act[Any] = awaited(
    Act("roll_augment", own(can_roll_augment), roll_augment, odds=of_roll(roll_augment), why=why_of(roll_augment)),
    "roll for the augment", "Roll")
HINDER: Act[Any] = Act("hinder", offer_to_hinder, hinder)
ACT_AGAINST: Act[Any] = Act("act_against", own(can_act_against), act_against, odds=of_roll(act_against),
                            why=why_of(act_against))
COMPEL: Act[Any] = Act("compel", gms(can_compel), compel)
