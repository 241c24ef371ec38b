"""Every legal act of a long contest at one moment, in the order in which a table comes to it."""
from __future__ import annotations

from collections.abc import Iterator

from rules.procedure import Offer
from rules.systems.questworlds.long.offer_beside import beside
from rules.systems.questworlds.long.offer_bids import bidding
from rules.systems.questworlds.long.offer_gm import after, rulings
from rules.systems.questworlds.long.offer_rounds import Sheets, points, rounds
from rules.systems.questworlds.long.state import Phase, State

CALL_OFF = Offer("call_off", "", "Call it off", "Nobody wins, and nothing is learned.")


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    match state.phase:
        case Phase.ROUNDS:
            return tuple(_rounds(state, sheets))
        case Phase.AFTER if state.throws:
            # A parting shot may bring somebody back: its dice are decided on before anything else.
            return (*points(state), CALL_OFF)
        case Phase.AFTER:
            return (*beside(state, sheets), *after(state, sheets), CALL_OFF)
        case Phase.RESTS:
            return (Offer("resume", "", "Go on with it", "Its points are as they were."), CALL_OFF)
        case Phase.BLANK | Phase.OVER:
            return ()


def _rounds(state: State, sheets: Sheets) -> Iterator[Offer]:
    yield from points(state)
    yield from bidding(state, sheets) if state.form == "extended" else rounds(state, sheets)
    yield from beside(state, sheets)
    yield from rulings(state, sheets)
    yield CALL_OFF
