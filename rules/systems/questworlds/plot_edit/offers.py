"""What may be done while a plot edit waits for its answer."""
from __future__ import annotations

from rules.procedure import Ask, Offer
from rules.systems.questworlds.plot_edit.state import State

FREE = "That costs nothing."


def offers(state: State) -> tuple[Offer, ...]:
    """Every legal act now; it is accepted only while the pool can pay for it."""
    if state.proposed is None or state.accepted is not None:
        return ()
    found = (Offer("refuse", "", "Refuse", FREE), Offer("withdraw", state.proposed.who, "Withdraw", FREE))
    if state.pool < state.cost:
        return found
    points = "1 story point is" if state.cost == 1 else f"{state.cost} story points are"
    return (Offer("accept", "", "Accept", f"It becomes a fact, and {points} spent."), *found)


def asks(state: State) -> tuple[Ask, ...]:
    """The GM is asked; withdrawing is only possible."""
    if state.proposed is None or state.accepted is not None:
        return ()
    action = "refuse" if state.pool < state.cost else "accept"
    return (Ask("", action, f"accept or refuse: {state.proposed.fact}", decision=True),)
