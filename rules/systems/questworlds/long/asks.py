"""Whom a long contest waits for, and for what."""
from __future__ import annotations

from rules.procedure import Ask, Offer
from rules.systems.questworlds.long.offer_rounds import Sheets
from rules.systems.questworlds.long.offers import offers
from rules.systems.questworlds.long.state import Phase, State


def asks(state: State, sheets: Sheets) -> tuple[Ask, ...]:
    """What each of those who are waited for is asked to do; what is merely possible is not asked for."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.RESTS:
            return (Ask("", "resume", "go on with it when its time has come", "Go on"),)
        case Phase.AFTER if not state.throws:
            return (Ask("", "close", "add what lasts, and finish", "Finish"),)
        case Phase.ROUNDS | Phase.AFTER:
            return _in_rounds(state, offers(state, sheets))


def _in_rounds(state: State, offered: tuple[Offer, ...]) -> tuple[Ask, ...]:
    number = f"round {state.round}"
    words = {
        "stand": ("let it stand, or spend a story point", "Decide"), "answer": ("answer the augment", "Answer"),
        "round": (f"roll {number}", "Choose and roll"), "choose": (f"choose for {number}", "Choose"),
        "roll": (f"roll {number}", "Roll"), "gm_round": (f"roll {number}", "Roll"),
    }
    words |= {
        "bid": (f"bid for {number}", "Bid"), "exchange": (f"roll {number}", "Roll"),
        "answer_bid": (f"answer {state.name_of(state.turn)}", "Answer"), "gm_bid": (f"bid for {number}", "Bid"),
        "gm_exchange": (f"roll {number}", "Roll"),
    }
    if state.settings.secret:
        words["stance"] = (f"choose for {number}", "Choose")
    found = [Ask(each.by, each.action, *words[each.action], decision=each.action == "stand",
                 stands=each.action == "stand", hurts=each.action == "stand" and state.form == "chained")
             for each in offered if each.action in words]
    if not found:
        found = [Ask(each.by, each.action, "say who faces whom", "Choose")
                 for each in offered if each.action in ("engage", "pair")]
    return tuple(found) or (Ask("", "call_off", "bring somebody in, or call it off", "Choose"),)
