"""A check at the table as a move of the contract, for whoever resolves it anew (DW-02 to DW-08)."""
from __future__ import annotations

from rules.moves import Need, Roll
from rules.systems.danger_world.check import HARDEST, HIGHEST, CheckMove
from rules.systems.danger_world.table.state import State
from rules.values import BadMove, Value


def roll_of(state: State, height: int = HIGHEST) -> tuple[Roll, ...]:
    """What all dice so far come to with the set of this height, 0 for none; the highest one while nothing is chosen.

    () where the contract has no such check: over 40 action or threat dice, or one from before repeated taps on a die
    counted once and a difficulty ended at 1. The check itself goes on all the same.
    """
    pool, kind = state.pool, CheckMove()
    if pool is None:
        return ()
    given: dict[str, Value] = {
        "pool": {"action": pool.action, "danger": pool.danger, "threat": pool.threat},
        # No set is as high as either, so nothing else comes of it.
        "difficulty": min(HARDEST, state.difficulty),
        "rerolls": [[*each] for each in state.again],
    }
    if height != HIGHEST:
        given["set"] = height
    try:
        outcome = kind.resolve(kind.read(given), state.thrown)
    except BadMove:
        return ()
    return () if isinstance(outcome, Need) else (Roll(kind.name, given, state.thrown, outcome.result),)
