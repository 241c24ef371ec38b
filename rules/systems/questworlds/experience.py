"""Experience of a session, counted by the rules and with its reasons (QW-80)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.moves import Step
from rules.systems.questworlds.edition import FIRST, Edition

DEFEAT, FLAW = "defeat", "flaw"
# Contests that teach nothing, and how a sentence names them.
NO_LESSON = {"augment": "an augment", "assist": "an assist", "gift": "gifting points", "assured": "an assured contest"}


@dataclass(frozen=True)
class Lesson:
    """Something that may be worth a point: a defeat, or a flaw used against the character.

    `trait` is the id of the ability or flaw; `contest` says what the defeat was in (`simple`, `augment`, `assist`,
    `gift`, `assured`, ..).
    """

    kind: str
    trait: str
    contest: str = "simple"


@dataclass(frozen=True)
class Counted:
    """A lesson with its verdict."""

    lesson: Lesson
    counts: bool
    step: Step


def count(lessons: Sequence[Lesson], edition: Edition = FIRST) -> tuple[Counted, ...]:
    """Each lesson of one character's session in order, with whether it is worth a point and why."""
    counted: list[Counted] = []
    learned: set[str] = set()
    for lesson in lessons:
        against = _against(lesson, learned, edition.growth.most_a_session)
        if not against:
            learned.add(lesson.trait)
        why = "a defeat" if lesson.kind == DEFEAT else "a flaw used against its owner"
        counted.append(Counted(lesson, not against, Step("QW-80", against or f"1 point, for {why}.")))
    return tuple(counted)


def points(lessons: Sequence[Lesson]) -> int:
    """The experience points of one character's session."""
    return sum(each.counts for each in count(lessons))


def _against(lesson: Lesson, learned: set[str], most: int) -> str:
    if lesson.kind == DEFEAT and lesson.contest in NO_LESSON:
        return f"Nothing is learned from {NO_LESSON[lesson.contest]}."
    if lesson.trait in learned:
        return "This ability or flaw has earned its point in this session."
    # Each point has a trait of its own, so that the traits count the points.
    if len(learned) >= most:
        return f"{most} points are the most in a session."
    return ""
