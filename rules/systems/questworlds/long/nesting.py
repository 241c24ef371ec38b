"""No long contest inside another (QW-58), and what rests does not count (QW-59)."""
from __future__ import annotations

from rules.procedure import CampaignContext
from rules.systems.questworlds.long.state import State


def elsewhere(context: CampaignContext, who: str) -> str:
    """The title of a long contest that somebody is in just now; "" for none. One that rests leaves them free."""
    for past in context.past:
        state = past.state
        if past.over or not isinstance(state, State) or state.ended or state.paused or state.won_by is not None:
            continue
        if context.open_scene is not None and (state.scene or past.scene) != context.open_scene:
            continue
        found = state.contestant(who)
        if found and found.status == "in":
            return past.title
    return ""
