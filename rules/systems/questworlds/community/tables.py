"""The tables of a community with scores (QW-A9). Degrees are as in `older/degrees.py`."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

# *Ruling*: the source's W is the mastery sign: 12M, 9M, 18, 18, 12.
SCORES = (32, 29, 18, 18, 12)
DEPLETION: Mapping[int, int] = {4: 0, 3: -3, 2: -3, 1: -3, 0: -3, -1: -6, -2: -6, -3: -6, -4: -9}
FLUCTUATION: Mapping[int, int] = {4: 9, 3: 6, 2: 3, 1: 0, 0: 0, -1: 0, -2: -3, -3: -6, -4: -9}
# *Ruling*: a complete victory's benefit is no number; it bolsters as a major one does.
BOLSTER: Mapping[int, int] = {4: 9, 3: 9, 2: 6, 1: 3}
# The rank that an augment by it has on a sheet: +M, +9, +6, +3, none, −3.
HELPS: Mapping[int, int] = {4: 4, 3: 3, 2: 2, 1: 1, 0: 0, -1: 0, -2: 0, -3: 0, -4: -1}
A_STEP, MOST_GAINED, MOST_LOST = 3, 3, 2


@dataclass(frozen=True)
class ScoredResource:
    """A resource: its score, all that counts for it now (`total`), what the group brought (`pc`), and background."""

    name: str
    score: int
    total: int = 0
    pc: int = 0
    background: int = 0  # of the bonus, what is not cemented


def average(resources: Sequence[ScoredResource]) -> int:
    """What background events and crises resist with. *Ruling*: halves and less are dropped."""
    return sum(resource.score for resource in resources) // len(resources)


def depleted(resource: ScoredResource, degree: int) -> ScoredResource:
    """After a use that came out so."""
    return replace(resource, total=resource.total + DEPLETION[degree])


def fluctuated(resource: ScoredResource, degree: int) -> ScoredResource:
    """After the background event of an interval."""
    by = FLUCTUATION[degree]
    return replace(resource, total=resource.total + by, background=max(0, by))


def bolstered(resource: ScoredResource, degree: int) -> ScoredResource:
    """After an obstacle that was overcome for its sake: only what is above a penalty is the group's."""
    by = BOLSTER[degree]
    return replace(resource, total=resource.total + by, pc=resource.pc + max(0, min(by, resource.total + by)))


def cemented(resource: ScoredResource) -> ScoredResource:
    """With the bonus of its background event made the group's own."""
    return replace(resource, pc=resource.pc + resource.background, background=0)


def after_interval(resource: ScoredResource) -> ScoredResource:
    """As the next interval begins: bonuses and penalties became changes of the score, and are gone."""
    gained = min(MOST_GAINED, resource.pc // A_STEP) if resource.pc >= A_STEP else 0
    lost = min(MOST_LOST, -resource.total // A_STEP) if resource.total < 0 else 0
    return ScoredResource(resource.name, max(1, resource.score + gained - lost))
