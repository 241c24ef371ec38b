"""Experience as it comes in, with its reason or its refusal, over a whole session (QW-80)."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules import contests
from rules.moves import Step
from rules.sheet import Effect, Spend
from rules.systems.questworlds.experience import DEFEAT, MOST_A_SESSION, Lesson, count
from rules.systems.questworlds.framed import events as e

TEACHES = contests.Teaches("xp", MOST_A_SESSION)
HOW = {"hindrance": "it got in the way", "compelled": "it had its way", "against a flaw": "they acted against it"}


def learned(
    state: Any, who: str, kind: str, trait: str, contest: str
) -> tuple[tuple[e.Event, ...], tuple[Step, ...], tuple[Effect, ...]]:
    """The lesson with its verdict, in the light of all that this character has learned in this session."""
    if not state.settings.counts or who not in state.settings.players:
        return (), (), ()
    key = trait.casefold() or "no ability"
    session = state.around.session
    earlier = [each for past in state.around.past for each in past.state.learned if _in(each, session, past.now)]
    earlier += [each for each in state.learned if _in(each, session, True)]
    lessons = [Lesson(each.kind, each.trait, each.contest) for each in earlier if each.who == who]
    lessons.append(Lesson(kind, key, contest))
    verdict = count(lessons)[-1]
    effects: tuple[Effect, ...] = (Spend(who, "xp", 1),) if verdict.counts else ()
    name = state.entrant(who).name
    text = f"{name}: {verdict.step.text[:1].lower()}{verdict.step.text[1:]}"
    return ((e.Learned(who, kind, key, contest, verdict.counts, verdict.step.text, session),),
            (Step("QW-80", text),), effects)


def _in(lesson: e.Learned, session: str, now: bool) -> bool:
    """Whether a lesson is one of this session's; `now` is what its contest says, where the lesson itself does not."""
    return lesson.session == session if lesson.session else now


def told(found: Iterable[e.Learned]) -> tuple[contests.Lesson, ...]:
    """The lessons of a contest as a page tells them."""
    return tuple(contests.Lesson(each.who, _how(each), each.trait, each.counts, each.why) for each in found)


def _how(lesson: e.Learned) -> str:
    return "a defeat" if lesson.kind == DEFEAT else HOW.get(lesson.contest, "it was used against its owner")
