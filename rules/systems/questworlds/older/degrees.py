"""Degrees of victory and defeat (QW-A1).

A degree is a whole number: 1 marginal, 2 minor, 3 major, 4 complete; below 0 the same of a defeat, 0 a tie.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rules.moves import Step
from rules.systems.questworlds.roll import Clash, Result, step

NAMES = ("tie", "marginal", "minor", "major", "complete")
MINOR = 2
BOTH_FUMBLE = (Result.FUMBLE, Result.FUMBLE)


def in_words(degree: int) -> str:
    """A degree as people say it.

    >>> [in_words(degree) for degree in (2, 0, -4)]
    ['minor victory', 'tie', 'complete defeat']
    """
    return f"{NAMES[abs(degree)]} {'victory' if degree > 0 else 'defeat'}" if degree else NAMES[0]


def outcome_of(degree: int) -> str:
    """Victory, tie or defeat, whatever its degree."""
    return ("tie", "victory", "defeat")[(degree > 0) - (degree < 0)]


def apart(levels: int) -> str:
    """How far two results are from each other, in words."""
    return {0: "the same result", 1: "one level apart"}.get(levels, f"{levels} levels apart")


@dataclass(frozen=True)
class DegreeClash(Clash):
    """A clash that comes out by degrees. `stretches` is whose ability was a stretch: no more than a minor victory."""

    stretches: tuple[bool, bool] = (False, False)

    @cached_property
    def lead(self) -> int:
        """As it always is, but that two fumbles are a tie whatever the dice show."""
        if self.results == BOTH_FUMBLE:
            return 0
        ours, theirs = self.results
        above = (ours - theirs) or (self.dice[0] - self.dice[1])
        return (above > 0) - (above < 0)

    @property
    def degree(self) -> int:
        """From the player's side. A tie that goes to them is a marginal victory."""
        if not self.lead:
            return int(self.tie_to_player)
        size = self.levels + 1
        return self.lead * (min(size, MINOR) if self.stretches[self.lead < 0] else size)

    def _outcome_steps(self, start: str, called: tuple[str, str]) -> Iterator[Step]:
        if self.results == BOTH_FUMBLE:
            yield step("QW-A1", start, "two fumbles are a tie, whatever the dice show.")
        else:
            yield from super()._outcome_steps(start, called)
        if self.lead and self.levels + 1 > abs(self.degree):
            yield step("QW-A1", start, f"with a stretch a {NAMES[self.levels + 1]} victory counts as a minor one.")
        yield step("QW-A1", start, f"{apart(self.levels)}: a {in_words(self.degree)} for {called[0]}.")


def degree_of(clash: Clash) -> int:
    """The degree of a clash, also where the campaign does not count by degrees."""
    if isinstance(clash, DegreeClash):
        return clash.degree
    return clash.lead * (clash.levels + 1) if clash.results != BOTH_FUMBLE else 0
