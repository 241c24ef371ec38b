"""What is left to do before a campaign's first session: a list for the GM, until all of it is done."""
from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from accounts.statements import compiled_once
from campaigns.access import Viewer
from campaigns.forms import InviteForm
from campaigns.models import Member
from campaigns.roles import gives
from characters.contexts import played
from play.forms.scenes import FirstSceneForm
from play.models import Session

MOST_NAMES = 6
FIRST_SCENE = "The first scene"  # what it is called unless the GM says more


@dataclass(frozen=True)
class FirstSession:
    """Three steps, in any order. `joined` are the others at the table, `played` the characters of players."""

    joined: tuple[str, ...]
    played: tuple[str, ...]
    opened: bool
    in_session: bool
    link: InviteForm
    scene_form: FirstSceneForm
    has_sample: bool

    @property
    def done(self) -> bool:
        """Whether nothing is left of it."""
        return bool(self.joined and self.played and self.opened)


def first_session(viewer: Viewer, on: Session | None) -> FirstSession | None:
    """The list for a GM until the first scene was closed; None for all others, and once all is done. `on` is the
    session that is open: before a second one the first was closed."""
    if not viewer.runs or viewer.through or viewer.campaign.sample or (on and on.number > 1):
        return None
    # Once a scene or a session is over the list never comes back.
    if _over(viewer.campaign.pk):
        return None
    steps = FirstSession(
        tuple(str(member) for member in _others(viewer.campaign.pk, viewer.member.pk)),
        tuple(played(viewer)[:MOST_NAMES]),
        viewer.campaign.scene_id is not None, viewer.campaign.session_id is not None,
        InviteForm(gives(viewer.member.role), initial={"lasts": "month", "uses": "many"}, auto_id="link-%s"),
        FirstSceneForm(auto_id="first-scene-%s", initial={"title": FIRST_SCENE}),
        viewer.campaign.rules.sample is not None,
    )
    return None if steps.done else steps


@compiled_once
def _over(campaign: uuid.UUID) -> QuerySet[Session, uuid.UUID]:
    """A session that is over, or has a scene that is."""
    over = Q(closed__isnull=False) | Q(scenes__closed__isnull=False)
    return Session.objects.filter(over, campaign=campaign).values_list("pk", flat=True)[:1]


@compiled_once
def _others(campaign: uuid.UUID, own: uuid.UUID) -> QuerySet[Member]:
    members = Member.objects.filter(campaign=campaign, active=True).exclude(pk=own)
    return members.select_related("user").order_by("joined")[:MOST_NAMES]
