"""Experience of a session, counted by the rules and with its reasons (QW-80)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.moves import Step
from rules.systems.questworlds.edition import FIRST, Edition

DEFEAT, FLAW = "defeat", "flaw"
# Contests that give no point, and how a sentence names them.
NO_POINT = {"augment": "an augment", "assist": "an assist", "gift": "gifting points", "assured": "an assured contest"}


@dataclass(frozen=True)
class Occasion:
    """Something that may be worth a point: a defeat, or a flaw used against the character.

    `trait` is the id of the ability or flaw; `contest` says what the defeat was in (`simple`, `augment`, `assist`,
    `gift`, `assured`, ..).
    """

    kind: str
    trait: str
    contest: str = "simple"


@dataclass(frozen=True)
class Counted:
    """An occasion with its verdict."""

    occasion: Occasion
    counts: bool
    step: Step


def count(occasions: Sequence[Occasion], edition: Edition = FIRST) -> tuple[Counted, ...]:
    """Each occasion of one character's session in order, with whether it is worth a point and why."""
    counted: list[Counted] = []
    learned: set[str] = set()
    for occasion in occasions:
        against = _against(occasion, learned, edition.growth.most_a_session)
        if not against:
            learned.add(occasion.trait)
        why = "a defeat" if occasion.kind == DEFEAT else "a flaw used against its owner"
        counted.append(Counted(occasion, not against, Step("QW-80", against or f"1 point, for {why}.")))
    return tuple(counted)


def points(occasions: Sequence[Occasion]) -> int:
    """The experience points of one character's session."""
    return sum(counted.counts for counted in count(occasions))


def _against(occasion: Occasion, learned: set[str], most: int) -> str:
    if occasion.kind == DEFEAT and occasion.contest in NO_POINT:
        return f"Nothing is learned from {NO_POINT[occasion.contest]}."
    if occasion.trait in learned:
        return "This ability or flaw has earned its point in this session."
    # Each point has a trait of its own, so that the traits count the points.
    if len(learned) >= most:
        return f"{most} points are the most in a session."
    return ""
