"""Where a contest stands: on the table, or on a page of its own."""
from __future__ import annotations

from play.models import Contest


def is_here(contest: Contest, scene: str = "") -> bool:
    """Whether a contest stands on the table: in the scene where it began, or where it goes on by now, or in none.

    What everybody is in has a page of its own.
    """
    campaign = contest.campaign
    apart = {procedure.name for procedure in campaign.rules.procedures if procedure.casting.who == "everyone"}
    where = scene or str(contest.scene_id or "")
    return not contest.over and where in (str(campaign.scene_id or ""), "") and contest.kind not in apart
