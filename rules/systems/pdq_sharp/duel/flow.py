"""What follows from an act by itself: dice that stand are compared, squads are hurt, turns end and begin."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import wraps

from rules.engine import Handler, Sheets, Values
from rules.moves import Need, Roll, Step
from rules.sheet import Damage, Effect, Sheet, Spend, Transfer
from rules.systems.pdq_sharp.duel import initiative, lull, withstand
from rules.systems.pdq_sharp.duel.damage import easiest, helpless, suffered
from rules.systems.pdq_sharp.duel.ellipsis import can_answer, deciders
from rules.systems.pdq_sharp.duel.engaging import idle
from rules.systems.pdq_sharp.duel.events import Ended, Event, HeldBack, LullStood, Result, Stood, TurnBegan
from rules.systems.pdq_sharp.duel.evolve import evolve
from rules.systems.pdq_sharp.duel.state import Phase, State
from rules.systems.pdq_sharp.duel.touch import compare
from rules.systems.pdq_sharp.reading import capacity
from rules.wording import alone


@dataclass(frozen=True)
class Next:
    """Something that happens by itself, and what is said of it."""

    event: Event
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    rolls: tuple[Roll, ...] = ()


def going_on(handler: Handler[State]) -> Callable[..., Result | Need]:
    """The handler of an act, with all that follows from it."""
    @wraps(handler)
    def act(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
        found = handler(state, sheets, by, values, faces)
        return found if isinstance(found, Need) else completed(state, sheets, found)
    return act


def completed(state: State, sheets: Sheets, found: Result) -> Result:
    """A result with all that follows from it."""
    for event in found.events:
        state = evolve(state, event)
    state, sheets = after(state, sheets, found.effects)
    while (following := onward(state, sheets)) is not None:
        state = evolve(state, following.event)
        state, sheets = after(state, sheets, following.effects)
        found = replace(
            found, events=(*found.events, following.event), steps=(*found.steps, *following.steps),
            effects=(*found.effects, *following.effects), rolls=_together(found.rolls, following.rolls))
    return found


def _together(rolls: Sequence[Roll], more: Sequence[Roll]) -> tuple[Roll, ...]:
    """What stands in the end is not told twice."""
    return (*rolls, *(each for each in more if each not in rolls))


def onward(state: State, sheets: Sheets) -> Next | None:
    """What happens next by itself, None where somebody has to decide."""
    if state.phase in (Phase.BLANK, Phase.OVER, Phase.TERMS, Phase.COUP):
        return None
    if state.lull:
        return _lull(state, sheets)
    for who in deciders(state):
        if not can_answer(state, sheets, who):
            return Next(Stood(who))
    for bout in state.bouts:
        if state.live and bout[0] not in state.clashed and {*bout} <= {*state.stood}:
            found = compare(state, sheets, bout)
            return Next(found.event, found.steps, found.effects, found.rolls)
    if hurt := _without_choice(state, sheets):
        return hurt
    if state.live or state.wounds or state.stings:
        return None
    if state.decided:
        return _decided(state)
    if not state.turn or state.throws or (not state.undecided and not state.engaged):
        return _turn(state, sheets)
    if state.undecided and idle(state, state.undecided[0]):
        return Next(HeldBack(state.undecided[0].id))
    return None


def _lull(state: State, sheets: Sheets) -> Next | None:
    """An impasse stands when whoever is behind lets it, or has nothing to add (PS-17)."""
    asked = lull.decider(state)
    if asked:
        return None if lull.additions(state, sheets, asked) else Next(LullStood(asked))
    return Next(*lull.settle(state))


def _without_choice(state: State, sheets: Sheets) -> Next | None:
    """A squad loses minions in a row, and who has nothing left to lose places nothing (PS-25).

    A roll against a poison stands that is enough, or to which nothing can be added (PS-17).
    """
    for roll in state.resisting:
        if withstand.withstands(state, roll.who) or not withstand.additions(state, sheets, roll.who):
            return Next(*withstand.settle(state, sheets, roll.who))
    for wound in state.wounds:
        fencer, sheet = state.fencer(wound.who), sheets[wound.who]
        if fencer.squad or not capacity(sheet):
            found = suffered(state, sheet, wound, easiest(sheet, fencer, wound.amount))
            return Next(found.events[0], found.steps, found.effects)
    return None


def _decided(state: State) -> Next | None:
    """One side stands. Where somebody lies at its mercy, it says first what becomes of them."""
    if any(helpless(state, each) for each in state.standing):
        return None
    winner = state.sides_standing[0] if state.sides_standing else ""
    text = alone(winner) if winner else "Nobody is still standing"
    return Next(Ended(winner), (Step("PS-31", f"{text}. The duel is over."),))


def _turn(state: State, sheets: Sheets) -> Next:
    turn = state.turn + 1
    steps = (Step("PS-20", f"Turn {turn} begins."), *initiative.order_steps(state.fencers, sheets, turn))
    return Next(TurnBegan(turn, initiative.places(state.fencers, sheets, turn)), steps)


def after(state: State, sheets: Sheets, effects: Iterable[Effect]) -> tuple[State, Sheets]:
    """Sheets and pools as these effects will leave them, for what follows in the same act."""
    changed = dict(sheets)
    pools = dict(state.context.pools)
    for effect in effects:
        match effect:
            case Damage(trait, by, failure):
                changed = {who: _hurt(sheet, trait, by, failure) for who, sheet in changed.items()}
            case Spend(sheet, pool, by):
                changed[sheet] = _spent(changed[sheet], pool, by)
            case Transfer(amount, source, target):
                for purse, by in ((source, -amount), (target, amount)):
                    if purse and purse.sheet:
                        changed[purse.sheet] = _spent(changed[purse.sheet], purse.pool, by)
                    elif purse:
                        pools[purse.pool] = pools.get(purse.pool, 0) + by
            case _:
                pass  # what else there is has no part in what follows here
    return replace(state, context=replace(state.context, pools=tuple(pools.items()))), changed


def _hurt(sheet: Sheet, trait: str, by: int, failure: bool) -> Sheet:
    if sheet.trait(trait) is None:
        return sheet
    return replace(sheet, traits=tuple(
        replace(each, damage=each.damage + by, failures=each.failures + (by if failure else 0))
        if each.id == trait else each for each in sheet.traits))


def _spent(sheet: Sheet, pool: str, by: int) -> Sheet:
    return replace(sheet, pools=tuple({**dict(sheet.pools), pool: sheet.pool(pool) + by}.items()))
