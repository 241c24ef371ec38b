"""Letting people in by a link, and taking the link back."""
from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from campaigns import trail
from campaigns.budgets import room_for_invitation
from campaigns.errors import Refused
from campaigns.invitations import OLDER, SENTENCES, State, hash_of, makers, older_than_removal, state_of
from campaigns.models import Campaign, Entry, Invitation, Member, Role
from campaigns.roles import A, cap, gives
from campaigns.services import PEOPLE

trail.declare("invitation.make", "An invitation", PEOPLE, undoable=False, story=False)
trail.declare("invitation.revoke", "An invitation is closed", PEOPLE, undoable=False, story=False)
trail.declare("member.join", "Member joins", PEOPLE, undoable=False)


@trail.answers_once
def invite(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, role: Role, lasts: timedelta, most_uses: int | None,
    token: str,
) -> Entry:
    """Makes a link of which only the hash is kept. `most_uses` None is for as many as come."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="invitation.make", audience=trail.GM,
        title=f"Invitation link created: anyone who opens it becomes {A[role]}",
    ) as entry:
        if role not in gives(entry.actor.role):
            raise Refused("You can’t give this role. Ask the owner.", "role")
        room_for_invitation(entry.campaign)
        entry.create(Invitation(
            campaign=campaign, token_hash=hash_of(token), role=role, expires=timezone.now() + lasts,
            most_uses=most_uses,
        ))
    return entry.written


@trail.answers_once
def renew(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, invitation_id: uuid.UUID, token: str) -> Entry:
    """Makes a link anew with another address, for as many and as long as it had left; the earlier address is closed.

    Only the hash of an address is kept, so this is the one way to see an address again.
    """
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="invitation.make", audience=trail.GM,
    ) as entry:
        link = entry.locked(Invitation, pk=invitation_id)
        _refuse_dead(link)
        role = Role(link.role)
        if role not in gives(entry.actor.role):
            raise Refused("You can’t give this role. Ask the owner.")
        left = None if link.most_uses is None else link.most_uses - link.uses
        entry.change(link, revoked=True)
        entry.create(Invitation(
            campaign=campaign, token_hash=hash_of(token), role=role, expires=link.expires, most_uses=left))
        entry.title = f"Invitation link renewed: anyone who opens it becomes {A[role]}"
    return entry.written


@trail.answers_once
def close(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, invitation_id: uuid.UUID) -> Entry:
    """Closes a link. Whoever came by it stays."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="invitation.revoke", audience=trail.GM,
        title="A link is closed",
    ) as entry:
        if not entry.change(entry.locked(Invitation, pk=invitation_id), revoked=True):
            raise Refused("This link is already closed.")
    return entry.written


@trail.answers_once
def join(*, invitation: Invitation, user: Any, op_id: uuid.UUID) -> Entry:
    """Joins by a link. Two who come at once by a link for one: the lock decides, the second is told."""
    campaign = invitation.campaign
    member = Member.objects.filter(campaign=campaign, user=user).first()
    # A member that is made here has its id from the operation, so that a second click finds its own entry.
    member = member or Member(id=uuid.uuid5(op_id, str(user.pk)), campaign=campaign, user=user)
    role = Role(invitation.role)
    with trail.entry(
        campaign=campaign, actor=member, op_id=op_id, needs=None, kind="member.join",
        title=f"{cap(A[role])} joins",
    ) as entry:
        link = entry.locked(Invitation, pk=invitation.pk)
        _refuse_dead(link)
        entry.change(link, uses=link.uses + 1)
        known = Member.objects.filter(campaign=campaign, user=user).first()
        if known is None:
            member.role, member.seen_seq = role, entry.campaign.head_seq
            entry.create(member)
        elif known.active or known.pk != member.pk:
            raise Refused("You are in this campaign already.")
        elif older_than_removal(link, known):
            raise Refused(OLDER)
        else:
            entry.change(member, active=True, role=role)
    return entry.written


def _refuse_dead(link: Invitation) -> None:
    state = state_of(link, makers([link]).get(str(link.pk)), timezone.now())
    if state is not State.OPEN:
        raise Refused(SENTENCES[state])
