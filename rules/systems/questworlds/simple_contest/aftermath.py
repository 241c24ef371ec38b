"""After the outcome: which goal is won, what lasts, and the end (QW-27, QW-60)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.sheet import Gain
from rules.systems.questworlds.older import outcome_points
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.giving import check_state, check_worthy, kind_of
from rules.systems.questworlds.older.states import RULES, worth
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.offer_forms import OURS, THEIRS, Sheets, side, suggested
from rules.systems.questworlds.simple_contest.state import State
from rules.wording import join, sentence


def choose_goal(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """One of two goals, where the die alone was better (QW-27)."""
    goals = state.settings.prize or "the prize", state.second_goal(by)
    won, lost = goals if values["goal"] == "first" else goals[::-1]
    steps = (Step("QW-27", f"{sheets[by].name} chooses: {sentence(won)}"),
             Step("QW-27", f"It is not won: {sentence(lost)}"))
    return e.Result((e.ChoseGoal(by, values["goal"]),), steps)


def give(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """A consequence or a benefit goes onto a sheet, or onto those of a side, and knows where it is from (QW-60)."""
    kind, rank, name, touches = values["kind"], int(values["rank"]), values["name"], values["touches"].rstrip(".")
    note = f"{touches}. From: {state.settings.prize}" if touches else f"From: {state.settings.prize}"
    symbol, stored = state.settings.symbol, kind_of(kind, state.settings.older)
    who = side(state, values["whom"])
    check_state(stored, rank)
    for each in who:
        check_worthy(stored, sheets[each].name, state.score(each), faced(state, each), symbol)
    amount = worth(stored, rank, symbol, state.edition)
    named = join([sheets[each].name for each in who])
    steps = [Step(RULES.get(stored, "QW-60"), f"{named}: {name}, {amount}{f', on {touches}' if touches else ''}.")]
    if values["whom"] in (OURS, THEIRS):
        if outcome_points.used(state):
            steps.append(Step("QW-A2", f"The group’s outcome was a {in_words(outcome_points.group_degree(state))}."))
        steps.append(Step("QW-42", "It comes from how the whole contest went, beside what each brought on themselves."))
    elif came := state.outcome(values["whom"]):
        ranked = f"{came.outcome} of rank {came.rank}" if came.rank else came.outcome
        what = in_words(came.degree) if came.degree else ranked
        steps.append(Step("QW-14", f"The outcome was a {what}: for a {kind}, rank "
                                   f"{suggested(state, came, kind)} was suggested."))
    return e.Result(tuple(e.Gave(each, stored, name, rank) for each in who), tuple(steps),
                    effects=tuple(Gain(each, stored, name, rank, note) for each in who))


def faced(state: State, who: str) -> int | None:
    """The score that stood against one; None where the victory was no question."""
    rival, against = state.rival(who), state.against(who)
    return state.score(rival.id) if rival else against.resistance if against else None


def close(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """The contest is done."""
    return e.Result((e.Ended("done"),), (Step("QW-41", f"The contest is done: {sentence(state.settings.prize)}"),))
