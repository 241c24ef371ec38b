"""What a player said of a test, which qualities count among it, and the GM strikes: the same faces are read without it
(PQ-01, PQ-03, PQ-05)."""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine import Event, Sheets
from rules.moves import Need, Step
from rules.procedure import Options
from rules.strike import strike_act
from rules.systems.pdq.at_table.roll import Tested, came_to, dice_of, given_with, hurts
from rules.systems.pdq.at_table.state import CALLED_OFF, Result, State
from rules.systems.pdq.reckoning import Terms, heard, said_of, settle_test, task_of, without


@dataclass(frozen=True)
class Unsettled(Event[State]):
    """The GM struck something without which more dice fall than lie there: it is rolled with what is left."""

    terms: Terms
    team: tuple[str, ...]

    def after(self, state: State) -> State:
        return replace(state, terms=self.terms, team=self.team, outcome="", total=None)


@dataclass(frozen=True)
class TestedAgain(Event[State]):
    """The GM struck something when the dice lay there: what they come to without it."""

    tested: Tested

    def after(self, state: State) -> State:
        return self.tested.after(state)


def said(state: State) -> Options:
    """What the player said of a test that came out, or is to be rolled with it."""
    return heard(state.terms) if state.terms and state.outcome != CALLED_OFF else ()


def read_again(state: State, sheets: Sheets, which: str) -> Result:
    """The same faces without what was struck; where that takes more dice, they are rolled next."""
    counted = without(state.terms or Terms((), None, ()), which)
    given, wanted = given_with(state, counted), dice_of(state, counted)
    if wanted > len(state.faces):
        event = Unsettled(counted, task_of(given).team)
        more = f"{wanted - len(state.faces)} more dice fall" if state.faces else "it takes a roll"
        return Result((event,), (Step("PQ-03", f"Without it, {more}."),))
    settled = settle_test(given, state.faces[:wanted], counted.lines)
    if isinstance(settled, Need):
        raise LookupError("As many dice lie there as it takes.")
    result, tested = came_to(state, settled, state.lines, counted, state.faces)
    told = " ".join(said_of(counted.side, state.hard)) if state.hard else ""
    return replace(result, events=(TestedAgain(tested),), dice=(), effects=hurts(sheets, state, tested),
                   result={"who": state.name, **({"said": told} if told else {}), **result.result})


def came(state: State) -> str:
    """What the dice come to, in a few words."""
    if not state.hard:
        return ""
    if state.left:
        return f"to be rolled against {state.hard.target}"
    numbers = "without a roll" if state.total is None else f"{state.total} against {state.hard.target}"
    return f"{state.outcome}, {numbers}"


def _lie(state: State) -> bool:
    return bool(state.outcome or state.faces)


DISMISS = strike_act("PQ-03", lambda state, sheets: said(state), read_again, _lie, came, takes_back=True)
EVENTS = (Unsettled, TestedAgain)
