"""Whom a fight waits for, and for what."""
from __future__ import annotations

from rules.engine import Sheets
from rules.procedure import Ask, is_known
from rules.systems.pnc.fight.state import Attack, Phase, State


def asks(state: State, sheets: Sheets) -> tuple[Ask, ...]:
    """What each of those who are waited for is asked to do; the GM where nobody can act."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.INITIATIVE:
            text = "roll for a place in the order"
            return tuple(Ask(each.id, "initiative", text, "Roll") for each in state.unplaced if not each.dice)
        case Phase.TURN if state.acting:
            return tuple(_act(state, each) for each in state.acting)
        case Phase.TURN:
            waiting = any(not each.ready for each in state.fighting)
            return (Ask("", "ready", "say who can act") if waiting else Ask("", "end", "end the fight", "End"),)
        case Phase.DEFENCE | Phase.STRIKE | Phase.SECOND_THOUGHTS:
            return _answers(state, state.attack, sheets) if state.attack else ()


def _act(state: State, who: str) -> Ask:
    side = state.combatant(who).side
    foes = [each.name for each in state.fighting if each.side != side]
    return Ask(who, "attack", f"attack {foes[0]}, or another action" if len(foes) == 1 else "attack, or another action",
               "Act")


def _answers(state: State, attack: Attack, sheets: Sheets) -> tuple[Ask, ...]:
    by, target = state.combatant(attack.by), state.combatant(attack.target)
    if state.phase is Phase.DEFENCE:
        text = f"roll {f'{attack.roll.dice}d6 ' if is_known(sheets, by.id) else ''}against {by.name}"
        return (Ask(target.id, "defend", text, "Roll" if state.settings.opposed else "Defend"),)
    if state.phase is Phase.STRIKE:
        return (Ask(by.id, "strike", f"roll the d20 against the {attack.d6} of {target.name}", "Roll"),)
    loser = state.loser
    text = f"let it stand ({attack.reading}) or roll again"
    return (Ask(loser.id, "stand", text, "Decide", decision=True, stands=True),) if loser else ()
