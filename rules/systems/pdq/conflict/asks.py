"""Whom a conflict waits for, and for what."""
from __future__ import annotations

from rules.procedure import Ask
from rules.systems.pdq.conflict.offers import targets
from rules.systems.pdq.conflict.state import Attack, Contestant, Phase, State
from rules.systems.pdq.harm import ranks


def asks(state: State) -> tuple[Ask, ...]:
    """What each of those who are waited for is asked to do."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.INTENT:
            return tuple(Ask(each, "intent", "say whether to kill", "Say") for each in state.undecided)
        case Phase.TURN:
            return tuple(_act(state, state.contestant(each)) for each in state.acting)
        case Phase.DEFEND:
            return _reactions(state, state.attack) if state.attack else ()
        case Phase.DAMAGE:
            hurt = dict.fromkeys(wound.who for wound in state.wounds)
            return tuple(_place(state, each) for each in hurt)
        case Phase.LAST_CALL:
            return tuple(
                Ask(each.id, "let_go", "act from hold or give it up, as the round ends", "Act", decision=True)
                for each in state.holders
            )
        case Phase.AFTERMATH:
            text = "end it here, or kill who is out of action"
            return tuple(Ask(each.id, "end_here", text, "Decide", decision=True) for each in state.standing)


def _reactions(state: State, attack: Attack) -> tuple[Ask, ...]:
    text = f"react to {state.contestant(attack.by).name}"
    return tuple(Ask(each, "defend", text, "React") for each in attack.unanswered)


def _act(state: State, who: Contestant) -> Ask:
    foes = targets(state, who)
    if not foes:
        return Ask(who.id, "act", "act", "Act")
    text = f"attack {foes[0].name}, or another action" if len(foes) == 1 else "attack, or another action"
    return Ask(who.id, "attack", text, "Act")


def _place(state: State, who: str) -> Ask:
    wound = state.wound_of(who)
    return Ask(who, "take_damage", f"place {ranks(wound.amount if wound else 0, state.settings.harm)}", "Place")
