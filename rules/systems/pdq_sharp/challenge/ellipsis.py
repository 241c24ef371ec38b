"""After the dice: techniques and style dice are added until it stands, and what comes of it (PS-11, PS-14 to PS-17)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rules.engine import Act, Event, Forecasts, Sheets, Values, after
from rules.fields import REQUIRED, Text
from rules.moves import Die, Need, Roll, Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Effect, Sheet, Spend
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.bonus import payment, purse, winnings
from rules.systems.pdq_sharp.challenge.state import (
    NONE,
    Cast,
    Entrant,
    Phase,
    Result,
    State,
    behind,
    decider,
    side,
    standing,
    total,
)
from rules.systems.pdq_sharp.challenge_roll import ChallengeMove, FlashyMove
from rules.systems.pdq_sharp.foresight import left_by
from rules.systems.pdq_sharp.keep import best
from rules.systems.pdq_sharp.origins import counted_parts, of_lies
from rules.systems.pdq_sharp.reading import TRAINING
from rules.systems.pdq_sharp.reckoning import (
    AS_DIE,
    FLAT,
    KEEP,
    STYLE_DIE,
    Terms,
    best_with,
    bettered,
    many_dice,
    most_more,
    sources,
    ways_to_better,
)
from rules.tables import OddsAnswer
from rules.values import BadMove, Value
from rules.why import Part, Why
from rules.wording import join

TOGETHER = "&"  # between several that are added at once


@dataclass(frozen=True)
class Added(Event[State]):
    """A die, or +1, after the dice (PS-17); `technique` is its id, "" for a style die."""

    who: str
    face: int
    technique: str = ""

    def after(self, state: State) -> State:
        cast = state.entrant(self.who).cast
        if cast is None:
            return state
        better = replace(bettered(cast, self.face, self.technique), added=True)
        return replace(state.with_(self.who, cast=better), stood=())


@dataclass(frozen=True)
class Stood(Event[State]):
    """Somebody lets it stand."""

    who: str

    def after(self, state: State) -> State:
        return replace(state, stood=(*state.stood, self.who))


@dataclass(frozen=True)
class Settled(Event[State]):
    """It stands: what came of it, and who has how many ranks of which kind to place."""

    outcome: str
    who: str = ""
    ranks: int = 0
    kind: str = ""

    def after(self, state: State) -> State:
        return replace(state, outcome=self.outcome, hurt=(self.who, self.ranks, self.kind))


def completed(state: State, sheets: Sheets, so_far: Result) -> Result:
    """A result with all that follows from it by itself."""
    for event in so_far.events:
        state = event.after(state)
    pools, sheets = after_paying(state, sheets, so_far.effects)
    while state.phase is Phase.ELLIPSIS:
        asked = decider(state)
        if asked and can_add(pools, sheets, state.entrant(asked)):
            break
        event, steps, effects = (Stood(asked), (), ()) if asked else settle(state)
        state = event.after(state)
        so_far = replace(so_far, events=(*so_far.events, event), steps=(*so_far.steps, *steps),
                        effects=(*so_far.effects, *effects))
    return so_far


def after_paying(state: State, sheets: Sheets, effects: Sequence[Effect]) -> tuple[State, Sheets]:
    """The pools and the sheets as these effects will leave them; where there are none, no pool is read."""
    if not effects:
        return state, sheets
    context, changed = left_by(effects, state.context, sheets)
    return replace(state, context=context), changed


def can_add(state: State, sheets: Sheets, who: Entrant) -> bool:
    """Whether there is anything that they could still add, and all of it together could make a difference.

    Where failing hurts by the difference each +1 does; else a roll that nothing can better enough stands by itself.
    """
    more = most_added(state, sheets[who.id], who)
    if more and not state.settings.flashy and state.settings.harm != NONE:
        return True
    return bool(more and chance_with(state, who, more, tie=True))


def most_added(state: State, sheet: Sheet, who: Entrant) -> int:
    """How many dice and +1s somebody can still add."""
    cast, dice = who.cast or Cast((), (), ()), purse(sheet, state.context, player=who.player)
    return most_more(sheet, cast.fortes, cast.used, dice)


def chance_with(state: State, who: Entrant, more: int, *, tie: bool = False) -> Fraction:
    """The chance to have it, or with `tie` at least a tie, with so many additions more, each as it helps most."""
    cast = who.cast or Cast((), (), ())
    adds = total(who) - sum(best(cast.faces, KEEP))
    return best_with(best(cast.faces, KEEP), needed(state, who, tie=tie) - adds, more)


def needed(state: State, who: Entrant, *, tie: bool = False) -> int:
    """The total that is enough: the target, or what beats the other one, which a tie does for a PC (PS-16)."""
    if not state.settings.flashy:
        return state.target
    foe = next(entrant for entrant in state.entrants if entrant.id != who.id)
    return total(foe) + (not tie and not (who.player and not foe.player))


def as_it_lies(state: State) -> tuple[dict[str, Value], tuple[Roll, ...]]:
    """The result of the move of the contract as the dice lie, and the roll that says so; nothing while one waits."""
    casts = [entrant.cast for entrant in state.entrants]
    if not all(casts):
        return {}, ()
    dice = tuple(face for cast in casts if cast for face in cast.faces)
    sides: list[dict[str, Value]] = []
    for entrant in state.entrants:
        own = side(entrant, state.settings.flashy)
        sides.append({"fortes": list(own.fortes), "bonus_dice": own.bonus_dice, "flat": own.flat})
    kind: Any = FlashyMove() if state.settings.flashy else ChallengeMove()
    if state.settings.flashy:
        pcs = [{**own, "pc": entrant.player} for own, entrant in zip(sides, state.entrants, strict=True)]
        given: dict[str, Value] = {"challenger": pcs[0], "challenged": pcs[1]}
    else:
        given = {**sides[0], "difficulty": state.target}
    outcome = kind.resolve(kind.read(given), dice)
    return dict(outcome.result), (Roll(kind.name, given, dice, outcome.result),)


def in_numbers(state: State) -> tuple[Step, ...]:
    if state.phase is not Phase.ELLIPSIS:
        return ()
    if not state.settings.flashy:
        one = state.entrants[0]
        return (Step("PS-10", f"{total(one)} against {state.target}, as it lies."),)
    first, second = state.entrants
    return (Step("PS-16", f"{first.name} {total(first)}, {second.name} {total(second)}, as it lies."),)


def additions(state: State, sheet: Sheet, who: Entrant) -> Options:
    """What can be added after the dice: the +1s that are enough together, then each, as a die or as +1."""
    cast, dice = who.cast or Cast((), (), ()), purse(sheet, state.context, player=who.player)
    return (*_enough_together(state, sheet, who), *ways_to_better(sheet, cast.fortes, cast.used, dice))


def _enough_together(state: State, sheet: Sheet, who: Entrant) -> Options:
    """Several +1s at once, where they are enough and one is not: techniques first, then style dice."""
    cast, short = who.cast or Cast((), (), ()), needed(state, who) - total(who)
    if not 1 < short <= most_added(state, sheet, who):
        return ()
    chosen: list[tuple[str, str]] = []
    used = list(cast.used)
    while len(chosen) < short and (left := sources(sheet, cast.fortes, used)):
        chosen.append(left[0])
        used.append(left[0][0])
    dice = short - len(chosen)
    named = [name for _, name in chosen] + ([many_dice(dice, "style ")] if dice else [])
    ids = [source for source, _ in chosen] + [STYLE_DIE] * dice
    return ((TOGETHER.join(f"{source}|{FLAT}" for source in ids), f"{join(named)}: +1 each"),)


def offer_standing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever does not have it."""
    if state.phase is Phase.ELLIPSIS:
        who = state.entrant(decider(state))
        yield Offer("stand", who.id, f"Let it stand: {_outcome(state, who)}")


def ask_to_stand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of whoever does not have it."""
    if state.phase is Phase.ELLIPSIS:
        hurts = len(behind(state)) == 1 if state.settings.flashy else state.settings.harm != "none"
        yield Ask(decider(state), "stand", f"let it stand ({standing(state)}) or add to it", "Decide", decision=True,
                  stands=True, hurts=hurts)


def why_standing(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """A roll as it lies: its dice, what counted before they fell, what was added after, and what it is against."""
    who = state.entrant(offer.by)
    if who.cast is None:
        return None
    sheet, cast, older = sheets[who.id], who.cast, who.cast.ranks and not who.cast.reasons
    # Rolls of before each reason was kept have their sum alone.
    before = [] if older else counted_parts(sheet, Terms(cast.ranks, flat=cast.flat, reasons=cast.reasons))
    return of_lies(
        sheet, cast.faces, total(who), before, tuple(_foes(state, who)), fortes=cast.fortes, used=cast.used,
        style=purse(sheet, state.context, player=who.player),
        rest="All that is added" if older else "Added after the dice")


def _foes(state: State, who: Entrant) -> Iterator[Part]:
    if not state.settings.flashy:
        yield Part(str(state.target), "Against the target", f"{who.name if state.said else 'the GM'} says so")
    for foe in state.entrants:
        if foe.id != who.id:
            yield Part(str(total(foe)), f"Against {foe.name}", "as it lies")


def _outcome(state: State, who: Entrant) -> str:
    """What letting it stand leads to: `failure, 9 against 11`."""
    if not state.settings.flashy:
        return f"failure, {total(who)} against {state.target}"
    foe = next(entrant for entrant in state.entrants if entrant.id != who.id)
    word = "a tie" if len(behind(state)) > 1 else "defeat"
    return f"{word}, {total(who)} against {total(foe)}"


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets it stand."""
    result, rolls = as_it_lies(state)
    step = Step("PS-17", f"{state.entrant(by).name} lets it stand.")
    return completed(state, sheets, Result((Stood(by),), (step,), result, rolls=rolls))


def offer_addition(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever does not have it, as long as there is something to add."""
    if state.phase is Phase.ELLIPSIS:
        who = state.entrant(decider(state))
        what = Text(name="what", label="Addition", most=1000, default=REQUIRED, missing="Choose what you add.")
        yield Offer("add", who.id, "Add to the roll", "Each technique once. Spent style dice go to the bowl.", (what,),
                    {"what": additions(state, sheets[who.id], who)}, rolls=True)


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """After the dice: techniques, once each, or style dice, as a die or as +1 (PS-11, PS-17)."""
    uses = [use.split("|") for use in values["what"].split(TOGETHER)]
    wanted = sum(how == AS_DIE for _, how in uses)
    if len(faces) < wanted:
        return Need((6,) * (wanted - len(faces)))
    if len(faces) > wanted:
        raise BadMove("Choose one die to add, or none for +1.", "dice")
    sheet, was, fallen = sheets[by], total(state.entrant(by)), list(faces)
    events, steps, now = list[Added](), list[Step](), state
    for source, how in uses:
        technique, face = sheet.trait(source), fallen.pop(0) if how == AS_DIE else 0
        events.append(Added(by, face, technique.id if technique else ""))
        now = events[-1].after(now)
        name = technique.name if technique else "a style die"
        steps.append(Step("PS-11", f"{sheet.name}: {name} {f'shows {face}' if face else 'adds 1'}."))
    steps.append(Step("PS-17", f"{was} becomes {total(now.entrant(by))}."))
    paid = sum(source == STYLE_DIE for source, _ in uses)
    if paid:
        steps.append(Step("PS-44", f"{sheet.name} pays {many_dice(paid, 'style ')}."))
    result, rolls = as_it_lies(now)
    dice = tuple(Die(6, face, sheet.name) for face in faces)
    return completed(state, sheets, Result(
        tuple(events), (*steps, *in_numbers(now)), result, dice, payment(sheet, paid), rolls))


def chances(state: State, who: str, what: str) -> list[str]:
    """For each face of what is added: `won`, `tie` or `lost` for this one, as it would lie."""
    came = []
    for lying in _afterwards(state, who, what):
        lost = behind(lying)
        came.append("tie" if len(lost) > 1 else "lost" if who in lost else "won")
    return came


def chance_after(state: State, sheet: Sheet, who: str, what: str) -> Fraction:
    """The chance to have it in the end with this, and then with all that is left where it helps."""
    left = most_added(state, sheet, state.entrant(who)) - len(what.split(TOGETHER))
    came = [chance_with(lying, lying.entrant(who), left) for lying in _afterwards(state, who, what)]
    return sum(came, Fraction(0)) / len(came)


def _afterwards(state: State, who: str, what: str) -> list[State]:
    """The state after an addition, for each face that it may show."""
    if what.endswith(AS_DIE):
        return [Added(who, face).after(state) for face in range(1, 7)]
    return [after(state, [Added(who, 0) for _ in what.split(TOGETHER)])]


def odds_of_addition(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of what is added (PS-17)."""
    counted = Counter(chances(state, offer.by, values["what"]))
    names = (("won", "You have it", "good"), ("tie", "A tie", "fair"), ("lost", "It is not enough", "bad"))
    outcomes = tuple((label, Fraction(counted[name], counted.total()), tone) for name, label, tone in names
                     if name != "tie" or state.settings.flashy)
    return (("With this", OddsAnswer(outcomes)),)


def settle(state: State) -> tuple[Settled, tuple[Step, ...], tuple[Effect, ...]]:
    """What comes of it when it stands (PS-10, PS-14, PS-16)."""
    lost = behind(state)
    if state.settings.flashy:
        return _flashy(state, lost)
    one = state.entrants[0]
    if not lost:
        return Settled("success"), (Step("PS-10", f"{total(one)} against {state.target}: a success."),), ()
    short, kind = state.target - total(one), state.settings.harm
    steps: tuple[Step, ...] = (Step("PS-10", f"{total(one)} against {state.target}: a failure, by {short}."),)
    effects: tuple[Effect, ...] = ()
    if one.player and state.teaches:
        steps += (Step("PS-14", f"{one.name} learns from it: a training point."),)
        effects = (Spend(one.id, TRAINING, 1),)
    return (Settled("failure") if kind == "none" else Settled("failure", one.id, short, kind)), steps, effects


def _flashy(state: State, lost: Sequence[str]) -> tuple[Settled, tuple[Step, ...], tuple[Effect, ...]]:
    first, second = state.entrants
    if len(lost) > 1:
        return Settled("tie"), (Step("PS-16", f"{total(first)} against {total(second)}: a tie, and nobody wins."),), ()
    winner, loser = (second, first) if lost[0] == first.id else (first, second)
    sentence = (f"{winner.name} wins, {total(winner)} against {total(loser)}: a style die from the box. "
                f"{loser.name} takes a failure rank.")
    steps: tuple[Step, ...] = (Step("PS-16", sentence),)
    effects: tuple[Effect, ...] = (winnings(winner.id, "A flashy challenge won"),)
    if loser.player:
        effects += (Spend(loser.id, TRAINING, 1),)
        steps += (Step("PS-14", f"{loser.name} learns from it: a training point."),)
    return Settled(f"{winner.name} wins", loser.id, 1, harm.FAILURE), steps, effects


STAND = Act("stand", offer_standing, stand, ask_to_stand, why=why_standing)
ADD = Act("add", offer_addition, add, odds=odds_of_addition)
EVENTS = (Added, Stood, Settled)
