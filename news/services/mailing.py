"""What goes out by mail. What was told is noted after the mail is out, so that nothing is lost with a worker."""
from __future__ import annotations

import uuid

from django.utils import timezone

from accounts.models import User
from campaigns.access import Viewer
from campaigns.models import Member, Role
from news.confirming import ask_to_confirm
from news.dates import dates_of
from news.delivery import deliver, hand_over
from news.digest import Digest, digest_of
from news.links import Stream, stop_url
from news.models import Pace, Subscription
from news.post import Letter
from news.queries import subscription_of
from news.reach import Reach, mailbox_of, reach
from news.reminders import due, reminder_of


def news(*, subscription_id: uuid.UUID) -> None:
    """Tells a member what is new in one campaign, if they still want that."""
    subscriptions = Subscription.objects.filter(pk=subscription_id, pace=Pace.AT_ONCE)
    for wanted in subscriptions.select_related("member__user", "member__campaign"):
        _tell([wanted], wanted.member.user, stop_url(Stream.NEWS, wanted.member_id))


def daily(*, user_id: uuid.UUID) -> None:
    """Tells a person in one mail what is new in all campaigns of which they want that once a day."""
    subscriptions = Subscription.objects.filter(member__user=user_id, pace=Pace.DAILY).order_by("member__joined", "pk")
    wanted = list(subscriptions.select_related("member__user", "member__campaign"))
    if wanted:
        _tell(wanted, wanted[0].member.user, stop_url(Stream.DAILY, user_id))


def dates(*, member_id: uuid.UUID) -> None:
    """Tells a member of dates that they have neither been told of nor seen: all do that who have not said otherwise.

    Somebody whose address isn't confirmed is asked for that once; nothing is told there before.
    """
    member = Member.objects.filter(pk=member_id, active=True).select_related("user", "campaign").first()
    if member is None or not (wanted := subscription_of(member)).dates:
        return
    viewer, head = Viewer(member.campaign, member), member.campaign.head_seq
    if news_of_dates := dates_of(viewer, max(wanted.dates_seq, member.seen_seq)):
        ask_to_confirm(user=member.user)
        name = f"dates {member.pk}:{wanted.dates_seq}"
        deliver(Letter(name, member.user, news_of_dates.subject, "dates", {"news": news_of_dates},
                       stop_url(Stream.DATES, member.pk)))
    Subscription.objects.get_or_create(member=member, defaults={"campaign": member.campaign})
    Subscription.objects.filter(member=member, dates_seq__lt=head).update(dates_seq=head)


def reminder(*, member_id: uuid.UUID) -> None:
    """Reminds a member of the dates for which it is time now, each once; of none that has begun, or isn't set."""
    member = Member.objects.filter(pk=member_id).select_related("user", "campaign").first()
    if member is None or not member.may(Role.PLAYER) or reach(member.user, mailbox_of(member.user)) != Reach.GOOD:
        return
    wanted, viewer = subscription_of(member), Viewer(member.campaign, member)
    for evening in due(member.campaign, timezone.now()):
        if wanted.dates and (wanted.reminded is None or wanted.reminded < evening.starts):
            told = reminder_of(viewer, evening)
            name = f"reminder {member.pk} {evening.pk} {evening.starts.timestamp()}"
            hand_over(Letter(name, member.user, told.subject, "reminder", {"news": told},
                             stop_url(Stream.DATES, member.pk)))
            Subscription.objects.update_or_create(
                member=member, defaults={"reminded": evening.starts}, create_defaults={
                    "campaign": member.campaign, "reminded": evening.starts})


def _tell(wanted: list[Subscription], user: User, stop: str) -> None:
    """One mail with what is new for each of these; nothing where nothing is. Rights are those of this moment."""
    read = [subscription for subscription in wanted if subscription.member.active]
    digests = [digest_of(Viewer(date.member.campaign, date.member), date) for date in read]
    if told := [digest for digest in digests if digest]:
        name = "news " + " ".join(f"{subscription.pk}:{subscription.told_seq}" for subscription in read)
        deliver(Letter(name, user, _subject(told), "news", {"digests": told}, stop))
    for subscription in read:
        head = subscription.member.campaign.head_seq
        Subscription.objects.filter(pk=subscription.pk, told_seq__lt=head).update(told_seq=head)


def _subject(digests: list[Digest]) -> str:
    if len(digests) == 1:
        return digests[0].subject
    return f"News of {len(digests)} campaigns"
