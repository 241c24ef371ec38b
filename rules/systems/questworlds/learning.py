"""Experience as it comes in, with its reason or its refusal, over a whole session (QW-80)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from rules.afterwards import AwardsExperience
from rules.moves import Step
from rules.procedure import Award, CampaignContext, ExperienceRule
from rules.sheet import Effect, Sheet, Spend
from rules.systems.questworlds.after import Learned
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.experience import DEFEAT, FLAW, Occasion, count
from rules.systems.questworlds.traits import FLAWS

POOL = "xp"
HOW = {"hindrance": "it got in the way", "compelled": "it had its way", "against a flaw": "they acted against it"}


def experience_rule(edition: Edition) -> ExperienceRule:
    """The pool that lessons go into, and the most in a session."""
    return ExperienceRule(POOL, edition.growth.most_a_session)


class HoldsLearned(Protocol):
    """A state of any kind, as far as it holds what was learned."""

    @property
    def learned(self) -> tuple[Learned, ...]: ...


class GivesExperience(HoldsLearned, Protocol):
    """A contest of any kind, as far as it gives experience."""

    @property
    def settings(self) -> Any: ...
    @property
    def context(self) -> CampaignContext: ...
    @property
    def edition(self) -> Edition: ...

    def name_of(self, who: str) -> str:
        """What somebody in it is called."""


def learned(
    state: GivesExperience, sheet: Sheet, kind: str, trait: str, contest: str
) -> tuple[tuple[Learned, ...], tuple[Step, ...], tuple[Effect, ...]]:
    """The lesson with its verdict, in the light of all that this character has learned in this session.

    A flaw and an ability of one name are two.
    """
    who = sheet.id
    if not state.settings.counts or who not in state.settings.players:
        return (), (), ()
    key = trait.casefold() or "no ability"
    session = state.context.session
    earlier = [occasion for past in state.context.past for occasion in past.state.learned
               if _in(occasion, session, past.now)]
    earlier += [occasion for occasion in state.learned if _in(occasion, session, True)]
    flaw = kind == FLAW and any(trait.kind in FLAWS and trait.name.casefold() == key for trait in sheet.traits)
    occasions = [Occasion(occasion.kind, _line(occasion.trait, occasion.flaw, occasion.kind), occasion.contest)
                 for occasion in earlier if occasion.who == who]
    occasions.append(Occasion(kind, _line(key, flaw, kind), contest))
    verdict = count(occasions, state.edition)[-1]
    effects: tuple[Effect, ...] = (Spend(who, POOL, 1),) if verdict.counts else ()
    lesson = Learned(who, kind, key, contest, verdict.counts, verdict.step.text, session, flaw)
    return (lesson,), (Step("QW-80", f"{state.name_of(who)}: {verdict.step.text}"),), effects


def _line(trait: str, flaw: bool | None, kind: str) -> str:
    """What tells a flaw and an ability of one name apart; None is what was written before that was told."""
    return f"flaw: {trait}" if (kind == FLAW if flaw is None else flaw) else trait


def _in(lesson: Learned, session: str, now: bool) -> bool:
    """Whether a lesson is one of this session's; `now` is what its contest says, where the lesson itself does not."""
    return lesson.session == session if lesson.session else now


S = TypeVar("S", bound=HoldsLearned)


class CountsExperience(AwardsExperience[S]):
    """A procedure whose state holds what was learned in it."""

    def awards(self, state: S) -> tuple[Award, ...]:
        return tuple(Award(lesson.who, _how(lesson), lesson.trait, lesson.counts, lesson.why)
                     for lesson in state.learned)


def _how(lesson: Learned) -> str:
    return "a defeat" if lesson.kind == DEFEAT else HOW.get(lesson.contest, "it was used against its owner")


def players_in(values: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of the player characters in a setup: they learn."""
    return tuple(contestant["sheet"] for contestant in values["contestants"] if contestant["player"])
