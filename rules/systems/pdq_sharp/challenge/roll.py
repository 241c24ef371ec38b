"""The roll: fortes, techniques and style dice go in, the best two dice count (PS-10 to PS-13)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Field, Flag, Text, Whole
from rules.moves import Face, Need, Step
from rules.odds import spread
from rules.procedure import Ask, Offer
from rules.sheet import Effect, Gain, Sheet, Trait
from rules.systems.pdq_sharp.bonus import check_idioms, open_techniques, payment, purse
from rules.systems.pdq_sharp.challenge.ellipsis import as_it_lies, completed, in_numbers
from rules.systems.pdq_sharp.challenge.framing import countable, some
from rules.systems.pdq_sharp.challenge.state import Cast, Entrant, Phase, Result, State, side, total
from rules.systems.pdq_sharp.challenge_roll import KEEP, Challenge, ChallengeMove, Side
from rules.systems.pdq_sharp.chart import fortes_text
from rules.systems.pdq_sharp.duel.start import usual
from rules.systems.pdq_sharp.keep import best_sums, drawn
from rules.systems.pdq_sharp.kinds import BURNED, MOTIVATIONS, THIS_SCENE
from rules.systems.pdq_sharp.reading import is_burned, lines_of, rank_words
from rules.tables import OddsAnswer
from rules.values import BadMove
from rules.wording import join, quoted

SAID = Text(name="words", label="Description", most=1000)


@dataclass(frozen=True)
class Thrown(Event[State]):
    """The dice fell (PS-10)."""

    who: str
    cast: Cast

    def after(self, state: State) -> State:
        return state.with_(self.who, cast=self.cast)


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
    techniques = tuple((each.id, each.name) for each in open_techniques(sheet, [each.id for each in sheet.traits], ()))
    dice = purse(sheet, state.context, player=who.player)
    fields: list[Field] = [
        some("fortes", "What counts"),
        some("techniques", "Techniques, a die each"), some("flat", "Techniques, +1 each"),
        Whole(name="style", label="Style dice", default=0, most=min(18, dice), help="They go to the bowl."),
    ]
    fields.append(Flag(
        name="burn", label="Burn the motivation: it counts double in this scene, then you need another"))
    against = "Against the other’s roll." if state.settings.flashy else f"Against {state.target}."
    return Offer("roll", who.id, "Roll", f"2d6 and all fortes that count; the best two dice. {against}",
                 (*fields, SAID), {"fortes": countable(sheet), "techniques": techniques, "flat": techniques},
                 rolls=True, now={"fortes": [each.id for each in _usual(sheet)]} if state.settings.flashy else None)


def _unburned(sheet: Sheet, lines: Iterable[Trait]) -> list[Trait]:
    """The motivations among these lines that can still be burned (PS-12)."""
    return [each for each in lines if each.kind in MOTIVATIONS and not is_burned(sheet, each)]


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice: two, and one more for each technique and style die; the best two count (PS-10, PS-11)."""
    who, sheet = state.entrant(by), sheets[by]
    cast, effects, steps = _prepared(state, sheet, who, values)
    wanted = KEEP + len(values["techniques"]) + values["style"]
    if len(faces) < wanted:
        return Need((6,) * (wanted - len(faces)))
    if len(faces) > wanted:
        raise BadMove(f"Give {wanted} dice; there are {len(faces)}.", "dice")
    event = Thrown(by, replace(cast, faces=tuple(faces)))
    rolled = event.after(state)
    entrant = rolled.entrant(by)
    steps += side(entrant, state.settings.flashy).steps(faces, sheet.name)
    result, rolls = as_it_lies(rolled)
    return completed(state, sheets, Result(
        (event,), (*steps, *in_numbers(rolled)), result, drawn(faces, KEEP, sheet.name), effects, rolls))


def _prepared(
    state: State, sheet: Sheet, who: Entrant, values: Values
) -> tuple[Cast, tuple[Effect, ...], tuple[Step, ...]]:
    """What goes into the roll before the dice; raises `BadMove`."""
    used = (*values["techniques"], *values["flat"])
    if len(set(used)) < len(used):
        raise BadMove("Use each technique as a die or as +1, not both.", "flat")
    check_idioms(sheet, used)
    fitting = {each.id for each in open_techniques(sheet, values["fortes"], ())}
    if odd := next((each for each in used if each not in fitting), ""):
        name = next((each.name for each in sheet.traits if each.id == odd), "This technique")
        raise BadMove(f"{name} goes with a forte that you have not chosen. Choose that forte too.", "techniques")
    if values["style"] > purse(sheet, state.context, player=who.player):
        raise BadMove("You have not so many style dice.", "style")
    lines = lines_of(sheet, values["fortes"])
    ranks, effects = rank_words(sheet, lines), payment(sheet, values["style"])
    steps: tuple[Step, ...] = (Step("PS-10", f"{sheet.name} tries it{quoted(values['words'])}"),)
    if values["burn"]:
        burned = next((each for each in lines if each.kind in MOTIVATIONS and not is_burned(sheet, each)), None)
        if burned is None:
            raise BadMove("Choose the motivation that you burn among the fortes.", "burn")
        ranks += rank_words(sheet, [burned])
        effects += (Gain(sheet.id, BURNED, burned.name, THIS_SCENE),)
        steps += (Step("PS-12", f"{burned.name} is burned: it counts double in this scene, then it must be replaced."),)
    for each in state.helps if not state.settings.flashy else ():
        ranks += each.ranks
        steps += (Step("PS-15", f"{each.name} helps: {fortes_text(each.ranks)}"),)
    return Cast(tuple(values["fortes"]), tuple(ranks), (), len(values["flat"]), used), effects, steps


def odds_of_roll(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of a roll as it is filled in (PS-10)."""
    own = _side(state, sheets[offer.by], values)
    if state.settings.flashy:
        return (_against(state, sheets, offer.by, own),)
    odds = ChallengeMove().odds(Challenge(own, state.target), "success")
    outcomes = (("Success", odds.get(True, Fraction(0)), "good"), ("Failure", odds.get(False, Fraction(0)), "bad"))
    return ((f"{own.dice} dice, the best {KEEP}, against {state.target}", OddsAnswer(outcomes)),)


def _side(state: State, sheet: Sheet, values: Values) -> Side:
    """What is being filled in, as the moves take it."""
    lines = lines_of(sheet, values["fortes"])
    ranks = rank_words(sheet, lines)
    if values["burn"]:
        ranks += rank_words(sheet, _unburned(sheet, lines)[:1])
    for each in state.helps:
        ranks += each.ranks
    return Side(tuple(ranks), len(values["techniques"]) + values["style"], len(values["flat"]))


def _against(state: State, sheets: Sheets, by: str, own: Side) -> tuple[str, OddsAnswer]:
    """The chances against the other one: their roll where it lies, else their usual forte with two dice (PS-16)."""
    mine, other = state.entrant(by), next(each for each in state.entrants if each.id != by)
    theirs = side(other, True) if other.cast else Side(tuple(rank_words(sheets[other.id], _usual(sheets[other.id]))))
    sums = {total(other): 1} if other.cast else {
        thrown + theirs.adds: ways for thrown, ways in best_sums(theirs.dice, KEEP).items()}

    def tell(first: int, second: int) -> Face:
        margin = first + own.adds - second
        if margin == 0 and mine.player != other.player:
            margin = 1 if mine.player else -1
        return (margin > 0) - (margin < 0)

    odds = spread(best_sums(own.dice, KEEP), sums, tell=tell)
    names = [each.name for each in _usual(sheets[other.id])]
    with_ = f"{total(other)}" if other.cast else join(names, empty="no forte")
    outcomes = ((1, "You win", "good"), (0, "Nobody wins", "fair"), (-1, f"{other.name} wins", "bad"))
    return f"Against {other.name}, {with_}", OddsAnswer(tuple(
        (label, odds.get(value, Fraction(0)), tone) for value, label, tone in outcomes))


def _usual(sheet: Sheet) -> list[Trait]:
    return lines_of(sheet, usual(sheet))


ROLL = Act("roll", offer_roll, roll, ask_to_roll, odds_of_roll)
EVENTS = (Thrown,)
