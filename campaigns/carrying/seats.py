"""Places in a campaign that came from a file: each waits for its person, in an account that nobody can log in to."""
from __future__ import annotations

import uuid
from itertools import count

from django.utils import timezone

from accounts.models import User
from accounts.names import GONE, LONGEST
from campaigns.carrying.lines import BadFile
from campaigns.models import Campaign, Member, Role

WAITS = ".unmatched"


def empty(name: str | None) -> User:
    """An account for a place whose person is not known here; None for somebody who left before."""
    return _saved(User(pk=uuid.uuid4()), name)


def _free(name: str) -> str:
    start = name[: LONGEST - len(WAITS) - 6] + WAITS
    tries = (start if number == 1 else f"{start}.{number}" for number in count(1))
    return next(filter(User.objects.is_free, tries))


def again(user: User) -> User:
    """The account of a place that was made beside this database, saved in it: under a name that is free here."""
    return _saved(User(pk=user.pk), user.username.rpartition(WAITS)[0] if user.deleted_at is None else None)


def _saved(user: User, name: str | None) -> User:
    user.username, user.is_active, user.deleted_at = f"{GONE}{user.pk.hex}", False, timezone.now()
    if name is not None:
        user.username, user.deleted_at = _free(name), None
    user.set_unusable_password()
    user.full_clean(exclude=["password", "name_key", "email"])
    user.save(force_insert=True)
    return user


def waits(member: Member) -> bool:
    """Whether the member's place waits for its person."""
    user = member.user
    return not user.is_active and user.deleted_at is None and WAITS in user.username


def give_owner(campaign: Campaign, user: User) -> None:
    """The owner's place goes to this person; raises `BadFile` where there is none, or they have another."""
    owner = Member.objects.filter(campaign=campaign, role=Role.OWNER, active=True).select_related("user").first()
    if owner is None:
        raise BadFile("Nobody owns the campaign in this file.")
    if owner.user_id == user.pk:
        return
    if Member.objects.filter(campaign=campaign, user=user).exists():
        raise BadFile("You are named as someone else in this campaign than its owner.")
    left = owner.user
    owner.user = user
    owner.save(update_fields=["user"])
    if waits(Member(user=left)):
        left.delete()


def swap(seat: Member, other: Member) -> None:
    """The place goes to the person of the other one, which is nobody's from then on."""
    person, left = other.user, seat.user
    other.user = empty(None)
    other.save(update_fields=["user"])
    seat.user = person
    seat.save(update_fields=["user"])
    left.delete()
