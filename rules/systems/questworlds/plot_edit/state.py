"""What is so in a plot edit at one moment."""
from __future__ import annotations

from dataclasses import dataclass, field

from rules.procedure import CampaignContext
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.plot_edit.events import Proposed
from rules.systems.questworlds.story_points import cost_of


@dataclass(frozen=True)
class State:
    """`accepted` is None until the GM has answered; `context` is what the campaign holds, and in no event."""

    proposed: Proposed | None = None
    accepted: bool | None = None
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    @property
    def cost(self) -> int:
        """The story points that it takes."""
        return cost_of(self.proposed.level, self.edition) if self.proposed else 0

    @property
    def pool(self) -> int:
        """The story points that are left."""
        return self.context.pool("story_points")
