"""Changing a campaign's name, pitch and settings."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Change, Entry, Member, Role
from campaigns.services import PEOPLE
from rules.codec import canonical
from rules.fields import Written
from rules.system import System
from rules.values import Value

trail.declare("campaign.settings", "Settings", PEOPLE, story=False, felt=True)

SETTINGS = ("name", "pitch", "dials")  # as the trail calls them


class Stale(Exception):
    """Somebody else changed the settings since the form was opened: that is no mistake in what was typed."""

    sentence = "Someone else changed the settings while you were editing. Compare, then keep yours or take theirs."


def last_change(campaign: Campaign) -> int:
    """The number of the last entry that changed a setting."""
    marks = Change.objects.filter(campaign=campaign, object_id=campaign.pk, field__in=SETTINGS)
    return marks.aggregate(Max("seq"))["seq__max"] or 0


def as_stored(rules: System, given: Mapping[str, Value], read: Mapping[str, Any]) -> dict[str, Value]:
    """The settings as they were given; a number that was typed in the game's notation is stored as the number."""
    typed = {setting.name for setting in rules.setting_fields if isinstance(setting, Written)}
    return {name: read[name] if name in typed else value for name, value in given.items()}


@trail.answers_once
def change_settings(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, base: int, name: str, pitch: str,
    settings: Mapping[str, Value],
) -> Entry:
    """Changes settings; `base` is `last_change` as the form knew it."""
    wanted = campaign.rules.read_settings(settings)
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="campaign.settings",
        title="The settings change",
    ) as entry:
        if last_change(entry.campaign) != base:
            raise Stale
        # A setting that was never touched stays so where its default is what is wanted.
        stored = canonical(as_stored(campaign.rules, settings, wanted))
        text = entry.campaign.settings_json if wanted == entry.campaign.settings else stored
        if not entry.change(entry.campaign, name=name, pitch=pitch, settings_json=text):
            raise Refused("Nothing is different from before.")
    return entry.written
