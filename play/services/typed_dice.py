"""Real dice: what somebody typed of their own, where the campaign allows it."""
from __future__ import annotations

import json
from collections.abc import Sequence

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign
from rules.common_settings import REAL_DICE


def allowed(campaign: Campaign) -> bool:
    """Whether people may type what their own dice show."""
    return bool(json.loads(campaign.settings_json).get(REAL_DICE))


def use(entry: trail.Draft, typed: Sequence[int]) -> None:
    """The entry's dice are those that were typed, where any were; raises `Refused` where that is not allowed."""
    if typed:
        if not allowed(entry.campaign):
            raise Refused("In this campaign the site rolls. Leave this blank.", "typed")
        entry.typed(typed)
