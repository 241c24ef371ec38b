"""Whose word it is: what a player finds in an offer or a tray, and what is the GM's to say.

In a scene the GM is there to be asked. Between scenes nobody is: what a player says of a roll then is marked as theirs.
"""
from __future__ import annotations

from campaigns.models import Campaign
from rules.common_settings import ASK_FIRST
from rules.procedure import Offer, lacks, without_gms_word


def is_limited(*, runs: bool, scene: object) -> bool:
    """Whether the GM's word is the GM's alone for whoever fills this: a player, in a scene."""
    return not runs and bool(scene)


def in_tray(campaign: Campaign, offer: Offer, *, runs: bool) -> Offer:
    """What a tray asks of whoever rolls there."""
    if not is_limited(runs=runs, scene=campaign.scene_id):
        return offer
    return without_gms_word(offer, asks_first=campaign.settings[ASK_FIRST])


def in_contest(campaign: Campaign, offer: Offer, *, runs: bool, scene: object) -> Offer | None:
    """An act of a contest as it is offered; None where it is nothing but the GM's word."""
    if not is_limited(runs=runs, scene=scene):
        return offer
    limited = without_gms_word(offer, asks_first=campaign.settings[ASK_FIRST])
    return None if lacks(offer, limited) else limited
