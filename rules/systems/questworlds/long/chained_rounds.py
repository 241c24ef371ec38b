"""What a round of a chained contest comes to: a consequence at once, and who has to concede (QW-57)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.moves import Step
from rules.sheet import Effect, Gain, Sheet
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.scored_rounds import aimed
from rules.systems.questworlds.long.state import State, Throw
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.degrees import apart
from rules.systems.questworlds.older.giving import kind_of
from rules.systems.questworlds.older.long_tables import DYING, in_chain, unharmed
from rules.systems.questworlds.older.options import LONG_TABLES
from rules.systems.questworlds.older.states import NAMES, worth
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.traits import ADVERSITY, CONSEQUENCE, score_of, usable

Came = tuple[tuple[e.Event, ...], tuple[Step, ...], str, tuple[Effect, ...]]


def chained_round(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Came:
    """The loser has a consequence of the outcome's rank at once; penalties below 0 make them concede."""
    lies = throw.thrown
    by_table = state.on(LONG_TABLES)
    if by_table and clash.lead and unharmed(clash):
        return (), (Step("QW-A5", "Two fumbles: both make a mistake, and nobody suffers."),), "Nobody suffers.", ()
    if not clash.lead:
        return (), (Step("QW-57", "A tie: nobody suffers."),), "Nobody suffers.", ()
    won = clash.lead > 0
    winner, loser = (lies.first, lies.second) if won else (lies.second, lies.first)
    hers = lies.choice if won else lies.other
    if hers.aim:
        aims, because, words = aimed(state, winner, hers)
        return tuple(aims), because, words, ()
    ladder, symbol = state.edition.modifiers, state.settings.symbol
    found, name = state.entrant(loser), f"Setback of round {state.round}"
    rank = in_chain(clash.levels, [had for had, _ in found.hurts]) if by_table else ladder.held(clash.rank)
    kind = kind_of(CONSEQUENCE, state.settings.older)
    all_of_it = state.penalty(found, rank)
    what = worth(kind, rank, symbol, state.edition)
    text = f"{found.name} is {what}." if kind == ADVERSITY else f"{found.name} has a consequence, {what}."
    steps = [Step("QW-57", f"It counts at once: {found.name} is at {signed(all_of_it, symbol)} in all.")]
    events: list[e.Event] = [e.Hurt(loser, rank, name)]
    effects: tuple[Effect, ...] = ()
    if loser in sheets:
        effects = (Gain(loser, kind, name, rank, f"From: {state.settings.prize}"),)
    if by_table:
        why = f"{apart(clash.levels).capitalize()}: {found.name} is {NAMES[ADVERSITY][rank - 1]}."
        steps.insert(0, Step("QW-A5", why))
        if rank == DYING:
            return (*events, e.Out(loser, "beaten", lies.bout)), tuple(steps), text, effects
    target = best_left(state, sheets.get(loser), loser, rank)
    if target < 0:
        steps.append(Step("QW-57", f"With {notation(target, symbol)} {found.name} has to concede."))
        events.append(e.Out(loser, "conceded", lies.bout))
    return tuple(events), tuple(steps), text, effects


def best_left(state: State, sheet: Sheet | None, who: str, more: int = 0) -> int:
    """The best target number that somebody has left, with another consequence of rank `more` (QW-57)."""
    found = state.entrant(who)
    lines = sum(each.amount for each in state.lines if each.who == who)
    scores = [state.edition.resolution.no_ability]
    if found.part.resistance is not None:
        scores = [found.part.resistance]
    elif sheet is not None:
        scores += [score for trait in usable(sheet) if (score := score_of(trait, sheet)) is not None]
    return max(scores) + lines + state.penalty(found, more)
