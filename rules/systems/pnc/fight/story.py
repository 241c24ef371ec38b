"""What came of a fight or an opposed roll, for the Chronicle."""
from __future__ import annotations

from rules.systems.pnc.fight.state import WORDS, State
from rules.wording import beat, by_side, join


def story(state: State) -> tuple[str, ...]:
    """The outcome in a sentence, then how those who no longer stand came out of it."""
    if not state.over:
        return ()
    if state.settings.opposed:
        return (f"{state.outcome.rstrip('.')}.",) if state.outcome else ()
    sides = by_side((combatant.side, combatant.name) for combatant in state.combatants)
    won = beat(state.winner, sides) if state.winner else "It ended without a winner"
    rounds = f" after {state.round} round{'' if state.round == 1 else 's'}" if state.round else ""
    fell: dict[str, list[str]] = {}
    for combatant in state.combatants:
        if not combatant.fights:
            fell.setdefault(WORDS[combatant.standing], []).append(combatant.name)
    return (f"{won}{rounds}.", *(f"{word.capitalize()}: {join(names)}." for word, names in fell.items()),
            *([state.words] if state.words else []))
