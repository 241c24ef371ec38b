"""Dice that lie, read again: what they came to first is taken back by the entry that says what they come to now."""
from __future__ import annotations

from typing import Any

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.undoing import is_depended_on, last_standing, take_back
from campaigns.trail.visible import payload_of
from play.models import Contest

# What of an entry stays when its dice are read again: that they were rolled, with what, against what.
STAYS = ("contest", "contest_event", "line_used", "asked_roll", "boon")


def reading(contest: Contest) -> Entry | None:
    """The entry whose dice may be read again: the last of this contest, with dice or a reading of them, in the scene
    that is on, where nothing depends on what came of it. None where there is none."""
    campaign = contest.campaign
    if contest.scene_id != campaign.scene_id:
        return None
    last = last_standing(campaign, contest.pk, "events", "over")
    entry = Entry.objects.select_related("payload").filter(campaign=campaign, seq=last).first() if last else None
    payload = payload_of(entry) if entry else None
    if entry is None or payload is None or not _tells_of_dice(payload["outcome"]):
        return None
    return None if is_depended_on(entry, STAYS) else entry


def _tells_of_dice(outcome: dict[str, Any] | None) -> bool:
    """Whether dice fell by what an entry tells, or were read again."""
    return bool(outcome and (outcome["dice"] or outcome["result"].get("again")))


def as_before(entry: trail.Draft, first: Entry) -> None:
    """What sheets, pools and players had before this entry's dice; refused where something depends on it by now."""
    take_back(entry, first, STAYS)
