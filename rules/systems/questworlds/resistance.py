"""How hard an obstacle is: base resistance, ranks and their names (QW-03, QW-04)."""
from __future__ import annotations

from dataclasses import dataclass

from rules.systems.questworlds.notation import (
    RANKS,
    ScoreField,
    notation,
    of_rank,
    rank_of,
    read_either,
    signed,
)
from rules.values import BadMove, Value

BASE = 14
LEAST = 6
HIGHEST = 80  # the base of the last season that anybody will play
RAISES = (3, 6, 9)  # what the base may rise by from one season to the next

# *Ruling*: moderate is rank 0, and each name is one rank from the next.
NAMES = ("rock-bottom", "tiny", "very low", "low", "moderate", "raised", "high", "very high", "huge", "extreme")
BY_NAME = {name: rank for rank, name in enumerate(NAMES, -NAMES.index("moderate"))}


def resistance(rank: int | str = 0, base: int = BASE) -> int:
    """The resistance of a rank, given as a number or by its name; never under 6. Raises `BadMove`.

    >>> resistance(), resistance("high"), resistance(-4), resistance(4)
    (14, 20, 6, 34)
    """
    if isinstance(rank, str):
        if rank not in BY_NAME:
            raise BadMove(f"Choose one of: {', '.join(NAMES)}.", "resistance")
        rank = BY_NAME[rank]
    return max(LEAST, base + of_rank(rank))


class NoRank(BadMove):
    """A signed number that no rank adds."""


def resistance_of(written: str, base: int = BASE, symbol: str = "M") -> tuple[int, str]:
    """What a GM wrote as a resistance, and how the number came: a name, a rank with its sign, or a score (QW-03).

    >>> resistance_of("high"), resistance_of("+6"), resistance_of("1M"), resistance_of("")
    ((20, 'high, the base +6'), (20, 'the base +6'), (21, ''), (14, 'the base'))
    >>> resistance_of("-M"), resistance_of("3"), resistance_of("-25")
    ((6, 'the base −M, and never under 6'), (6, '6 is the least'), (-25, 'below 1, which is assured'))
    """
    word = " ".join(written.casefold().split())
    if not word:
        return _from_base(0, base, symbol)
    if word in BY_NAME:
        number, why = _from_base(of_rank(BY_NAME[word]), base, symbol)
        return number, f"{word}, {why}"
    try:
        number = read_either(written, symbol)
    except BadMove as bad:
        names = ", ".join(NAMES)
        raise BadMove(f"Give a score (17, 7{symbol}), a rank (+6) or a name ({names}).", "resistance") from bad
    if written.strip()[0] in "+-−":
        if rank_of(number) is not None:
            return _from_base(number, base, symbol)
        if number > 0:
            raise NoRank(_ranks(number, symbol), "resistance")
    if number < 1:
        return number, "below 1, which is assured"
    # A score is no lower than a rank can make it, but below 1 nothing resists at all (QW-40).
    return (number, "") if number >= LEAST else (LEAST, f"{LEAST} is the least")


def _from_base(adds: int, base: int, symbol: str) -> tuple[int, str]:
    """The base with what a rank adds, and how the number came."""
    why = f"the base {signed(adds, symbol)}" if adds else "the base"
    least = f", and never under {LEAST}" if base + adds < LEAST else ""
    return max(LEAST, base + adds), why + least


def _ranks(number: int, symbol: str) -> str:
    ups = [signed(adds, symbol) for adds in RANKS.values() if adds > 0]
    downs = [signed(-adds, symbol) for adds in RANKS.values() if adds > 0]
    return (
        f"{signed(number, symbol)} is no rank. The ranks are {', '.join(ups)}, and {', '.join(downs)}. "
        "A score goes without a sign."
    )


@dataclass(frozen=True, kw_only=True)
class BaseField(ScoreField):
    """The base resistance itself, in either form (QW-01); never a rank, as that would be mistaken for a rise."""

    def check(self, value: Value) -> int:
        limits = f"from {LEAST} to {notation(HIGHEST, self.symbol)}, which is {HIGHEST}"
        if isinstance(value, str) and value.strip()[:1] in ("+", "-", "−"):
            raise BadMove(f"Give the base as it is to be, without a sign: {limits}.")
        score = ScoreField.check(self, value)
        if score is None or not LEAST <= score <= HIGHEST:
            raise BadMove(f"Give a base {limits}.")
        return score


@dataclass(frozen=True)
class Progression:
    """The base resistance over the seasons of a campaign: where it began, and each rise in order."""

    first: int = BASE
    rises: tuple[int, ...] = ()

    @property
    def base(self) -> int:
        """The base resistance now."""
        return self.first + sum(self.rises)

    def next_season(self, rise: int = 0) -> Progression:
        """After a season; `rise` is 0, 3, 6 or 9. Raises `BadMove`."""
        if rise not in (0, *RAISES):
            raise BadMove("The base resistance stays, or rises by 3, 6 or 9.", "rise")
        return Progression(self.first, (*self.rises, rise))
