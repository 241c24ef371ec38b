"""Many against few: how heads divide, and what they make of a resistance (QW-28)."""
from __future__ import annotations

from dataclasses import dataclass

from rules.systems.questworlds.edition import FIRST, Edition

BODIES, WORDS = "bodies", "words"


@dataclass(frozen=True)
class Heads:
    """Them against us. `each` is how many of the larger side face one of the smaller, `engaged` how many of them count.

    `rank` is what it makes of the resistance: over 0 where they are more, under 0 where we are.
    """

    each: int
    engaged: int
    rank: int


def heads(them: int, us: int, way: str = BODIES, edition: Edition = FIRST) -> Heads:
    """The larger side divided among the smaller, one head at least on each.

    *Ruling*: two on one are a rank, three or four are two, five or six are three; an odd one out stands with some of
    them, so that numbers round up.

    >>> heads(8, 2), heads(8, 2, "words"), heads(1, 3)
    (Heads(each=4, engaged=4, rank=2), Heads(each=4, engaged=2, rank=1), Heads(each=3, engaged=3, rank=-2))
    """
    at_once = dict(edition.modifiers.at_once)  # more are in each other's way
    each = -(-max(them, us) // min(them, us))
    engaged = min(each, at_once[way])
    rank = (engaged + 1) // 2 if engaged > 1 else 0
    return Heads(each, engaged, rank if them > us else -rank)
