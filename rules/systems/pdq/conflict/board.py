"""A conflict as a page draws it: the order, who is waited for, and what hangs in the air."""
from __future__ import annotations

from rules.contests import Board, Seat
from rules.systems.pdq.conflict.state import CAGEY, FLIP_OUT, HOLDING, Contestant, Phase, State

STRATEGIES = {FLIP_OUT: "flips out", CAGEY: "plays it cagey"}


def board(state: State) -> Board:
    """The order in its groups, what the conflict waits for, and what hangs in the air."""
    groups = tuple(tuple(_seat(state, state.contestant(id_)) for id_ in group) for group in state.order)
    return Board(_heading(state), _waits(state), groups, _facts(state))


def _heading(state: State) -> str:
    if state.over:
        return f"Won by {state.winner}" if state.winner else "Ended"
    return f"Round {state.round}" if state.round else "The free round"


def _waits(state: State) -> str:
    match state.phase:
        case Phase.INTENT:
            return f"{_names(state, state.undecided)} must say whether they kill."
        case Phase.TURN:
            return f"It is the turn of {_names(state, state.acting)}."
        case Phase.DEFEND:
            attack = state.attack
            return f"{_names(state, attack.unanswered)} must react." if attack else ""
        case Phase.DAMAGE:
            hurt = tuple(dict.fromkeys(wound.who for wound in state.wounds))
            return f"{_names(state, hurt)} must place damage."
        case Phase.LAST_CALL:
            return f"The round ends: {_names(state, tuple(each.id for each in state.holders))} must act now or lose it."
        case Phase.OVER:
            return "The conflict is over."
        case Phase.BLANK:
            return ""


def _facts(state: State) -> tuple[str, ...]:
    told = []
    if state.attack:
        by = state.contestant(state.attack.by).name
        words = f": {state.attack.words}" if state.attack.words else ""
        told.append(f"{by} attacks {_names(state, state.attack.targets)}{words}")
    told += [f"{state.contestant(wound.who).name} has {wound.amount} damage to place." for wound in state.wounds]
    for each in state.contestants:
        told += [f"{each.name} has an upshift waiting: {reason}" for reason in each.grants]
        if each.pledge:
            told.append(f"{each.name} stands ready to help {state.contestant(each.pledge.to).name}.")
    if len(state.sides_standing) == 1 and not state.over:
        told.append(f"Only {state.sides_standing[0]} still stand.")
    return tuple(told)


def _seat(state: State, who: Contestant) -> Seat:
    notes = [who.side]
    if who.strategy:
        notes.append(STRATEGIES[who.strategy])
    if who.unaware:
        notes.append("unaware")
    if who.killed:
        notes.append("dead")
    if state.settings.ranges:
        notes.append(f"at yard {who.position}")
    return Seat(
        who.id, who.name, who.side, current=who.id in state.acting, out=who.out,
        held=who.turn == HOLDING and not who.out, note=", ".join(notes),
    )


def _names(state: State, ids: tuple[str, ...]) -> str:
    names = [state.contestant(id_).name for id_ in ids]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"
