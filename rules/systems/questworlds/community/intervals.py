"""An interval of a community with scores: its tests, what the GM says of a resource, its end (QW-A9)."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Choice, Whole, text
from rules.moves import Die, Need, Roll, Step, take
from rules.procedure import Offer
from rules.sheet import Lose
from rules.systems.questworlds.community import tables
from rules.systems.questworlds.community.scores import (
    RULE,
    WHICH,
    Changed,
    blame,
    changed,
    known,
    odds_of,
    rolled,
    stands,
    terms_of,
)
from rules.systems.questworlds.community.state import Result, ScoredState
from rules.systems.questworlds.community.tables import ScoredResource
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.degrees import in_words, outcome_of
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.traits import CONSEQUENCE
from rules.why import LEFT_OUT, Part, Why
from rules.wording import sentence

WON = Choice(name="degree", label="Degree of victory", default="2",
             options=tuple((str(degree), in_words(degree).capitalize()) for degree in sorted(tables.BOLSTER)))


@dataclass(frozen=True)
class Ended(Event[ScoredState]):
    """The group has left it."""

    done: bool = True

    def after(self, state: ScoredState) -> ScoredState:
        return replace(state, over=True)


def offer_background(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, once an interval."""
    if not state.tested:
        yield Offer("background", "", "Roll for background events",
                    "Each resource against the average of all, once an interval.", rolls=True)


def background(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Each resource against the average of all, out of anybody's hands."""
    return _all(state, faces, state.resources, "background", tables.fluctuated, counts=False)


def odds_of_background(state: ScoredState, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """Of each resource."""
    return tuple((resource.name, odds_of(terms_of(resource, state.average, counts=False)))
                 for resource in state.resources)


def why_background(state: ScoredState, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """The average, and the bare score of each resource; what it gained or lost for now is no part of it."""
    return _why(state, state.resources, counts=False)


def offer_crisis(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where a resource has a penalty."""
    if state.worn:
        yield Offer("crisis", "", "Roll for crises", "Each resource with a penalty, against the average.", rolls=True)


def crisis(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Each resource with a penalty against the average; a defeat shows."""
    return _all(state, faces, state.worn, "crisis", None, counts=True)


def odds_of_crisis(state: ScoredState, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """Of each that has a penalty."""
    return tuple((resource.name, odds_of(terms_of(resource, state.average, counts=True))) for resource in state.worn)


def why_crisis(state: ScoredState, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """The average, and each resource with its penalty."""
    return _why(state, state.worn, counts=True)


def _why(state: ScoredState, tested: Sequence[ScoredResource], *, counts: bool) -> Why:
    symbol, now = state.symbol, [resource for resource in tested if resource.total]
    average = Part(notation(state.average, symbol), "Against the average", "of the scores of all resources")
    rolls = tuple(Part(notation(terms_of(resource, state.average, counts=counts).score, symbol), resource.name,
                       f"{notation(resource.score, symbol)}, and {signed(resource.total, symbol)} for now"
                       if counts else "its score") for resource in tested)
    idle = () if counts else tuple(Part(signed(resource.total, symbol), resource.name, f"{LEFT_OUT}: gained or lost "
                                        "for now") for resource in now)
    return Why(notation(state.average, symbol), (average, *rolls), idle)


def _all(
    state: ScoredState, faces: Sequence[int], tested: Sequence[ScoredResource], how: str,
    change: Callable[[ScoredResource, int], ScoredResource] | None, *, counts: bool
) -> Result | Need:
    if take(faces, 2 * len(tested)) is None:
        return Need((SIDES,) * (2 * len(tested) - len(faces)))
    after, steps, rolls = {resource.name: resource for resource in state.resources}, list[Step](), list[Roll]()
    degrees: list[int] = []
    for place, resource in enumerate(tested):
        dice = (faces[2 * place], faces[2 * place + 1])
        degree, why, roll = rolled(state, resource, state.average, dice, counts=counts)
        degrees.append(degree)
        after[resource.name] = change(resource, degree) if change else resource
        text = f"{resource.name}: a {in_words(degree)}"
        text += f", {stands(state, after[resource.name])}." if change else (
            ". It starts to show: there is a crisis." if degree < 0 else ". It holds.")
        steps += [Step(RULE, text), *why]
        rolls.append(roll)
    title = {"background": "Background events", "crisis": "Crisis tests"}[how]
    first = Step(RULE, f"{title} against the average, {notation(state.average, state.symbol)}.")
    dice_ = tuple(Die(SIDES, face, "the average" if place % 2 else tested[place // 2].name)
                  for place, face in enumerate(faces))
    return Result((Changed(how, tuple(after.values())),), (first, *steps),
                  {"defeats": sum(degree < 0 for degree in degrees), "outcomes": [*map(outcome_of, degrees)]},
                  dice_, rolls=tuple(rolls))


def offer_bolster(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    yield Offer("bolster", "", "Bolster a resource", "An obstacle was overcome for its sake.", (WHICH, WON),
                {"resource": known(state)})


def bolster(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A benefit of victory goes to a resource."""
    degree = int(values["degree"])
    after = tables.bolstered(state.chosen(values["resource"]), degree)
    text = f"{after.name} is bolstered by a {in_words(degree)}: {stands(state, after)}."
    return Result((changed(state, "bolster", after),), (Step(RULE, text),))


def offer_cement(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where the background brought something."""
    if gained := tuple(known_name for known_name, resource in zip(known(state), state.resources, strict=True)
                       if resource.background):
        yield Offer("cement", "", "Cement a benefit", "A major obstacle was overcome: it counts for good.", (WHICH,),
                    {"resource": gained})


def cement(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What the background brought is the group's own from now on."""
    after = tables.cemented(state.chosen(values["resource"]))
    text = f"The benefit of {after.name} is cemented: {signed(after.pc, state.symbol)} counts when the interval ends."
    return Result((changed(state, "cement", after),), (Step(RULE, text),))


def offer_concede(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    yield Offer("concede", "", "Concede a contest", "A contest that is given up wears out as a major defeat does.",
                (WHICH,), {"resource": known(state)})


def concede(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A contest that the group gave up wears out as a major defeat."""
    after = tables.depleted(state.chosen(values["resource"]), -3)
    text = f"The group withdrew, as costly as a major defeat: {stands(state, after)}."
    return Result((changed(state, "concede", after),), (Step(RULE, text),))


def offer_interval(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    yield Offer("interval", "", "End the interval", "Scores rise and fall, and all that counts for now is gone.")


def interval(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Scores change by what was brought and what is left of penalties; all else is gone."""
    after = tuple(tables.after_interval(resource) for resource in state.resources)
    moved = [Step(RULE, f"{now.name}: {notation(was.score, state.symbol)} becomes {notation(now.score, state.symbol)}.")
             for was, now in zip(state.resources, after, strict=True) if was.score != now.score]
    first = Step(RULE, f"{state.interval} {state.number} is over. Temporary changes are gone.")
    over = [(sheet, line) for sheet in sheets.values() for line in sheet.traits
            if (line.kind, line.name) == (CONSEQUENCE, blame(state))]
    ended = [Step(RULE, f"{line.name} no longer counts against {sheet.name}.") for sheet, line in over]
    return Result((Changed("interval", after),), (first, *moved, *ended),
                  effects=tuple(Lose(line.id) for _, line in over))


def offer_plot(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    yield Offer("plot", "", "Change a score", "A triumph or a catastrophe of the story.",
                (WHICH, Whole(name="by", label="Change", least=-20, most=20),
                 text("words", "Reason", needed=True, most=200)),
                {"resource": known(state)})


def plot(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A score changes by the story alone."""
    resource = state.chosen(values["resource"])
    after = replace(resource, score=max(1, resource.score + values["by"]))
    text = f"{after.name} is at {notation(after.score, state.symbol)}. {sentence(values['words'])}"
    return Result((changed(state, "plot", after),), (Step(RULE, text),))


def offer_end(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    yield Offer("end", "", "Leave this community")


def end(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The group leaves it."""
    return Result((Ended(),), (Step(RULE, f"{state.settings.name} is no longer the community of the group."),))


EVENTS = (Ended,)
TESTS = (Act("background", offer_background, background, odds=odds_of_background, why=why_background),
         Act("crisis", offer_crisis, crisis, odds=odds_of_crisis, why=why_crisis))
GMS = (Act("bolster", offer_bolster, bolster), Act("cement", offer_cement, cement),
       Act("concede", offer_concede, concede), Act("interval", offer_interval, interval),
       Act("plot", offer_plot, plot), Act("end", offer_end, end))
