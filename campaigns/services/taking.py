"""Taking a campaign along as a file, and giving those their places back who came with one."""
from __future__ import annotations

import uuid

from campaigns import trail
from campaigns.carrying import seats
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.services import PEOPLE

trail.declare("campaign.export", "The owner takes a copy", PEOPLE, undoable=False)
trail.declare("member.match", "Someone has their place back", PEOPLE, undoable=False)


@trail.answers_once
def take_along(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """Tells everybody that the owner has all of it now: in the file nothing is sealed."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OWNER, kind="campaign.export",
        title="The owner downloads the whole campaign, private notes and hidden rolls included",
    ) as entry:
        pass
    return entry.written


@trail.answers_once
def match(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, seat_id: uuid.UUID, member_id: uuid.UUID) -> Entry:
    """Gives a place that waits for its person to a member who joined here; the one that they had meanwhile is over."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OWNER, kind="member.match",
        title="Someone has their place back",
    ) as entry:
        seat, other = entry.locked(Member, pk=seat_id), entry.locked(Member, pk=member_id)
        if not seats.waits(seat):
            raise Refused("This place is taken. Reload the page.")
        if not other.active or seats.waits(other) or other.role == Role.OWNER:
            raise Refused("Choose someone who joined this campaign and doesn’t own it.", "member")
        written = Entry.objects.filter(campaign=campaign, actor=other)
        if written.exclude(kind__in=("member.join", "member.leave")).exists():
            raise Refused("They have played here already. Keep them as a new member.", "member")
        entry.index(seat.pk)
        entry.change(other, active=False)
        entry.after(lambda _: seats.swap(seat, other))
    return entry.written
