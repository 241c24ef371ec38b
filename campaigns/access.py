"""The one gate: a user and a campaign's slug to a viewer, or 404. Whoever is not a member learns nothing."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from campaigns.models import Campaign, Member, Role


@dataclass(frozen=True)
class Viewer:
    """Who is looking, at which campaign, as what. The first argument of every read."""

    campaign: Campaign
    member: Member

    @property
    def runs(self) -> bool:
        """Whether the viewer may see and do what a GM may."""
        return self.member.may(Role.GM)

    @property
    def plays(self) -> bool:
        """Whether the viewer may do what a player may."""
        return self.member.may(Role.PLAYER)

    @property
    def owns(self) -> bool:
        """Whether the viewer may do what only the owner may."""
        return self.member.may(Role.OWNER)

    @property
    def audiences(self) -> tuple[str, ...]:
        """The audiences of entries that the viewer belongs to."""
        return ("all", "gm", str(self.member.pk)) if self.runs else ("all", str(self.member.pk))


def viewer(user: Any, slug: str, role: Role = Role.OBSERVER) -> Viewer:
    """The viewer of a campaign; `Http404` for strangers, for removed members, and where the role is not enough."""
    member = (
        Member.objects.select_related("campaign", "user").filter(campaign__slug=slug, user_id=user.pk, active=True).first()
    )
    if member is None or not member.may(role):
        raise Http404("There is nothing here for you.")
    return Viewer(member.campaign, member)
