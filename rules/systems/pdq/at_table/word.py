"""What a player said of a test, which qualities count among it, and the GM strikes: the same faces are read without it
(PQ-01, PQ-03, PQ-05)."""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine import Event, Sheets
from rules.moves import Need
from rules.procedure import Options
from rules.strike import strike_act
from rules.systems.pdq.at_table.roll import Tested, came_to, hurts, team_of
from rules.systems.pdq.at_table.state import Result, State
from rules.systems.pdq.reckoning import Terms, heard, said_of, settle_test, task_of, tried, without
from rules.values import Value


@dataclass(frozen=True)
class TestedAgain(Event[State]):
    """The GM struck something when the dice lay there: what they come to without it."""

    tested: Tested

    def after(self, state: State) -> State:
        return self.tested.after(state)


def said(state: State) -> Options:
    """What the player said of a test that is rolled: whatever leaves no more dice than lie there."""
    if not state.terms or state.open:
        return ()
    return tuple((what, words) for what, words in heard(state.terms)
                 if _wanted(state, without(state.terms, what)) <= len(state.faces))


def _wanted(state: State, counted: Terms) -> int:
    """How many dice such a test takes."""
    task = task_of(_given(state, counted))
    return 0 if task.automatic else task.side.dice


def _given(state: State, counted: Terms) -> dict[str, Value]:
    if state.hard is None:
        raise LookupError("Nothing was rolled without a difficulty.")
    return tried(counted.side, state.hard, state.team if _is_older(counted) else team_of(state, counted.lines))


def _is_older(counted: Terms) -> bool:
    """Whether these terms were kept before it was known whose each quality is."""
    return len(counted.lines) < len(counted.ranks)


def read_again(state: State, sheets: Sheets, which: str) -> Result:
    """The same faces without what was struck."""
    counted = without(state.terms or Terms((), None, ()), which)
    given, faces = _given(state, counted), state.faces[:_wanted(state, counted)]
    settled = settle_test(given, faces, counted.lines)
    if isinstance(settled, Need):
        raise LookupError("Nothing is offered that takes more dice than lie there.")
    result, tested = came_to(state, settled, state.lines, counted, state.faces)
    told = " ".join(said_of(counted.side, state.hard)) if state.hard else ""
    return replace(result, events=(TestedAgain(tested),), dice=(), effects=hurts(sheets, state, tested),
                   result={"who": state.name, **({"said": told} if told else {}), **result.result})


def came(state: State) -> str:
    """What the dice come to, in a few words."""
    if not state.outcome or not state.hard:
        return ""
    return state.outcome if state.total is None else f"{state.outcome}, {state.total} against {state.hard.target}"


DISMISS = strike_act("PQ-03", lambda state, sheets: said(state), read_again, lambda state: bool(state.outcome), came,
                     takes_back=True)
EVENTS = (TestedAgain,)
