"""Which states can be given at all, and to whom (QW-A6, QW-A7)."""
from __future__ import annotations

from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.states import DYING, NAMES
from rules.systems.questworlds.traits import ADVERSITY, FORTUNE
from rules.values import BadMove

INFERIOR = 6  # by how much an ability is above what it beat, so that there is nothing to be proud of


def check_state(kind: str, rank: int) -> None:
    """Raises `BadMove` for a rank that no state is."""
    if kind in (ADVERSITY, FORTUNE) and rank > DYING:
        raise BadMove(f"The last of these states is “{NAMES[kind][DYING - 1]}”. Choose that, or one before it.", "rank")


def check_worthy(kind: str, name: str, score: int | None, resistance: int | None, symbol: str) -> None:
    """Raises `BadMove` where whoever was beaten was clearly inferior, which is no state of fortune (QW-A7)."""
    if kind == FORTUNE and score is not None and resistance is not None and score - resistance >= INFERIOR:
        had, against = notation(score, symbol), notation(resistance, symbol)
        raise BadMove(f"{name} had {had} against {against}: an opponent who is {INFERIOR} or more below is clearly "
                      "inferior, and gives no state of fortune.", "kind")
