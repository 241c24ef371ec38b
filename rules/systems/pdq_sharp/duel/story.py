"""What came of a duel, for the Chronicle: who beat whom, who was out of it, what it took."""
from __future__ import annotations

from rules.systems.pdq_sharp.duel.state import State
from rules.wording import beat, by_side


def story(state: State) -> tuple[str, ...]:
    """The outcome in a sentence, then how those who are out of it came to be so."""
    if not state.over:
        return ()
    sides = by_side((fencer.side, fencer.name) for fencer in state.fencers)
    won = beat(state.winner, sides) if state.winner else "It ended without a winner"
    turns = f" after {state.turn} turn{'' if state.turn == 1 else 's'}" if state.turn else ""
    return (f"{won}{turns}.", *(f"{fencer.name}: {fencer.out}." for fencer in state.fencers if fencer.out))
