"""A downtime as a page draws it, the same for everybody."""
from __future__ import annotations

from dataclasses import dataclass

from rules.procedure import Participant, View
from rules.systems.questworlds.downtime.offers import outlook
from rules.systems.questworlds.downtime.state import State
from rules.wording import join


@dataclass(frozen=True, slots=True)
class DowntimeDetail:
    """Each one's id, name and what they do; what its end does to the story points."""

    rows: tuple[tuple[str, str, str], ...]
    outlook: str


def view(state: State) -> View:
    """Who has spoken, what they said, and who has not."""
    named = dict(zip(state.rested.who, state.rested.names, strict=True))
    groups = tuple((Participant(who, name, ""),) for who, name in named.items())
    facts = tuple(f"{named[who]}: {words}" for who, words in state.said)
    rows = tuple((who, name, state.words(who)) for who, name in named.items())
    detail = DowntimeDetail(rows, outlook(state.rested))
    return View("Over" if state.over else "Open", _waits_for(state, named), groups, facts, detail)


def _waits_for(state: State, named: dict[str, str]) -> str:
    if state.over:
        return "The time has passed." if state.counts else "It was cancelled."
    silent = [name for who, name in named.items() if not state.words(who)]
    return f"Waiting for {join(silent)}." if silent else "Everybody has said it. Waiting for the GM to finish."
