"""The roll: fortes, techniques and style dice go in, the best two dice count (PS-10 to PS-13)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Field, Flag, Text, Whole
from rules.moves import Need, Step
from rules.procedure import Ask, Offer, Options, Use, met
from rules.sheet import Gain, Sheet
from rules.systems.pdq_sharp.bonus import payment, purse
from rules.systems.pdq_sharp.challenge.ellipsis import as_it_lies, completed, in_numbers
from rules.systems.pdq_sharp.challenge.framing import countable, some
from rules.systems.pdq_sharp.challenge.state import FAILING_COSTS, Cast, Entrant, Phase, Result, State, total
from rules.systems.pdq_sharp.challenge_roll import Challenge, ChallengeMove, Side
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.duel.start import usual
from rules.systems.pdq_sharp.keep import drawn
from rules.systems.pdq_sharp.kinds import BURNED, THIS_SCENE
from rules.systems.pdq_sharp.origins import of_roll
from rules.systems.pdq_sharp.reading import lines_of
from rules.systems.pdq_sharp.reading import techniques as techniques_of
from rules.systems.pdq_sharp.reckoning import (
    KEEP,
    Terms,
    kept_step,
    many_dice,
    odds_between,
    settle,
    steps_of,
    sums,
    terms,
)
from rules.tables import OddsAnswer
from rules.values import BadMove
from rules.why import Part, Why
from rules.wording import join, quoted

BURN = Flag(name="burn", label="Burn the motivation: it counts double in this scene, then you need another")
SAID = Text(name="words", label="Description", most=1000)
FLAT = some("flat", "Techniques, +1 each")


@dataclass(frozen=True)
class Thrown(Event[State]):
    """The dice fell (PS-10)."""

    who: str
    cast: Cast

    def after(self, state: State) -> State:
        return state.with_(self.who, cast=self.cast)

    def used(self, before: State) -> tuple[Use, ...]:
        foe = next((entrant for entrant in before.entrants if entrant.id != self.who), None)
        if foe is None:
            return (Use(self.who, self.cast.fortes),)
        return met(self.who, self.cast.fortes, foe.id, foe.cast.fortes) if foe.cast else ()


def offer_roll(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who has yet to roll, once it is known what has to be reached."""
    if state.phase is Phase.FRAME and state.ready:
        for entrant in state.entrants:
            if entrant.cast is None:
                yield _roll(state, sheets[entrant.id], entrant)


def ask_to_roll(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of each who has yet to roll."""
    if state.phase is Phase.FRAME and state.ready:
        for entrant in state.entrants:
            if entrant.cast is None:
                yield Ask(entrant.id, "roll", "roll", "Roll")


def _roll(state: State, sheet: Sheet, who: Entrant) -> Offer:
    dice = purse(sheet, state.context, player=who.player)
    chained = with_their_fortes(sheet)
    fields: list[Field] = [
        some("fortes", "Fortes"),
        some("techniques", "Techniques, a die each"), FLAT,
        style_field(dice), BURN, SAID,
    ]
    against = "Against the other’s roll." if state.settings.flashy else f"Against {state.target}."
    return Offer("roll", who.id, "Roll", f"2d6 and all fortes that count; the best two dice. {against}",
                 tuple(fields), {"fortes": countable(sheet), "techniques": chained, "flat": chained},
                 rolls=True, now={"fortes": list(usual(sheet))} if state.settings.flashy else None)


def style_field(purse: int) -> Whole:
    """How many style dice go into a roll, out of so many."""
    return Whole(name="style", label="Style dice", default=0, most=min(18, purse), help="They go to the bowl.")


def with_their_fortes(sheet: Sheet) -> Options:
    """The techniques of somebody, each with the forte that it hangs on."""
    traits = techniques_of(sheet, [trait.id for trait in sheet.traits])
    hosts = {trait.id: trait.name for trait in sheet.traits}
    return tuple((trait.id, f"{trait.name}, with {hosts.get(trait.parent, 'any forte')}") for trait in traits)


def terms_of(state: State, sheet: Sheet, values: Values) -> Terms:
    """What was filled in, reckoned; raises `BadMove`."""
    who = state.entrant(sheet.id)
    return terms(
        sheet, fortes=values["fortes"], techniques=values["techniques"], flat=values["flat"], style=values["style"],
        purse=purse(sheet, state.context, player=who.player), burn=values["burn"],
        helps=[] if state.settings.flashy else [(help.name, help.ranks) for help in state.helps],
        target=0 if state.settings.flashy else state.target)


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice: two, and one more for each technique and style die; the best two count (PS-10, PS-11)."""
    sheet, counted = sheets[by], terms_of(state, sheets[by], values)
    wanted = KEEP + counted.bonus_dice
    if len(faces) < wanted:
        return Need((6,) * (wanted - len(faces)))
    if len(faces) > wanted:
        raise BadMove(f"Enter {wanted} dice; there are {len(faces)}.", "dice")
    fortes = tuple(values["fortes"])
    own = counted.lines if state.entrant(by).player else ()
    event = Thrown(by, Cast(fortes, counted.ranks, tuple(faces), counted.flat, counted.used, counted.reasons, own))
    rolled = event.after(state)
    effects = payment(sheet, counted.style)
    steps = [Step("PS-10", f"{sheet.name} tries it{quoted(values['words'])}")]
    if counted.burned:
        effects += (Gain(sheet.id, BURNED, counted.burned, THIS_SCENE),)
        steps.append(Step("PS-12", f"{counted.burned} is burned: it counts double in this scene, then it must be "
                                   "replaced."))
    if counted.style:
        steps.append(Step("PS-44", f"{sheet.name} pays {many_dice(counted.style, 'style ')}."))
    steps += [*steps_of(counted, sheet.name), kept_step(settle(counted, faces), counted, sheet.name)]
    result, rolls = as_it_lies(rolled)
    return completed(state, sheets, Result(
        (event,), (*steps, *in_numbers(rolled)), result, drawn(faces, KEEP, sheet.name), effects, rolls))


def odds_of_roll(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of a roll as it is filled in (PS-10)."""
    counted = terms_of(state, sheets[offer.by], values)
    own = Side(counted.ranks, counted.bonus_dice, counted.flat)
    if state.settings.flashy:
        return (_against(state, sheets, offer.by, counted),)
    odds = ChallengeMove().odds(Challenge(own, state.target), "success")
    outcomes = (("Success", odds.get(True, Fraction(0)), "good"), ("Failure", odds.get(False, Fraction(0)), "bad"))
    best = ", the best two" if counted.bonus_dice else ""
    costs = FAILING_COSTS.get(state.settings.harm, "")
    said = f"{own.dice}d6{best}, {signed(counted.adds)} against {state.target}"
    return ((f"{said}; failing {costs}" if costs else said, OddsAnswer(outcomes)),)


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """Each forte, technique and style die, what is against it, and what could count and is not ticked (PS-04, PS-10 to
    PS-12)."""
    sheet, counted = sheets[offer.by], terms_of(state, sheets[offer.by], values)
    against = Part(str(state.target), "Against the target", f"{sheet.name if state.said else 'the GM'} says so")
    costs = FAILING_COSTS.get(state.settings.harm, "")
    hard = () if state.settings.flashy else (against, *([Part("", f"Failing {costs}")] if costs else []))
    return of_roll(sheet, counted, hard, values["fortes"], (*values["techniques"], *values["flat"]))


def _usual(sheet: Sheet) -> Terms:
    return terms(sheet, fortes=usual(sheet))


def _against(state: State, sheets: Sheets, by: str, own: Terms) -> tuple[str, OddsAnswer]:
    """The chances against the other one: their roll where it lies, else their usual forte with two dice (PS-16)."""
    mine, other = state.entrant(by), next(entrant for entrant in state.entrants if entrant.id != by)
    against = {total(other): 1} if other.cast else sums(_usual(sheets[other.id]))
    odds = odds_between(sums(own), against, (mine.player, other.player))
    names = [trait.name for trait in lines_of(sheets[other.id], usual(sheets[other.id]))]
    with_ = f"{total(other)}" if other.cast else join(names, empty="no forte")
    outcomes = ((1, "You win", "good"), (0, "Nobody wins", "fair"), (-1, f"{other.name} wins", "bad"))
    return f"Against {other.name}, {with_}", OddsAnswer(tuple(
        (label, odds[value], tone) for value, label, tone in outcomes))


ROLL = Act("roll", offer_roll, roll, ask_to_roll, odds_of_roll, why)
EVENTS = (Thrown,)
