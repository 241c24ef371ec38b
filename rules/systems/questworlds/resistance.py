"""How hard an obstacle is: base resistance, ranks and their names (QW-03, QW-04)."""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.fields import ListsChanges
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import ScoreField, notation, read_either, signed
from rules.values import BadMove, Value

LEAST = FIRST.difficulty.least


def resistance(rank: int | str = 0, base: int | None = None, edition: Edition = FIRST) -> int:
    """The resistance of a rank, given as a number or by its name; never under the least. Raises `BadMove`.

    >>> resistance(), resistance("high"), resistance(-4), resistance(4)
    (14, 20, 6, 34)
    """
    difficulty = edition.difficulty
    number = difficulty.rank_named(rank) if isinstance(rank, str) else rank
    if number is None:
        raise BadMove(f"Choose one of: {_names(edition)}.", "resistance")
    return max(difficulty.least, (difficulty.base if base is None else base) + edition.modifiers.of_rank(number))


def _names(edition: Edition) -> str:
    return ", ".join(name for name, _ in edition.difficulty.names)


class NoRank(BadMove):
    """A signed number that no rank adds."""


def resistance_of(
    written: str, base: int | None = None, symbol: str = "M", edition: Edition = FIRST
) -> tuple[int, str]:
    """What a GM wrote as a resistance, and how the number came: a name, a rank with its sign, or a score (QW-03).

    >>> resistance_of("high"), resistance_of("+6"), resistance_of("1M"), resistance_of("")
    ((20, 'high, the base +6'), (20, 'the base +6'), (21, ''), (14, 'the base'))
    >>> resistance_of("-M"), resistance_of("3"), resistance_of("-25")
    ((6, 'the base −M, and never under 6'), (6, '6 is the least'), (-25, 'below 1, which is assured'))
    """
    word, modifiers, difficulty = " ".join(written.casefold().split()), edition.modifiers, edition.difficulty
    base = difficulty.base if base is None else base
    if not word:
        return _from_base(0, base, symbol, difficulty.least)
    if (rank := difficulty.rank_named(word)) is not None:
        number, why = _from_base(modifiers.of_rank(rank), base, symbol, difficulty.least)
        return number, f"{word}, {why}"
    try:
        number = read_either(written, symbol)
    except BadMove as bad:
        names = _names(edition)
        raise BadMove(f"Enter a score (17, 7{symbol}), a rank (+6) or a name ({names}).", "resistance") from bad
    if written.strip()[0] in "+-−":
        if modifiers.rank_of(number) is not None:
            return _from_base(number, base, symbol, difficulty.least)
        if number > 0:
            raise NoRank(_ranks(number, symbol, modifiers.ladder), "resistance")
    if number < difficulty.assured_below:
        return number, f"below {difficulty.assured_below}, which is assured"
    # A score is no lower than a rank can make it, but below 1 nothing resists at all (QW-40).
    least = difficulty.least
    return (number, "") if number >= least else (least, f"{least} is the least")


def _from_base(adds: int, base: int, symbol: str, least: int) -> tuple[int, str]:
    """The base with what a rank adds, and how the number came."""
    why = f"the base {signed(adds, symbol)}" if adds else "the base"
    never = f", and never under {least}" if base + adds < least else ""
    return max(least, base + adds), why + never


def _ranks(number: int, symbol: str, ladder: tuple[int, ...]) -> str:
    ups = [signed(adds, symbol) for adds in ladder if adds]
    downs = [signed(-adds, symbol) for adds in ladder if adds]
    return (
        f"{signed(number, symbol)} is no rank. The ranks are {', '.join(ups)}, and {', '.join(downs)}. "
        "A score goes without a sign."
    )


@dataclass(frozen=True, kw_only=True)
class BaseField(ScoreField, ListsChanges):
    """The base resistance itself, in either form (QW-01); never a rank, as that would be mistaken for a rise."""

    edition: Edition = FIRST

    def check(self, value: Value) -> int:
        least, most = self.edition.difficulty.least_base, self.edition.difficulty.highest_base
        limits = f"from {least} to {notation(most, self.symbol)}, which is {most}"
        if isinstance(value, str) and value.strip()[:1] in ("+", "-", "−"):
            raise BadMove(f"Enter the base itself, without a sign: {limits}.")
        score = ScoreField.check(self, value)
        if score is None or not least <= score <= most:
            raise BadMove(f"Enter a base {limits}.")
        return score


@dataclass(frozen=True)
class Progression:
    """The base resistance over the seasons of a campaign: where it began, and each rise in order."""

    first: int = FIRST.difficulty.base
    rises: tuple[int, ...] = ()
    edition: Edition = FIRST

    @property
    def base(self) -> int:
        """The base resistance now."""
        return self.first + sum(self.rises)

    def next_season(self, rise: int = 0) -> Progression:
        """After a season; `rise` is 0, or one of the edition's. Raises `BadMove`."""
        rises = self.edition.difficulty.rises
        if rise not in (0, *rises):
            listed = f"{', '.join(map(str, rises[:-1]))} or {rises[-1]}"
            raise BadMove(f"The base resistance stays, or rises by {listed}.", "rise")
        return replace(self, rises=(*self.rises, rise))
