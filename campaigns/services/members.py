"""Who sits at the table, and as what. Every check is made again under the campaign's lock."""
from __future__ import annotations

import uuid

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.roles import A, cap, gives, may_seat


def acting(entry: trail.Draft, actor: Member, role: Role) -> Member:
    """The one who does it, as they sit now; refused when the seat is no longer enough."""
    now = entry.fresh(Member, pk=actor.pk)
    if not now.may(role):
        raise Refused("Your seat no longer allows this. Load the page again.")
    return now


def _other(entry: trail.Draft, member_id: uuid.UUID) -> Member:
    other = entry.fresh(Member, pk=member_id)
    if not other.active:
        raise Refused("This person has left the table.")
    return other


@trail.answers_once
def change_role(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, member_id: uuid.UUID, role: Role) -> Entry:
    """Gives a member another seat. The owner gives any but their own; a GM those of players and observers."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, kind="member.role", title=f"Another seat: {A[role]}"
    ) as entry:
        now, other = acting(entry, actor, Role.GM), _other(entry, member_id)
        if not may_seat(now, other) or role not in gives(now.role):
            raise Refused("You can't give this seat. Ask the owner.", "role")
        entry.title = f"{cap(A[Role(other.role)])} becomes {A[role]}"
        if not entry.change(other, role=role):
            raise Refused("This is the seat they have. Choose another.", "role")
    return entry.written


@trail.answers_once
def remove(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, member_id: uuid.UUID) -> Entry:
    """Takes a member's seat away. Their next request finds nothing; their characters stay."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, kind="member.remove", title="A seat is taken away"
    ) as entry:
        now, other = acting(entry, actor, Role.GM), _other(entry, member_id)
        if not may_seat(now, other):
            raise Refused("You can't remove this person. Ask the owner.")
        entry.title = f"{cap(A[Role(other.role)])} is removed from the table"
        entry.change(other, active=False)
    return entry.written


@trail.answers_once
def leave(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """Gives up one's own seat. An owner hands the campaign over first."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, kind="member.leave", title="A seat is given up"
    ) as entry:
        now = acting(entry, actor, Role.OBSERVER)
        if now.role == Role.OWNER:
            raise Refused("A campaign needs an owner. Hand it over first, then leave.")
        entry.title = f"{cap(A[Role(now.role)])} leaves the table"
        entry.change(now, active=False)
    return entry.written


@trail.answers_once
def hand_over(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, member_id: uuid.UUID) -> Entry:
    """Makes another member the owner; whoever was becomes a GM."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, kind="member.hand_over", title="The campaign changes hands"
    ) as entry:
        now, other = acting(entry, actor, Role.OWNER), _other(entry, member_id)
        if other.pk == now.pk:
            raise Refused("It is yours already. Choose somebody else.")
        entry.change(now, role=Role.GM)
        entry.change(other, role=Role.OWNER)
    return entry.written
