"""The frame as a whole: accepted, left, sent back, ready for the dice (QW-20, QW-27, QW-63)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.final_action import stopped
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.evolve import evolve
from rules.systems.questworlds.simple_contest.offer_forms import OF_SHEETS, Sheets, counts, whose
from rules.systems.questworlds.simple_contest.resolution import won_without_dice
from rules.systems.questworlds.simple_contest.state import Entrant, State
from rules.systems.questworlds.simple_contest.warnings import least_missing, warnings
from rules.values import BadMove
from rules.wording import sentence


def accept(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """The story may end here."""
    text = f"{sheets[by].name} goes on, knowing that the story may end here."
    return e.Result((e.Accepted(by),), (Step("QW-63", text),))


def back_out(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """No contest, no prize."""
    text = f"{sheets[by].name} backs out before a die falls."
    if len(state.entrants) > 1 and not state.pair:
        return e.Result((e.Left(by),), (Step("QW-63", f"{text} The others go on."),))
    return e.Result((e.Ended("backed out"),), (Step("QW-63", text),))


def call_off(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """The GM lets the contest go."""
    return e.Result((e.Ended("called off"),), (Step("QW-20", "The contest is called off."),))


def send_back(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """A tactic that nobody would believe, or that was tried before: another one is asked for (QW-25, QW-30)."""
    who = values["whom"]
    text = f"{state.entrant(who).name} is asked for another tactic: {sentence(values['reason'])}"
    return e.Result((e.SentBack(who),), (Step("QW-30", text),))


def no_conflict(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """Goals that do not stand in each other's way: both are reached (QW-27)."""
    text = "What the two sides want does not conflict. Both have it, and no die falls."
    return e.Result((e.Ended("no conflict"),), (Step("QW-27", text),))


def reopen(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """Before the dice the GM may change the frame."""
    return e.Result((e.Reopened(),), (Step("QW-20", "Back to framing."),))


def set_(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """The frame is ready, and in the Ledger before a die falls (QW-20)."""
    for each in state.entrants:
        if missing := least_missing(state, each.id):
            raise BadMove(missing)
        if why := stopped(state, sheets.get(each.id), each.id):
            raise BadMove(why)
        against = state.against(each.id)
        if against and against.ending and not each.accepted:
            raise BadMove(f"{each.name} has not accepted yet that the story may end here.")
    steps = tuple(_frame(state))
    # What two sides fight over is never assured: a rival has nothing of the kind.
    if not all((against := state.against(each.id)) and against.assured == "won" for each in state.entrants):
        return e.Result((e.Set(),), steps)
    won = won_without_dice(evolve(state, e.Set()), sheets)
    return e.Result((e.Set(), *won.events), (*steps, *won.steps), won.result, effects=won.effects)


def _frame(state: State) -> Iterator[Step]:
    """The whole frame, as it is kept: for each what they do, against what, and what counts."""
    settings = state.settings
    yield Step("QW-20", f"Ready to roll. The prize: {sentence(settings.prize)}")
    if settings.obstacle:
        yield Step("QW-20", f"In the way: {sentence(settings.obstacle)}")
    for each in state.entrants:
        yield from _part(state, each)
    for found in state.oppositions:
        of_whom = f"{state.entrant(found.who).name}: " if found.who and len(state.entrants) > 1 else ""
        if found.stake:
            yield Step("QW-20", f"{of_whom}At stake: {sentence(found.stake)}")
        if found.ending:
            yield Step("QW-63", f"{of_whom}A story may end here, and that was accepted.")
    for rule, text in warnings(state):
        yield Step(rule, text)


def _part(state: State, who: Entrant) -> Iterator[Step]:
    terms, symbol = state.terms(who.id), state.settings.symbol
    if who.chosen:
        yield Step("QW-20", f"{who.name}: {sentence(who.chosen.tactic)}")
    name = who.chosen.name if who.chosen and who.chosen.name else "no fitting ability"
    against = f"{state.foe(who.id)} at {notation(terms.resistance + sum(terms.resistance_modifiers), symbol)}"
    yield Step("QW-05", f"{who.name}, {name}: {notation(terms.score, symbol)} against {against}.")
    for line in state.lines(who.id):
        kind = OF_SHEETS.get(line.kind, "")
        text = f"{counts(line, symbol)} for {f'{kind}, ' if kind else ''}{whose(state, line)}"
        yield Step("QW-21", f"{text}: {sentence(line.reason)}" if line.reason else f"{text}.")
