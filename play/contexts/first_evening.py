"""What is left to do before a campaign's first evening: a list for the GM, until all of it is done."""
from __future__ import annotations

from dataclasses import dataclass

from campaigns.access import Viewer
from campaigns.forms import InviteForm
from campaigns.models import Member
from campaigns.roles import gives
from characters.models import Character
from play.forms.scenes import EveningForm
from play.models import Session

MOST_NAMES = 6
FIRST_SCENE = "The first scene"  # what it is called unless the GM says more


@dataclass(frozen=True)
class FirstEvening:
    """Three steps, in any order. `joined` are the others at the table, `played` the characters of players."""

    joined: tuple[str, ...]
    played: tuple[str, ...]
    opened: bool
    in_session: bool
    link: InviteForm
    evening: EveningForm
    has_sample: bool

    @property
    def done(self) -> bool:
        """Whether nothing is left of it."""
        return bool(self.joined and self.played and self.opened)


def first_evening(viewer: Viewer) -> FirstEvening | None:
    """The list for a GM before the first session was closed; None for all others, and once all is done."""
    closed = Session.objects.filter(campaign=viewer.campaign, closed__isnull=False)
    if not viewer.runs or viewer.through or viewer.campaign.sample or closed.exists():
        return None
    seats = Member.objects.filter(campaign=viewer.campaign, active=True).exclude(pk=viewer.member.pk)
    played = Character.objects.filter(campaign=viewer.campaign, npc=False, retired=False).order_by("name")
    found = FirstEvening(
        tuple(str(each) for each in seats.select_related("user").order_by("joined")[:MOST_NAMES]),
        tuple(played.values_list("name", flat=True)[:MOST_NAMES]),
        viewer.campaign.scene_id is not None, viewer.campaign.session_id is not None,
        InviteForm(gives(viewer.member.role), initial={"lasts": "month", "uses": "many"}, auto_id="link-%s"),
        EveningForm(auto_id="evening-%s", initial={"title": FIRST_SCENE}), viewer.campaign.rules.sample is not None,
    )
    return None if found.done else found
