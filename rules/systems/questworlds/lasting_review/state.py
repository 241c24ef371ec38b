"""How far a review of lasting effects is."""
from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine import Sheets
from rules.procedure import CampaignContext
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.traits import lasting


@dataclass(frozen=True)
class ReviewState:
    """`reviewed` are lines; `base` is that of a season which began with it, else 0."""

    who: tuple[str, ...] = ()
    symbol: str = "M"
    reviewed: tuple[str, ...] = ()
    over: bool = False
    base: int = 0
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    def left(self, sheets: Sheets) -> list[tuple[Sheet, Trait]]:
        """What was not reviewed yet, with whose it is."""
        return [(sheets[who], trait) for who in self.who if who in sheets for trait in lasting(sheets[who])
                if trait.id not in self.reviewed]
