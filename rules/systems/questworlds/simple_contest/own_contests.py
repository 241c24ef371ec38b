"""The contests that augments and flaws have of their own, against the base, with a story point where it turns them.

*Ruling*: a story point is offered where it turns the contest, and there it is always the character's gain: it bumps an
augment up, and against a flaw what stands against that flaw (QW-12, QW-22, QW-23).
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.engine import Event, Sheets
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import SpendShared
from rules.systems.questworlds.contest import Terms, drawn, roll_of
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.older.degrees import degree_of, in_words
from rules.systems.questworlds.reckoning import Modifier, Party, settle, terms
from rules.systems.questworlds.roll import Clash, Names
from rules.systems.questworlds.simple_contest.modifiers import Modified
from rules.systems.questworlds.simple_contest.resolution import POOL, WINNERS
from rules.systems.questworlds.simple_contest.state import Result, State
from rules.systems.questworlds.simple_contest.values import OwnRoll
from rules.wording import sentence


@dataclass(frozen=True)
class OwnRolled(OwnRoll, Event[State]):
    """The dice of such a contest lie, and a story point would turn it (QW-12)."""

    def after(self, state: State) -> State:
        return replace(state, own_roll=self)


@dataclass(frozen=True)
class OwnDecided(Event[State]):
    """Somebody spends a story point in such a contest, or lets it stand."""

    who: str
    spend: bool

    def after(self, state: State) -> State:
        return replace(state, own_roll=None)


@dataclass(frozen=True)
class AugmentRolled(Event[State]):
    """The augment's own contest is over."""

    place: int
    won: bool

    def after(self, state: State) -> State:
        return state.with_proposal(self.place, won=self.won)


@dataclass(frozen=True)
class FlawOvercome(Event[State]):
    """A flaw's own contest was lost: it is no hindrance here, and is not tried again (QW-23)."""

    who: str
    trait: str

    def after(self, state: State) -> State:
        return replace(state, overcome=(*state.overcome, self.trait))


def roll_own(state: State, sheets: Sheets, own: OwnRoll) -> Result:
    """What follows from the dice: the contest is over, or waits for a story point."""
    rolled = OwnRolled(**vars(own))
    dice = drawn((rolled.ours, rolled.theirs))
    if not _can_turn(state, sheets, rolled):
        return replace(_finished(state, sheets, rolled, spent=False), dice=dice)
    _, clash = terms_of(state, rolled)
    ours, theirs = (result.word for result in clash.mastered)
    so_far = "it does not help so far" if rolled.kind == "augment" else "it hinders so far"
    if rolled.kind == "augment" and state.policy.by_degree:
        so_far = f"{signed(comes_to(state, rolled, spent=False))} so far"
    steps = (
        Step("QW-22" if rolled.kind == "augment" else "QW-23",
             f"{rolled.name}: a {ours} against a {theirs} of the base, {so_far}."),
        *(step for step in _why(state, rolled) if step.rule not in WINNERS),
        Step("QW-12", "A story point may be spent now: one bump up, which turns it."),
    )
    return Result((rolled,), steps, dice=dice, rolls=(roll_of(terms_of(state, rolled)[0], clash.dice),))


def offer_to_spend(state: State, rolled: OwnRoll) -> Iterator[Offer]:
    """A story point, as long as the pool has one."""
    helps = "it helps" if rolled.kind == "augment" else "it does not hinder"
    if rolled.kind == "augment" and state.policy.by_degree:
        helps = signed(comes_to(state, rolled, spent=True))
    if state.context.pool(POOL):
        yield Offer("spend", rolled.who, f"Spend a story point: {helps}")


def offer_to_stand(state: State, rolled: OwnRoll) -> Iterator[Offer]:
    """None."""
    fails = "it does not help" if rolled.kind == "augment" else f"it hinders, {signed(rolled.amount)}"
    if rolled.kind == "augment" and state.policy.by_degree:
        fails = signed(comes_to(state, rolled, spent=False))
    yield Offer("stand", rolled.who, f"Let it stand: {fails}")


def decide(state: State, sheets: Sheets, rolled: OwnRoll, spent: bool) -> Result:
    """A story point is spent in it, or not."""
    ending = _finished(state, sheets, rolled, spent=spent)
    name = sheets[rolled.who].name
    said = f"{name} spends a story point." if spent else f"{name} lets it stand."
    return replace(
        ending, events=(OwnDecided(rolled.who, spent), *ending.events),
        steps=(*ending.steps[:1], Step("QW-12", said), *ending.steps[1:]),
        effects=(SpendShared(POOL, -1),) if spent else ())


def terms_of(state: State, rolled: OwnRoll, *, spent: bool = False) -> tuple[Terms, Clash]:
    """What it is rolled with, and how the dice lie."""
    points = (spent, False) if rolled.kind == "augment" else (False, spent)
    roll = terms(Party(rolled.score, (rolled.trait,), rolled.counts, points[0]),
                 Party(state.settings.base, point=points[1]), degrees=state.policy.degrees, edition=state.edition)
    return roll, settle(roll, (rolled.ours, rolled.theirs))


def _can_turn(state: State, sheets: Sheets, rolled: OwnRoll) -> bool:
    """Whether a story point is there, whose player may spend it, and it turns the contest."""
    played = rolled.who in state.settings.players or (
        rolled.who not in {entrant.id for entrant in state.entrants} and not sheets[rolled.who].npc)
    if not played or not state.context.pool(POOL):
        return False
    before, after = (_helps(state, rolled, terms_of(state, rolled, spent=spent)[1]) for spent in (False, True))
    return before != after


def _helps(state: State, rolled: OwnRoll, clash: Clash) -> int:
    """What it comes to: its bonus where it is won, by the table what its degree adds (QW-A8)."""
    if rolled.kind == "augment":
        return state.policy.augment(clash, rolled.amount)
    return rolled.amount if clash.lead > 0 else 0


def comes_to(state: State, rolled: OwnRoll, *, spent: bool) -> int:
    """What the one or the other answer to a story point leads to."""
    return _helps(state, rolled, terms_of(state, rolled, spent=spent)[1])


def _finished(state: State, sheets: Sheets, rolled: OwnRoll, *, spent: bool) -> Result:
    terms, clash = terms_of(state, rolled, spent=spent)
    rolls, amount = (roll_of(terms, clash.dice),), _helps(state, rolled, clash)
    won = amount > 0 if rolled.kind == "augment" else clash.lead > 0
    made = Modifier(rolled.whom, rolled.kind, rolled.name, amount, rolled.reason, rolled.trait)
    modified = (Modified(made),) if amount else ()
    why = _why(state, rolled, spent=spent)
    if rolled.kind == "augment":
        text = f"{rolled.name} helps: {signed(amount)}." if won else (
            f"{rolled.name} does not help, and is not tried again.")
        if state.policy.by_degree:
            degree = f"A {in_words(degree_of(clash))} comes to {signed(amount, state.settings.symbol)}."
            why = (Step("QW-A8", degree), *why)
        steps = (Step("QW-22", text), *why, Step("QW-80", "An augment earns no experience."))
        return Result((AugmentRolled(rolled.place, won), *modified), steps, rolls=rolls)
    if not won:
        text = f"{sheets[rolled.whom].name} overcomes {rolled.name}: it is no hindrance here."
        return Result((FlawOvercome(rolled.whom, rolled.trait),), (Step("QW-23", text), *why), rolls=rolls)
    return Result(modified, (*hindered(state, sheets, made, why),), rolls=rolls)


def hindered(state: State, sheets: Sheets, made: Modifier, why: tuple[Step, ...] = ()) -> tuple[Step, ...]:
    """That a flaw hinders, with what it may teach."""
    because = f" {sentence(made.reason)}" if made.reason else ""
    text = f"{made.label} hinders {sheets[made.who].name}: {signed(made.amount, state.settings.symbol)}.{because}"
    teaches = state.settings.counts and made.who in state.settings.players
    later = Step("QW-80", "It may be worth a point, once the penalty has met the dice.")
    return (Step("QW-23", text), *why, *((later,) if teaches else ()))


def _why(state: State, rolled: OwnRoll, *, spent: bool = False) -> tuple[Step, ...]:
    names = Names(rolled.name, "the base", state.settings.symbol)
    return tuple(terms_of(state, rolled, spent=spent)[1].steps(names=names))


EVENTS = (OwnRolled, OwnDecided, AugmentRolled, FlawOvercome)
