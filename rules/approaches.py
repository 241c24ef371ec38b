"""How a character could go about an obstacle: each way is a move of the contract, so that its chance is the contract's.

    ways = rules.rolls.approaches(sheet, {"difficulty": "expert"}, settings)
    best(ways, kind_of)     # the way with the highest chance, and that chance
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rules.moves import Face, MoveKind
from rules.values import BadMove, Value

NOTHING = "nothing fits"


@dataclass(frozen=True)
class Approach:
    """One way: what it is made with, the move, and which values of `of` are success.

    `uses` are the ids of the lines that it goes by, none where nothing fits. `value` is what it is made with as the
    game writes it, "" for that of the line in `uses`. `lines` are the names of all lines that it takes, `counts` what
    else counts: "Broken arm −3".
    """

    label: str
    value: str
    move: str
    given: Mapping[str, Value] = field(hash=False)
    of: str = "success"
    wins: tuple[Face, ...] = (True,)
    uses: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    counts: str = ""
    against: str = ""  # what stands against it as a number, where a GM wrote it otherwise


@dataclass(frozen=True)
class BestWay:
    """The best of several ways, and the exact chance that it succeeds."""

    way: Approach
    chance: Fraction


def chance_of(way: Approach, kind_of: Callable[[str], MoveKind[Any]]) -> Fraction:
    """The chance of a way: the sum of what `manage.py odds` answers for the values that are success."""
    kind = kind_of(way.move)
    odds = kind.odds(kind.read(way.given), way.of)
    return sum((odds.get(win, Fraction(0)) for win in way.wins), Fraction(0))


def best(ways: Iterable[Approach], kind_of: Callable[[str], MoveKind[Any]]) -> BestWay | None:
    """The way with the highest chance, the first of equals; None where there is none that the rules allow."""
    best_way: BestWay | None = None
    for way in ways:
        try:
            chance = chance_of(way, kind_of)
        except BadMove:
            continue
        if best_way is None or chance > best_way.chance:
            best_way = BestWay(way, chance)
    return best_way
