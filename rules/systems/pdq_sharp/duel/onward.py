"""What follows from an act by itself: dice that stand are compared, squads are hurt, turns end and begin."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from rules.engine import Act, Event, Sheets, Values, after
from rules.moves import Need, Roll, Step
from rules.sheet import Effect
from rules.strike import DISMISS
from rules.systems.pdq_sharp.duel import impasse, withstanding
from rules.systems.pdq_sharp.duel.clash import Clashed, compare, deciders
from rules.systems.pdq_sharp.duel.damage import easiest, suffered
from rules.systems.pdq_sharp.duel.ellipsis import Stood, can_answer
from rules.systems.pdq_sharp.duel.engaging import HeldBack, idle
from rules.systems.pdq_sharp.duel.impasse import Lulled, LullStood
from rules.systems.pdq_sharp.duel.mercy import Ended, helpless
from rules.systems.pdq_sharp.duel.order import next_turn
from rules.systems.pdq_sharp.duel.state import Phase, Result, State
from rules.systems.pdq_sharp.duel.withstanding import Withstood
from rules.systems.pdq_sharp.duel.word import Stands, stood_at_once
from rules.systems.pdq_sharp.foresight import left_by
from rules.systems.pdq_sharp.reading import capacity
from rules.wording import alone


@dataclass(frozen=True)
class Next:
    """Something that happens by itself, and what is said of it."""

    event: Event[State]
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    rolls: tuple[Roll, ...] = ()


def going_on(act: Act[State]) -> Act[State]:
    """The act with all that follows from it."""
    def do(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
        result = act.do(state, sheets, by, values, faces)
        if isinstance(result, Need):
            return result
        if state.unread and act.action != DISMISS:
            result = replace(result, events=(Stands(), *result.events))
        return completed(state, sheets, result)
    return replace(act, do=do)


def completed(state: State, sheets: Sheets, result: Result) -> Result:
    """A result with all that follows from it. Where dice stand by that, they may be read again until something is done.
    """
    lay = state, sheets = _after(after(state, result.events), sheets, result.effects)
    follows: list[Next] = []
    while (following := onward(state, sheets)) is not None:
        state, sheets = _after(following.event.after(state), sheets, following.effects)
        follows.append(following)
    settles = any(isinstance(following.event, (Clashed, Lulled, Withstood)) for following in follows)
    stood = tuple(stood_at_once(*lay, result)) if settles else ()
    return replace(
        result, events=(*result.events, *stood, *(following.event for following in follows)),
        steps=(*result.steps, *(step for following in follows for step in following.steps)),
        effects=(*result.effects, *(effect for following in follows for effect in following.effects)),
        rolls=reduce(_together, (following.rolls for following in follows), tuple(result.rolls)),
        result={**result.result, "reads": True} if stood else result.result)


def _after(state: State, sheets: Sheets, effects: Iterable[Effect]) -> tuple[State, Sheets]:
    context, changed = left_by(effects, state.context, sheets)
    return replace(state, context=context), changed


def _together(rolls: tuple[Roll, ...], more: tuple[Roll, ...]) -> tuple[Roll, ...]:
    """What stands in the end is not told twice."""
    return (*rolls, *(roll for roll in more if roll not in rolls))


def onward(state: State, sheets: Sheets) -> Next | None:
    """What happens next by itself, None where somebody has to decide."""
    if state.phase in (Phase.BLANK, Phase.OVER, Phase.TERMS, Phase.COUP):
        return None
    if state.lull:
        return _impasse(state, sheets)
    for who in deciders(state):
        if not can_answer(state, sheets, who):
            return Next(Stood(who, who in state.easy))
    for bout in state.bouts:
        if state.live and bout[0] not in state.clashed and {*bout} <= {*state.stood}:
            compared = compare(state, sheets, bout)
            return Next(compared.event, compared.steps, compared.effects, compared.rolls)
    if hurt := _without_choice(state, sheets):
        return hurt
    if state.live or state.wounds or state.stings:
        return None
    if state.decided:
        return _decided(state)
    if not state.turn or state.throws or (not state.undecided and not state.engaged):
        return Next(*next_turn(state, sheets))
    if state.undecided and idle(state, state.undecided[0]):
        return Next(HeldBack(state.undecided[0].id))
    return None


def _impasse(state: State, sheets: Sheets) -> Next | None:
    """An impasse stands when whoever is behind lets it, or has nothing to add (PS-17)."""
    asked = impasse.decider(state)
    if asked:
        return None if impasse.can_better(state, sheets, asked) else Next(LullStood(asked))
    return Next(*impasse.settle(state))


def _without_choice(state: State, sheets: Sheets) -> Next | None:
    """A squad loses minions in a row, and who has nothing left to lose places nothing (PS-25).

    Somebody who said so takes it where it hurts least, unless it takes them out (PS-30).
    A roll against a poison stands that is enough, or to which nothing can be added (PS-17).
    """
    for cast in state.resisting:
        if withstanding.withstands(state, cast.who) or not withstanding.can_better(state, sheets, cast.who):
            return Next(*withstanding.comes_of(state, sheets, cast.who))
    for wound in state.wounds:
        fencer, sheet = state.fencer(wound.who), sheets[wound.who]
        easy = wound.who in state.easy and wound.amount < capacity(sheet)
        if fencer.squad or not capacity(sheet) or easy:
            hurt = suffered(state, sheet, wound, easiest(sheet, fencer, wound.amount))
            return Next(hurt.events[0], hurt.steps, hurt.effects)
    return None


def _decided(state: State) -> Next | None:
    """One side stands. Where somebody lies at its mercy, it says first what becomes of them."""
    if any(helpless(state, fencer) for fencer in state.standing):
        return None
    winner = state.sides_standing[0] if state.sides_standing else ""
    text = alone(winner) if winner else "Nobody is still standing"
    return Next(Ended(winner), (Step("PS-31", f"{text}. The duel is over."),))
