"""Who is in the campaign, and as what. Every check is made again under the campaign's lock."""
from __future__ import annotations

import uuid

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.roles import A, cap, gives, may_set_role
from campaigns.services import PEOPLE

trail.declare("member.role", "Another role", PEOPLE, undoable=False, story=False, felt=True)
trail.declare("member.remove", "Member removed", PEOPLE, undoable=False)
trail.declare("member.leave", "Member leaves", PEOPLE, undoable=False)
trail.declare("member.hand_over", "The campaign has another owner", PEOPLE, undoable=False)


def _other(entry: trail.Draft, member_id: uuid.UUID) -> Member:
    other = entry.locked(Member, pk=member_id)
    if not other.active:
        raise Refused("This person is no longer in the campaign.")
    return other


@trail.answers_once
def change_role(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, member_id: uuid.UUID, role: Role) -> Entry:
    """Gives a member another role. The owner gives any but their own; a GM those of players and observers."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="member.role",
        title=f"Another role: {A[role]}",
    ) as entry:
        now, other = entry.actor, _other(entry, member_id)
        if not may_set_role(now, other) or role not in gives(now.role):
            raise Refused("You can’t give this role. Ask the owner.", "role")
        entry.title = f"{cap(A[Role(other.role)])} becomes {A[role]}"
        if not entry.change(other, role=role):
            raise Refused("No change: they already have this role. Choose another.", "role")
    return entry.written


@trail.answers_once
def remove(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, member_id: uuid.UUID) -> Entry:
    """Removes a member. Their next request finds nothing; their characters stay."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="member.remove", title="A member is removed"
    ) as entry:
        now, other = entry.actor, _other(entry, member_id)
        if not may_set_role(now, other):
            raise Refused("You can’t remove this person. Ask the owner.")
        entry.title = f"{cap(A[Role(other.role)])} is removed"
        entry.change(other, active=False)
    return entry.written


@trail.answers_once
def leave(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """Leaves the campaign. An owner hands the campaign over first."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OBSERVER, kind="member.leave",
        title="A member leaves",
    ) as entry:
        now = entry.actor
        if now.role == Role.OWNER:
            raise Refused("A campaign needs an owner. Make someone else the owner first, then leave.")
        entry.title = f"{cap(A[Role(now.role)])} leaves the campaign"
        entry.change(now, active=False)
    return entry.written


@trail.answers_once
def hand_over(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, member_id: uuid.UUID) -> Entry:
    """Makes another member the owner; whoever was becomes a GM."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OWNER, kind="member.hand_over",
        title="The campaign has another owner",
    ) as entry:
        now, other = entry.actor, _other(entry, member_id)
        if other.pk == now.pk:
            raise Refused("No change: you are already the owner. Choose someone else.")
        entry.change(now, role=Role.GM)
        entry.change(other, role=Role.OWNER)
    return entry.written
