"""Scores, masteries and ranks as the game writes them, and back (QW-01, QW-02)."""
from __future__ import annotations

import re
from dataclasses import dataclass

from rules.fields import Written
from rules.systems.questworlds.edition import FIRST, Edition
from rules.values import BadMove, Value

MASTERY = 20  # points of a score to a mastery
MOST = 1000


@dataclass(frozen=True)
class Score:
    """A score in its two parts. At 0 or less there is no mastery and the rating is the score itself (QW-05)."""

    score: int

    @property
    def rating(self) -> int:
        """What the die is held against: 1 to 20, or the score where it is 0 or less."""
        return (self.score - 1) % MASTERY + 1 if self.score > 0 else self.score

    @property
    def masteries(self) -> int:
        """How many times the score is past twenty."""
        return (self.score - 1) // MASTERY if self.score > 0 else 0


def notation(score: int, symbol: str = "M") -> str:
    """A score as the game writes it; `symbol` is the mastery sign that the campaign uses.

    >>> [notation(score) for score in (17, 20, 21, 40, 50, -3)]
    ['17', '20', '1M', '20M', '10M2', '−3']
    """
    if score <= 0:
        return f"−{-score}" if score else "0"
    parts = Score(score)
    if not parts.masteries:
        return str(parts.rating)
    return f"{parts.rating}{symbol}{parts.masteries if parts.masteries > 1 else ''}"


def signed(value: int, symbol: str = "M") -> str:
    """A modifier as the game writes it: +3, −M2, and 27 as +7M.

    >>> [signed(value) for value in (3, -40, 20, 27, 0)]
    ['+3', '−M2', '+M', '+7M', '+0']
    """
    sign = "−" if value < 0 else "+"
    size = abs(value)
    if size and size % MASTERY == 0:
        tiers = size // MASTERY
        return f"{sign}{symbol}{tiers if tiers > 1 else ''}"
    return sign + (notation(size, symbol) if size else "0")


def read_score(text: str, symbol: str = "M") -> int:
    """The number that a notation stands for; raises `BadMove`.

    >>> [read_score(text) for text in ("17", "7M", "1M2", "+M", "-M2", "−6")]
    [17, 27, 41, 20, -40, -6]
    """
    written = re.fullmatch(
        rf"\s*([+\-−]?)\s*(\d{{0,4}})\s*(?:({re.escape(symbol)})\s*(\d{{0,2}}))?\s*", text, re.IGNORECASE | re.ASCII)
    if not written or not (written[2] or written[3]):
        raise BadMove(f"Enter a number or a notation: 17, 7{symbol}, 10{symbol}2, +{symbol}.")
    sign, rating, mark, tiers = written.groups()
    number = int(rating or 0)
    if mark:
        if rating and not 1 <= number <= MASTERY:
            raise BadMove(f"Before {symbol} goes a rating from 1 to {MASTERY}.")
        if tiers and int(tiers) < 1:
            raise BadMove(f"After {symbol} goes how many masteries there are, from 2.")
        number += MASTERY * int(tiers or 1)
    return -number if sign in ("-", "−") and sign else number


def read_either(text: str, symbol: str = "M") -> int:
    """A notation with the campaign's own mastery sign, or with M."""
    try:
        return read_score(text, symbol)
    except BadMove as bad:
        try:
            return read_score(text)
        except BadMove:
            raise bad from None  # it names the sign that the campaign writes


@dataclass(frozen=True, kw_only=True)
class ScoreField(Written):
    """A score or a modifier: a number, or the game's notation for one. `may_lack` takes null for none.

    `symbol` is another mastery sign that it reads beside M.
    """

    symbol: str = "M"

    def show(self, value: int | None) -> str:
        return "" if value is None else notation(value, self.symbol)

    def check(self, value: Value) -> int | None:
        if value is None and self.may_lack:
            return None
        if isinstance(value, str):
            value = read_either(value, self.symbol)
        if isinstance(value, bool) or not isinstance(value, int):
            sign = self.symbol
            raise BadMove(f"Enter a number or a notation: 17, 7{sign}, 10{sign}2, +{sign}.")
        if abs(value) > MOST:
            raise BadMove(f"Enter a number from −{MOST} to {MOST}.")
        return value


def of_rank(rank: int, edition: Edition = FIRST) -> int:
    """What a rank adds (QW-02); raises `BadMove` past the ends of the ladder."""
    return edition.modifiers.of_rank(rank)


def rank_of(value: int, edition: Edition = FIRST) -> int | None:
    """The rank that adds this much; None where no rank does."""
    return edition.modifiers.rank_of(value)
