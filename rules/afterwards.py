"""What procedures leave to the campaign beside their story: what was learned in them, and facts."""
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from rules.procedure import Award, ExperienceRule, Fact, FactRule

S = TypeVar("S")


class AwardsExperience(ABC, Generic[S]):
    """A procedure that teaches those in it."""

    experience_rule: ExperienceRule

    @abstractmethod
    def awards(self, state: S) -> tuple[Award, ...]:
        """What was learned in it or was not, in the order in which it came: what is told once keeps its place."""


class StatesFacts(ABC, Generic[S]):
    """A procedure that makes facts of the campaign."""

    fact_rule: FactRule

    @abstractmethod
    def facts(self, state: S) -> tuple[Fact, ...]:
        """The facts that it made, and those that are asked for; what stands keeps its place."""

