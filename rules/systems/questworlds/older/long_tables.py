"""What a long contest comes to by the tables: rising action, climax, advantage points, states (QW-A3, QW-A5).

A state is its place among the states of adversity; 5 is dead, 0 none. A degree is as in `degrees.py`.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rules.moves import Step
from rules.systems.questworlds.chained import MOST_STATES, Harm, Ranks, penalty, to_one_that_stands
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.older.degrees import BOTH_FUMBLE, apart
from rules.systems.questworlds.older.states import NAMES
from rules.systems.questworlds.reckoning import settle
from rules.systems.questworlds.roll import Clash, Known, remembered
from rules.systems.questworlds.traits import ADVERSITY

HURT, IMPAIRED, INJURED, DYING, DEAD = 1, 2, 3, 4, 5
FRESH, PUMPED, INVIGORATED, HEROIC = 1, 2, 3, 4
MARGINAL, MINOR, MAJOR, COMPLETE = 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: what the loser suffers; what the winner gains, or suffers below 0; how clear it is."""

    loser: int
    winner: int
    degree: int


# By the difference in resolution points.
RISING: Mapping[int, Row] = {
    1: Row(HURT, -HURT, MARGINAL), 2: Row(HURT, FRESH, MARGINAL), 3: Row(IMPAIRED, PUMPED, MINOR),
    4: Row(IMPAIRED, PUMPED, MINOR), 5: Row(INJURED, INVIGORATED, MAJOR), 6: Row(INJURED, INVIGORATED, MAJOR),
    7: Row(DYING, HEROIC, COMPLETE), 8: Row(DEAD, HEROIC, COMPLETE), 9: Row(DEAD, HEROIC, COMPLETE)}
# By all the resolution points that were scored against one, at a climax; dazed (1) is no state that lasts.
CLIMAX = (0, 0, HURT, HURT, IMPAIRED, IMPAIRED, INJURED, INJURED, DYING, DEAD)
# By the loser's final advantage points: from so many downwards.
EXTENDED = ((-31, Row(DYING, HEROIC, COMPLETE)), (-21, Row(INJURED, INVIGORATED, MAJOR)),
            (-11, Row(IMPAIRED, PUMPED, MINOR)), (0, Row(HURT, FRESH, MARGINAL)))


def rising(difference: int) -> Row | None:
    """The row for so many points more than the other has; None for as many."""
    return RISING[min(9, abs(difference))] if difference else None


def climax(against: int) -> int:
    """The state of adversity that so many points against one bring."""
    return CLIMAX[max(0, min(9, against))]


def extended(final: int) -> Row | None:
    """The row for the loser's final total; None while points are left."""
    return next((row for most, row in EXTENDED if final <= most), None)


def in_chain(levels: int, had: Sequence[int]) -> int:
    """The state that the loser of a round is in, who had these before in this contest."""
    if levels == 0:
        return HURT
    if levels >= 3 or INJURED in had:
        return DYING
    return INJURED if levels == 2 or HURT in had else HURT


def unharmed(clash: Clash) -> bool:
    """Whether a round harms nobody: a tie, or two fumbles."""
    return not clash.lead or clash.results == BOTH_FUMBLE


@dataclass(frozen=True)
class HarmByTable(Harm):
    """What a defeat comes to by the table: a state of adversity, which adds up by what each takes off."""

    by_value: bool = True

    def hurt(self, clash: Clash, had: Sequence[Sequence[int]]) -> tuple[int, int] | None:
        if unharmed(clash):
            return None
        loser = int(clash.lead > 0)
        return loser, in_chain(clash.levels, had[loser])

    def unhurt(self, clash: Clash) -> Step:
        if clash.lead:
            return Step("QW-A5", "Two fumbles: both make a mistake, and nobody suffers.")
        return super().unhurt(clash)

    def because(self, clash: Clash, name: str, rank: int) -> tuple[Step, ...]:
        return (Step("QW-A5", f"{apart(clash.levels).capitalize()}: {name} is {NAMES[ADVERSITY][rank - 1]}."),)

    def ends(self, rank: int) -> bool:
        return rank == DYING

    def to_win(self, terms: Terms, ours: Ranks, theirs: Ranks, most: int | None = MOST_STATES) -> Fraction | None:
        return to_win(terms, ours, theirs)


State = tuple[int, bool, bool]  # what the states of one take off, whether they are hurt, whether injured


def to_win(terms: Terms, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Fraction | None:
    """The first side's chance to win a chained contest by its table, as `chained.to_win` without it."""
    if DYING in ours or DYING in theirs:
        return Fraction(DYING in theirs)

    def standing(had: Sequence[int]) -> State:
        return -penalty(had, True, terms.edition), HURT in had, INJURED in had

    return by_numbers(settle(terms, (1, 1)), standing(ours), standing(theirs), terms.edition)


@lru_cache(maxsize=512)
def by_numbers(lies: Clash, ours: State, theirs: State, edition: Edition) -> Fraction | None:
    """The same by what both sides roll with in the end."""
    def worse(state: State, levels: int) -> State | None:
        """One step further; None for dying."""
        taken, hurt, injured = state
        now = in_chain(levels, [*([HURT] if hurt else []), *([INJURED] if injured else [])])
        if now == DYING:
            return None
        return taken - penalty([now], True, edition), hurt or now == HURT, injured or now == INJURED

    return to_one_that_stands(lies, (ours, theirs), lambda state: state[0], worse, _harm, HARMING, most=MOST_STATES,
                              wears_out=True)


HARMING: Known[tuple[int, int]] = remembered()


def _harm(clash: Clash) -> tuple[int, int]:
    """Which side leads by how many levels, three and more as one; what harms nobody leads nowhere."""
    return (0, 0) if unharmed(clash) else (clash.lead, min(clash.levels, 3))
