"""Whom a check waits for, and for what."""
from __future__ import annotations

from rules.procedure import Ask
from rules.systems.danger_world.reading import botches
from rules.systems.danger_world.table.state import Phase, State


def asks(state: State) -> tuple[Ask, ...]:
    """What the player is asked to do, or the GM."""
    who = state.who
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.POOL if state.waits_for_agreement:
            return (Ask("", "agree", "agree to the pool", "Agree"),)
        case Phase.POOL if state.ready:
            return (Ask(who, "roll", f"roll against {state.rated.difficulty}", "Roll", routine=True),)
        case Phase.POOL:
            return (Ask(who, "propose", "put the pool together", "Choose"),)
        case Phase.REROLL:
            return (Ask(who, "stand", "keep all dice, or roll some again", "Decide", decision=True, stands=True),)
        case Phase.CHOOSE:
            return (Ask(who, "use", "choose a set", "Choose"),)
        case Phase.HEAL:
            return (Ask(who, "heal", "choose the box that opens", "Choose"),)
        case Phase.BENEFIT:
            return (Ask("", "benefit", "say what the benefit is", "Say"),)
        case Phase.COSTS if state.botches:
            return (Ask("", "pay", f"spend {botches(state.botches)}", "Spend"),)
        case Phase.COSTS:
            return (Ask("", "let_go", "use kept botches, or finish", "Decide", decision=True),)
