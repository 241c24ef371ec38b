"""Dice as they lie on a page: a row for each tray, and for each attack (PS-17, PS-22, PS-23)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.duel.clash import Attack, attacks, lying
from rules.systems.pdq_sharp.duel.dice import shown, total
from rules.systems.pdq_sharp.duel.state import DEFENCE, DISARM, State, Throw


@dataclass(frozen=True, slots=True)
class ClashRow:
    """One attack as it stands: who, against whom, both totals, what comes of it; `touch` whether it hurts.

    `was` is what came of it before, where something would be added.
    """

    by: str
    on: str
    attack: str
    defence: str
    verdict: str
    touch: bool
    was: str = ""


@dataclass(frozen=True, slots=True)
class TrayRow:
    """The dice of one purpose as they lie, what is added, and what that comes to; `more` dice are yet to fall."""

    label: str
    dice: tuple[int, ...]
    adds: str
    total: int
    to: str = ""  # what it is for: the id of whoever is attacked, or the defence
    arrows: tuple[ClashRow, ...] = ()  # the attacks that it is part of, where somebody decides on it
    more: int = 0


def trays_of(state: State, throw: Throw) -> tuple[TrayRow, ...]:
    """Somebody's dice as they lie, a row for each tray."""
    throw = lying(state, throw.who) or throw
    lie = shown(throw)
    rows = []
    for to, dice in lie.items():
        label = "Defence" if to == DEFENCE else "Attack"
        if to != DEFENCE and len(throw.attacks) > 1:
            label = f"Attack on {state.fencer(to).name}"
        came = total(throw, to)
        rows.append(TrayRow(label, dice, signed(came - sum(dice)), came, to))
    return tuple(rows)


def attacks_of(state: State, who: str) -> tuple[Attack, ...]:
    """The attacks of somebody and on them, as the dice lie."""
    return tuple(attack for attack in attacks(state, tuple(state.reach(who))) if who in (attack.by, attack.on))


def trays_with(state: State, who: str, rows: Sequence[tuple[Attack, ClashRow]]) -> tuple[TrayRow, ...]:
    """Somebody's trays, each with the attacks that it is part of."""
    throw = state.throw_of(who)
    return tuple(replace(tray, arrows=tuple(
        row for attack, row in rows
        if (attack.on == who if tray.to == DEFENCE else (attack.by, attack.on) == (who, tray.to))
    )) for tray in (trays_of(state, throw) if throw else ()))


def clash_row(state: State, attack: Attack) -> ClashRow:
    """One attack as it stands."""
    if attack.tweak:
        verdict = _tweaked(attack)
    elif attack.touches:
        verdict = f"touches for {attack.hurts}"
    elif attack.tie:
        verdict = "a tie: a rank for the attacker" if attack.costs else "a tie: nothing happens"
    else:
        verdict = f"misses by {-attack.margin}"
    by, on = state.fencer(attack.by).name, state.fencer(attack.on).name
    return ClashRow(by, on, _shown(attack.attack), _shown(attack.defence), verdict,
                    attack.touches or bool(attack.costs))


def _tweaked(attack: Attack) -> str:
    """What a feint or a disarm comes to: never ranks for the one it is aimed at (PS-27)."""
    left = next((left for left in attack.left if left.who == attack.by), None)
    if left:
        return f"{signed(left.attack + left.defence)} {'next attack' if left.attack else 'next defence'}, no ranks"
    if attack.tweak == DISARM and attack.touches:
        return f"{max(1, attack.margin)} against the weapon, no ranks"
    return "a tie: a rank for the attacker" if attack.costs else "no ranks"


def _shown(total: int) -> str:
    return f"−{-total}" if total < 0 else str(total)
