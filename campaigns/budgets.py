"""How much room an account and a campaign have on this server. The settings say it; 0 is for as much as one likes."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Length
from django.utils import timezone

from campaigns.errors import Refused
from campaigns.models import Campaign, Image, Invitation, Member, Role

MB = 1024 * 1024
STREAMS: Counter[str] = Counter()  # live pages that are open, by their campaign's id; the server's process counts them
PICTURES: list[type[models.Model]] = [Image]  # the tables with bytes of pictures; each has `campaign` and `webp`


@dataclass(frozen=True)
class Budget:
    """How much of something is used, and how much there is room for; `unit` follows the numbers."""

    name: str
    used: int
    most: int
    unit: str = ""

    @property
    def said(self) -> str:
        """Both numbers in words.

        >>> Budget("Pictures", 12, 2500, "MB").said
        '12 of 2,500 MB'
        """
        return f"{self.used:,} of {self.most:,} {self.unit}".rstrip()


def of_campaign(campaign: Campaign, owner: Any) -> list[Budget]:
    """What its owner is shown, of the campaign and of their account. What has no limit is left out."""
    budgets = [
        Budget("Ledger entries", campaign.head_seq, settings.MOST_ENTRIES),
        Budget("Ledger", -(-campaign.ledger_bytes // MB), settings.LEDGER_MB, "MB"),
        Budget("Pictures", -(-bytes_of_pictures(campaign) // MB), settings.PICTURES_MB, "MB"),
        Budget("Open invitation links", open_invitations(campaign), settings.MOST_INVITATIONS),
        Budget("Live pages open now", STREAMS[str(campaign.pk)], settings.STREAMS_PER_CAMPAIGN),
        Budget("Campaigns you own", owned(owner).count(), settings.MOST_CAMPAIGNS),
        Budget("All your campaigns", -(-bytes_of_account(owner) // MB), settings.ACCOUNT_MB, "MB"),
    ]
    return [budget for budget in budgets if budget.most]


def bytes_of_pictures(*campaigns: Campaign) -> int:
    """How much room their pictures take."""
    return sum(
        table._default_manager.filter(campaign__in=campaigns).aggregate(size=models.Sum(Length("webp")))["size"] or 0
        for table in PICTURES)


def owned(user: Any) -> models.QuerySet[Campaign]:
    """The campaigns that somebody owns."""
    own = Member.objects.filter(user=user, role=Role.OWNER, active=True)
    return Campaign.objects.filter(pk__in=own.values("campaign_id"))


def bytes_of_account(user: Any) -> int:
    """How much room all that they own takes: entries, and pictures."""
    campaigns = list(owned(user))
    return sum(campaign.ledger_bytes for campaign in campaigns) + bytes_of_pictures(*campaigns)


def open_invitations(campaign: Campaign) -> int:
    """How many of its links somebody could still join by, as far as their dates say."""
    return Invitation.objects.filter(campaign=campaign, revoked=False, expires__gt=timezone.now()).count()


def room_for_campaign(user: Any) -> None:
    """Raises `Refused` where somebody owns as many campaigns as one account may."""
    own = owned(user).count()
    if 0 < settings.MOST_CAMPAIGNS <= own:
        raise Refused(f"You own {own} campaign{'' if own == 1 else 's'}, the most that one account has room for. "
                      "Delete one first, or make someone else its owner.")
    if 0 < settings.ACCOUNT_MB * MB <= bytes_of_account(user):
        raise Refused(f"Your campaigns take up all of the {settings.ACCOUNT_MB:,} MB that one account has room for. "
                      "Delete one first, or make someone else its owner.")


def room_for_picture(campaign: Campaign, size: int) -> None:
    """Raises `Refused`, at the field `picture`, where another picture of `size` bytes is too much."""
    if settings.PICTURES_MB and bytes_of_pictures(campaign) + size > settings.PICTURES_MB * MB:
        raise Refused(f"This campaign’s pictures take up all of its {settings.PICTURES_MB} MB. Remove one first.",
                      "picture")
    owner = Member.objects.filter(campaign=campaign, role=Role.OWNER, active=True).select_related("user").first()
    if owner and 0 < settings.ACCOUNT_MB * MB < bytes_of_account(owner.user) + size:
        raise Refused("The campaigns of this one’s owner take up all of the room that their account has. Use a smaller "
                      "picture, or remove one first.", "picture")


def room_for_invitation(campaign: Campaign) -> None:
    """Raises `Refused` where as many links are open as may be."""
    if 0 < settings.MOST_INVITATIONS <= open_invitations(campaign):
        raise Refused(f"{settings.MOST_INVITATIONS} invitation links are open already. Close one first.")
