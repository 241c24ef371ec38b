"""By which numbers a campaign's characters grow: those of its edition, and what the campaign has set."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.systems.questworlds.edition import FIRST, Creation, Edition, GrowthRule
from rules.systems.questworlds.settings import counts_experience, is_package


@dataclass(frozen=True, slots=True)
class GrowthTerms:
    """`package` is what a keyword means, `by_xp` whether experience is counted, `cost` what an advance takes."""

    edition: Edition
    symbol: str
    package: bool
    by_xp: bool
    cost: int

    @classmethod
    def of(cls, settings: Mapping[str, Any], edition: Edition = FIRST) -> GrowthTerms:
        """As a campaign has it."""
        return cls(
            edition, settings["symbol"], is_package(settings), counts_experience(settings), int(settings["advance"]))

    @property
    def rule(self) -> GrowthRule:
        """The edition's numbers of growth."""
        return self.edition.growth

    @property
    def creation(self) -> Creation:
        """The edition's numbers of a new character."""
        return self.edition.creation
