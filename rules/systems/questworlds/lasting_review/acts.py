"""How a review of lasting effects begins, and what each act in it leads to (QW-61, QW-03)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.moves import Step, take
from rules.sheet import ChangeSetting, Effect, Lose
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.growth import faded
from rules.systems.questworlds.lasting_review.events import Cleared, Finished, Looked, Opened, Result
from rules.systems.questworlds.lasting_review.state import ReviewState
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.states import rested, worth_of
from rules.systems.questworlds.resistance import Progression
from rules.systems.questworlds.traits import lasting
from rules.values import BadMove


def begin(values: Values, sheets: Sheets, faces: Sequence[int], edition: Edition) -> Result:
    """The sheets that are reviewed, and the base where a new season raises it."""
    take(faces, 0)
    who = tuple(each["sheet"] for each in values["contestants"])
    rise, symbol = int(values["season"]), values["symbol"]
    if not rise and not any(lasting(sheets[each]) for each in who):
        raise BadMove("Nobody here has a consequence or a benefit, and the base stays. There is nothing to review.")
    asked = Step("QW-61", "Time has passed. What still lasts?")
    if not rise:
        return Result((Opened(who, symbol, 0),), (asked,))
    base = Progression(values["base"], edition=edition).next_season(rise).base
    if base > edition.difficulty.highest_base:
        most = notation(edition.difficulty.highest_base, symbol)
        raise BadMove(f"The base goes up to {most}. Let it rise by less, or stay.", "season")
    rises = Step("QW-03", f"A new season: the base resistance rises by {rise}, from "
                          f"{notation(values['base'], symbol)} to {notation(base, symbol)}.")
    return Result((Opened(who, symbol, base),), (asked, rises), effects=(ChangeSetting("base", base),))


def look(state: ReviewState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """One line stays, falls by a rank, or is over."""
    who, trait = next(each for each in state.left(sheets) if each[1].id == values["line"])
    if values["how"] == "keep":
        step = Step("QW-61", f"{who.name}: {trait.name} stays at {worth_of(trait, state.symbol, state.edition)}.")
        return Result((Looked(trait.id),), (step,))
    steps, effects = faded(who, trait, values["how"], state.symbol, state.edition)
    return Result((Looked(trait.id),), tuple(steps), effects=tuple(effects))


def clear(state: ReviewState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """All that is left is over."""
    steps, effects = [Step("QW-61", "All that lasted is over.")], list[Effect]()
    left = state.left(sheets)
    for who, trait in left:
        why, changes = faded(who, trait, "gone", state.symbol, state.edition)
        steps += why
        effects += changes
    return Result((Cleared(tuple(trait.id for _, trait in left)),), tuple(steps), effects=tuple(effects))


def rest(state: ReviewState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """So many days pass for all of them, and what they take away is gone (QW-A6, QW-A7)."""
    steps, effects = list[Step](), list[Effect]()
    for who in state.who:
        why, lost = rested(sheets[who], int(values["days"])) if who in sheets else ([], [])
        steps, effects = [*steps, *why], [*effects, *lost]
    if not effects:
        raise BadMove("So little time takes nothing away. Choose a longer one, or review each line.", "days")
    gone = tuple(each.trait for each in effects if isinstance(each, Lose))
    return Result((Cleared(gone),), tuple(steps), effects=tuple(effects))


def finish(state: ReviewState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The review is over; the rest stays as it is."""
    return Result((Finished(True),), (Step("QW-61", "The review of what lasts is finished."),))
