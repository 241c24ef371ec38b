"""A fight as a page draws it: the order, who is waited for, and what hangs in the air."""
from __future__ import annotations

from rules.contests import Board, Seat
from rules.systems.pnc.dice import signed
from rules.systems.pnc.done import listed
from rules.systems.pnc.fight.state import Combatant, Phase, State


def board(state: State) -> Board:
    """The order in its groups, what the fight waits for, and what hangs in the air."""
    groups = tuple(tuple(_seat(state, each) for each in group) for group in state.order)
    return Board(_heading(state), waits_for(state), groups, _facts(state))


def waits_for(state: State) -> str:
    """What has to be done next, and by whom."""
    attack = state.attack
    by = state.combatant(attack.by).name if attack else ""
    foe = state.combatant(attack.target).name if attack else ""
    match state.phase:
        case Phase.BLANK:
            return "The fight has not begun."
        case Phase.OVER:
            return f"{state.outcome}." if state.outcome else "The fight is over."
        case Phase.INITIATIVE:
            rolling = [each.name for each in state.unplaced if not each.dice]
            if rolling:
                return f"{listed(rolling)} must roll for a place in the order."
            return f"{listed([each.name for each in state.unplaced])} may roll again, or let it stand."
        case Phase.TURN:
            if not state.acting:
                return "Nobody can act. The GM says who does."
            return f"It is the turn of {listed([state.combatant(each).name for each in state.acting])}."
        case Phase.DEFENCE:
            verb = "against" if state.settings.opposed else "attacks"
            return f"{by} {verb} {foe}. {foe} rolls first."
        case Phase.STRIKE:
            return f"{by} rolls the d20 against {attack.d6 if attack else 0}."
        case Phase.SECOND_THOUGHTS:
            return f"{by} and {foe} may roll their own part again, or let it stand."
        case Phase.WOUND:
            return f"{foe} is hit. Put it into words."
        case Phase.BACKFIRE:
            return f"It may turn on {by}. The GM says how."


def _heading(state: State) -> str:
    if state.settings.opposed:
        return "Settled" if state.over else "Opposed roll"
    if state.over:
        return f"Won by {state.winner}" if state.winner else "Ended"
    return f"Round {state.round}" if state.round else "Initiative"


def _facts(state: State) -> tuple[str, ...]:
    told = []
    for each in state.combatants:
        if each.fights and not each.ready:
            told.append(f"{each.name} was caught off guard and can't act yet.")
        if each.loses_next:
            told.append(f"{each.name} loses the next turn.")
        if each.free_at:
            told.append(f"{each.name} has a free attack on {state.combatant(each.free_at).name}.")
    if state.over and state.words:
        told.append(state.words)
    return tuple(told)


def _seat(state: State, who: Combatant) -> Seat:
    notes = [] if state.settings.opposed else [who.side]
    if not who.fights:
        notes.append(who.state)
    elif not who.ready:
        notes.append("caught off guard")
    elif who.dice:
        notes.append(f"degree {signed(who.score)}" if who.score == who.dice_degree else "last")
    return Seat(
        who.id, who.name, who.side, current=who.id in state.acting, out=not who.fights, held=who.held,
        note=", ".join(notes),
    )
