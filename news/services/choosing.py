"""What a person wants to be told, and where."""
from __future__ import annotations

from django.db import transaction

from accounts.models import User
from campaigns.models import Member
from news.confirming import ask_to_confirm
from news.links import Stop, Stream
from news.models import Mailbox, Pace, Subscription
from news.queries import subscription_of
from news.reach import digest_of

KINDS = ("moves", "requests", "recaps", "journals", "dates")


@transaction.atomic
def choose(*, member: Member, pace: str, kinds: frozenset[str], email: str = "") -> Subscription:
    """Says what one wants to be told of a campaign. What happened before is not told.

    With `email` that becomes the address of whoever has none. Where it isn't confirmed, a link is sent.
    """
    wanted = subscription_of(member)
    if wanted.pace == Pace.NEVER:
        wanted.told_seq = member.campaign.head_seq
    wanted.pace = Pace(pace)
    for name in KINDS:
        setattr(wanted, name, name in kinds)
    wanted.save()
    user = User.objects.get(pk=member.user_id)
    if email and not user.email:
        user.email = email
        user.save(update_fields=["email"])
    if wanted.pace != Pace.NEVER or wanted.dates:
        ask_to_confirm(user=user)
    return wanted


@transaction.atomic
def confirm(*, user: User) -> None:
    """The person has this address, and reads it. Whatever was refused or came back before is forgotten."""
    Mailbox.objects.update_or_create(user=user, defaults={
        "confirmed": digest_of(user.email), "failures": 0, "returned": 0})


@transaction.atomic
def stop(*, what: Stop) -> None:
    """Stops mails of one kind."""
    if what.stream == Stream.DAILY:
        Subscription.objects.filter(member__user=what.of, pace=Pace.DAILY).update(pace=Pace.NEVER)
    elif member := Member.objects.filter(pk=what.of).select_related("campaign").first():
        wanted = subscription_of(member)
        if what.stream == Stream.NEWS:
            wanted.pace = Pace.NEVER
        else:
            wanted.dates = False
        wanted.save()


def forget(user: User) -> None:
    """Nothing is kept of somebody who deletes their account."""
    Subscription.objects.filter(member__user=user).delete()
    Mailbox.objects.filter(user=user).delete()
