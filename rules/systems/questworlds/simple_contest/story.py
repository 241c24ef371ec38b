"""What came of a simple contest, for the Chronicle and Home: who beat whom, and how each went about it."""
from __future__ import annotations

from rules.systems.questworlds.simple_contest.resolution import by_how_much, score
from rules.systems.questworlds.simple_contest.state import State
from rules.systems.questworlds.simple_contest.values import Outcome
from rules.wording import sentence, within

VERBS = {"victory": "beat", "defeat": "lost to", "tie": "tied with"}
ALONE = {"victory": "won", "defeat": "lost", "tie": "tied"}  # against a wound or a flaw: nobody is beaten
GROUP = {"victory": "The group won", "defeat": "The group lost", "tie": "Neither side won"}


def story(state: State) -> tuple[str, ...]:
    """The outcome in a sentence, of a group then each one's; then how each went about it."""
    if not state.outcomes:
        return ()
    how = (f"{entrant.name}: {sentence(entrant.chosen.tactic)}" for entrant in state.entrants if entrant.chosen)
    return (*_outcome(state), *how)


def _outcome(state: State) -> tuple[str, ...]:
    prize = sentence(state.settings.prize)
    if not state.side:
        first = state.outcomes[0]
        if state.pair and first.outcome == "defeat":
            first = state.outcomes[1]
        return (f"{_of_one(state, first)}: {prize}",)
    ours, theirs = score(state, state.outcomes)
    of_each = (f"{_of_one(state, outcome)}." for outcome in state.outcomes if not state.others_side(outcome.who))
    return (f"{GROUP[state.side]}, {ours} to {theirs}: {prize}", *of_each)


def _of_one(state: State, outcome: Outcome) -> str:
    name, against = state.entrant(outcome.who).name, state.against(outcome.who)
    if against and (against.heals or against.flaw):
        return f"{name} {ALONE[outcome.outcome]}{by_how_much(outcome)}"
    return f"{name} {VERBS[outcome.outcome]} {within(state.foe(outcome.who))}{by_how_much(outcome)}"
