"""After the dice: techniques and style dice are added until it stands, and what comes of it (PS-11, PS-14 to PS-17)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Die, Need, Roll, Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Effect, Sheet, Spend
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.bonus import open_techniques, payment, purse, winnings
from rules.systems.pdq_sharp.challenge.state import (
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
from rules.systems.pdq_sharp.reading import TRAINING
from rules.tables import OddsAnswer
from rules.values import BadMove, Value

STYLE_DIE, AS_DIE, FLAT = "style", "die", "flat"


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
        faces = (*cast.faces, self.face) if self.face else cast.faces
        used = (*cast.used, self.technique) if self.technique else cast.used
        more = replace(cast, faces=faces, flat=cast.flat + (not self.face), used=used)
        return replace(state.with_(self.who, cast=more), stood=())


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
    context, changed = left_by(effects, state.context, sheets)
    return replace(state, context=context), changed


def can_add(state: State, sheets: Sheets, who: Entrant) -> bool:
    """Whether there is anything that they could still add, and it could make a difference.

    Where failing costs nothing, a roll that no addition can better enough stands by itself.
    """
    found = sources(state, sheets[who.id], who)
    if not found or state.settings.flashy or state.settings.harm != "none" or who.cast is None:
        return bool(found)
    many = sum(source != STYLE_DIE for source, _ in found) + purse(sheets[who.id], state.context, player=who.player)
    cast = who.cast
    best = (replace(who, cast=replace(cast, faces=(*cast.faces, *[6] * dice), flat=cast.flat + many - dice))
            for dice in range(many + 1))
    return any(total(each) >= state.target for each in best)


def sources(state: State, sheet: Sheet, who: Entrant) -> list[tuple[str, str]]:
    """What somebody can still add: techniques that were not used, a style die."""
    cast = who.cast or Cast((), (), ())
    found = [(each.id, each.name) for each in open_techniques(sheet, cast.fortes, cast.used)]
    if purse(sheet, state.context, player=who.player):
        found.append((STYLE_DIE, "A style die"))
    return found


def as_it_lies(state: State) -> tuple[dict[str, Value], tuple[Roll, ...]]:
    """The result of the move of the contract as the dice lie, and the roll that says so; nothing while one waits."""
    casts = [each.cast for each in state.entrants]
    if not all(casts):
        return {}, ()
    dice = tuple(face for each in casts if each for face in each.faces)
    sides: list[dict[str, Value]] = []
    for each in state.entrants:
        own = side(each, state.settings.flashy)
        sides.append({"fortes": list(own.fortes), "bonus_dice": own.bonus_dice, "flat": own.flat})
    kind: Any = FlashyMove() if state.settings.flashy else ChallengeMove()
    if state.settings.flashy:
        pcs = [{**own, "pc": each.player} for own, each in zip(sides, state.entrants, strict=True)]
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
    """What can be added after the dice, as a die or as +1."""
    return tuple((f"{source}|{how}", f"{name}: {words}") for source, name in sources(state, sheet, who)
                 for how, words in ((AS_DIE, "a die"), (FLAT, "+1")))


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


def _outcome(state: State, who: Entrant) -> str:
    """What letting it stand leads to: `failure, 9 against 11`."""
    if not state.settings.flashy:
        return f"failure, {total(who)} against {state.target}"
    foe = next(each for each in state.entrants if each.id != who.id)
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
        what = Text(name="what", label="What", most=100, default=REQUIRED, missing="Choose what you add.")
        yield Offer("add", who.id, "Add to it", "Each technique once. Spent style dice go to the bowl.", (what,),
                    {"what": additions(state, sheets[who.id], who)}, rolls=True)


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """After the dice: a technique, once, or a style die, as a die or as +1 (PS-11, PS-17)."""
    source, how = values["what"].split("|")
    sheet, was = sheets[by], total(state.entrant(by))
    technique = sheet.trait(source)
    if how == AS_DIE and not faces:
        return Need((6,))
    if len(faces) != (how == AS_DIE):
        raise BadMove("Give one die for a die, and none for +1.", "dice")
    event = Added(by, faces[0] if faces else 0, technique.id if technique else "")
    now = event.after(state)
    name = technique.name if technique else "a style die"
    steps = (Step("PS-11", f"{sheet.name}: {name} {f'shows {faces[0]}' if faces else 'adds 1'}."),
             Step("PS-17", f"{was} becomes {total(now.entrant(by))}."), *in_numbers(now))
    result, rolls = as_it_lies(now)
    dice = tuple(Die(6, face, sheet.name) for face in faces)
    effects = () if technique else payment(sheet, 1)
    return completed(state, sheets, Result((event,), steps, result, dice, effects, rolls))


def chances(state: State, who: str, what: str) -> list[str]:
    """For each face of what is added: `won`, `tie` or `lost` for this one, as it would lie."""
    faces = range(1, 7) if what.endswith(AS_DIE) else (0,)
    found = []
    for face in faces:
        lost = behind(Added(who, face).after(state))
        found.append("tie" if len(lost) > 1 else "lost" if who in lost else "won")
    return found


def odds_of_addition(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of what is added (PS-17)."""
    counted = Counter(chances(state, offer.by, values["what"]))
    names = (("won", "You have it", "good"), ("tie", "A tie", "fair"), ("lost", "It is not enough", "bad"))
    outcomes = tuple((label, Fraction(counted[name], counted.total()), tone) for name, label, tone in names
                     if name != "tie" or state.settings.flashy)
    return (("What it would be", OddsAnswer(outcomes)),)


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
    if one.player:
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


STAND = Act("stand", offer_standing, stand, ask_to_stand)
ADD = Act("add", offer_addition, add, odds=odds_of_addition)
EVENTS = (Added, Stood, Settled)
