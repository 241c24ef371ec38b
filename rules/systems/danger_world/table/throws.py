"""The dice fall, and two rounds of re-rolls follow (DW-02, DW-03); what a set of each height would come to."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Listing, Text
from rules.moves import Die, Need, Roll, Step, take
from rules.procedure import Ask, Offer, Use
from rules.sheet import Effect, Gain, Lose, Raise, Sheet, Spend, SpendShared
from rules.systems.danger_world.check import HARDEST, HIGHEST, CheckMove
from rules.systems.danger_world.moves import aid
from rules.systems.danger_world.pool import ROUNDS, SIDES, Pool
from rules.systems.danger_world.reading import ASPECTS, GENERAL, POINTS, botches, dice
from rules.systems.danger_world.reckoning import Invoked, Proposal, Reason, Settled, aspect_of
from rules.systems.danger_world.table.pooling import odds, terms_of, why
from rules.systems.danger_world.table.state import Result, State
from rules.values import BadMove, Value
from rules.wording import join

ID = Text(name="id", label="Die")


@dataclass(frozen=True)
class Rolled(Event[State]):
    """The dice fell, on these terms: how many of each kind, their faces in this order, the difficulty, the reasons."""

    action: int
    danger: int
    threat: int
    faces: tuple[int, ...]
    difficulty: int
    reasons: tuple[Reason, ...] = ()

    def after(self, state: State) -> State:
        pool = Pool(self.action, self.danger, self.threat)
        return replace(state, pool=pool, faces=self.faces, thrown=self.faces, difficulty=self.difficulty,
                       reasons=self.reasons)

    def used(self, before: State) -> tuple[Use, ...]:
        return (Use(before.who, before.proposal.stats),) if before.proposal else ()


@dataclass(frozen=True)
class Rerolled(Event[State]):
    """A round of re-rolls: which dice, by index, and what they show now (DW-03)."""

    dice: tuple[int, ...]
    faces: tuple[int, ...]

    def after(self, state: State) -> State:
        lying = list(state.faces)
        for index, face in zip(self.dice, self.faces, strict=True):
            lying[index] = face
        return replace(state, faces=tuple(lying), thrown=(*state.thrown, *self.faces),
                       again=(*state.again, self.dice))


def offer_rolling(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the one who tries, once the pool is agreed to."""
    if not (state.may_pool(sheets) and state.ready and state.proposal):
        return
    try:
        known = terms_of(state, sheets[state.who], state.proposal)
        title = f"Roll {dice(known.pool.all)} against {known.difficulty}"
    except BadMove:
        title = "Roll"  # the page says what the pool lacks
    yield Offer("roll", state.who, title, rolls=True)


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice fall; bonus dice and story points are used up."""
    sheet, proposal = sheets[state.who], cast(Proposal, state.proposal)  # there is one where this is offered
    known = terms_of(state, sheet, proposal)
    pool = known.pool
    if len(faces) < pool.all:
        return Need((SIDES,) * (pool.all - len(faces)))
    take(faces, pool.all)
    event = Rolled(pool.action, pool.danger, pool.threat, tuple(faces), known.difficulty, known.reasons)
    steps = [Step("DW-02", f"{sheet.name} rolls {known.words} against {known.difficulty}."), *known.steps]
    effects: list[Effect] = [Lose(bonus) for bonus in proposal.bonus]
    if spent := sum(invoked.points for invoked in proposal.invoked):
        effects += [Spend(sheet.id, POINTS, -spent), SpendShared(GENERAL, spent)]
        steps.append(Step("DW-10", f"{spent} to the general pool."))
    effects += [_used(sheet, invoked) for invoked in proposal.invoked]
    after = event.after(state)
    return Result((event,), (*steps, *sets_shown(after)), dice=all_dice(after), effects=tuple(effects),
                  rolls=roll_of(after))


def _used(sheet: Sheet, invoked: Invoked) -> Effect:
    if invoked.aspect:
        return Raise(invoked.aspect, 1)
    name, depth = aspect_of(sheet, invoked)
    return Gain(sheet.id, ASPECTS[depth], name, 1, parent=invoked.under if depth else "")


def ask_rolling(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The player."""
    if state.ready and state.may_pool(sheets):
        yield Ask(state.who, "roll", f"roll against {state.rated.difficulty}", "Roll", routine=True)


def offer_rerolling(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the one who tries, two times; threat dice alone lie as they fell (DW-03)."""
    if not state.rerolls(sheets) or not state.own_faces:
        return
    pool = state.pool or Pool(0)
    options = tuple(
        (str(index), f"{state.faces[index]}{', a danger die' if pool.kind(index) == 'danger' else ''}")
        for index in range(pool.own)
    )
    again = "for the first time" if state.rounds == 0 else "for the last time"
    field = Listing(name="dice", label="Dice to roll again", of=ID,
                    missing="Choose the dice to roll again, or keep all dice.")
    yield Offer("reroll", state.who, "Roll these again", f"You may roll some again {again}.", (field,),
                {"dice": options}, rolls=True)


def reroll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """One of two rounds of re-rolls."""
    again = tuple(sorted(int(index) for index in values["dice"]))
    if len(faces) < len(again):
        return Need((SIDES,) * (len(again) - len(faces)))
    take(faces, len(again))
    event = Rerolled(again, tuple(faces))
    after = event.after(state)
    changed = ", ".join(f"{state.faces[index]} becomes {face}" for index, face in zip(again, faces, strict=True))
    which = f"round {after.rounds} of {ROUNDS}"
    first = Step("DW-03", f"{sheets[state.who].name} rolls {dice(len(again))} again, {which}: {changed}.")
    return Result((event,), (first, *sets_shown(after)), dice=all_dice(after), rolls=roll_of(after))


def set_words(state: State, height: int) -> str:
    """What using a set of this height means: `Height 4: accomplished, 1 bonus die and a benefit; 2 botches`."""
    return f"{f'Height {height}' if height else 'No set'}: {result_words(state, height)}"


def result_words(state: State, height: int) -> str:
    """What comes of a set of this height, 0 for none: `accomplished; no botches; the danger rises by 1`."""
    came = state.settled(height)
    danger = f"; the danger rises by {came.danger}" if came.danger else ""
    return f"{_success_words(state, came)}; {botches(came.botches) if came.botches else 'no botches'}{danger}"


def _success_words(state: State, came: Settled) -> str:
    bonus = dice(came.bonus, "bonus")
    if not came.height:
        return "not accomplished"
    if not came.accomplished:
        return f"a partial success, {bonus}"
    if state.is_aid and aid(came.height):
        return f"accomplished, {dice(aid(came.height), 'bonus')} for the other one"
    return f"accomplished, {bonus} and a benefit" if came.bonus else "accomplished"


def sets_shown(state: State) -> tuple[Step, ...]:
    """Which sets the dice make now."""
    if not state.sets:
        return (Step("DW-04", "There is no set yet." if state.rounds < ROUNDS else "There is no set."),)
    heights = join([str(height) for height in state.sets])
    return (Step("DW-04", f"{'A set' if len(state.sets) == 1 else 'Sets'} of height {heights} could be used."),)


def all_dice(state: State) -> tuple[Die, ...]:
    """All dice as they lie; which were rolled just now the sentence tells."""
    pool = state.pool or Pool(0)
    return tuple(Die(SIDES, face, pool.kind(index)) for index, face in enumerate(state.faces))


def roll_of(state: State, height: int = HIGHEST) -> tuple[Roll, ...]:
    """What all dice so far come to with the set of this height, 0 for none; the highest one while nothing is chosen.

    () where the contract has no such check: over 40 action or threat dice, or one from before repeated taps on a die
    counted once and a difficulty ended at 1. The check itself goes on all the same.
    """
    pool, kind = state.pool, CheckMove()
    if pool is None:
        return ()
    given: dict[str, Value] = {
        "pool": {"action": pool.action, "danger": pool.danger, "threat": pool.threat},
        # No set is as high as either, so nothing else comes of it.
        "difficulty": min(HARDEST, state.difficulty),
        "rerolls": [[*indices] for indices in state.again],
    }
    if height != HIGHEST:
        given["set"] = height
    try:
        outcome = kind.resolve(kind.read(given), state.thrown)
    except BadMove:
        return ()
    return () if isinstance(outcome, Need) else (Roll(kind.name, given, state.thrown, outcome.result),)


ROLL = Act("roll", offer_rolling, roll, ask_rolling, odds, why)
AGAIN = Act("reroll", offer_rerolling, reroll)
EVENTS = (Rolled, Rerolled)
