"""The jobs: who may have something to be told, and the mails. Each finds out what there is when it is done."""
from __future__ import annotations

import uuid
from datetime import datetime, time, timedelta

from django.utils import timezone
from django_tasks import task

from accounts.models import User
from accounts.zones import nearest, zone_name, zone_of
from jobs.queue import ask
from news import dates, reminders
from news.models import Pace, Subscription
from news.services import mailing

QUIET = timedelta(minutes=3)  # what comes in a row goes in one mail, and whoever is at the table sees it there
MORNING = time(8)


@task()
def look(campaign: str) -> None:
    """Somebody may have something to be told of this campaign."""
    subscriptions = Subscription.objects.filter(campaign_id=uuid.UUID(campaign), member__active=True)
    for wanted in subscriptions.exclude(pace=Pace.NEVER).select_related("member__user"):
        if wanted.pace == Pace.AT_ONCE:
            ask(mail_news, str(wanted.pk), at=timezone.now() + QUIET)
        else:
            ask(mail_daily, str(wanted.member.user_id), at=next_morning(wanted.member.user, timezone.now()))
    if dates.newest(uuid.UUID(campaign)):
        for member in dates.wanting(uuid.UUID(campaign)):
            ask(mail_dates, str(member), at=timezone.now() + QUIET)
        ask(remind, campaign)


def next_morning(user: User, now: datetime) -> datetime:
    """When the daily mail goes out to a person next."""
    here = now.astimezone(zone_of(user))
    day = here.date() + timedelta(days=here.time() >= MORNING)
    return nearest(datetime.combine(day, MORNING), zone_name(user))


@task()
def mail_news(subscription: str) -> None:
    """Tells one member what is new in one campaign."""
    mailing.news(subscription_id=uuid.UUID(subscription))


@task()
def mail_dates(member: str) -> None:
    """Tells one member of dates that are proposed, set, moved or called off."""
    mailing.dates(member_id=uuid.UUID(member))


@task()
def remind(campaign: str) -> None:
    """Has everyone reminded of the dates of a campaign for which it is time, and looks again when it is next.

    A date that is moved meanwhile is no matter: it is looked again with the entry that moves it.
    """
    now, pk = timezone.now(), uuid.UUID(campaign)
    for member in reminders.wanting(pk, now):
        ask(mail_reminder, str(member))
    if at := reminders.next_time(pk, now):
        ask(remind, campaign, at=at)


@task()
def mail_reminder(member: str) -> None:
    """Reminds one member of the next session."""
    mailing.reminder(member_id=uuid.UUID(member))


def remind_all() -> None:
    """Looks for reminders in all campaigns that have dates: those of an earlier version were never looked at."""
    for campaign in reminders.campaigns_with_dates(timezone.now()):
        ask(remind, str(campaign))


@task()
def mail_daily(user: str) -> None:
    """Tells one person what is new in several campaigns."""
    mailing.daily(user_id=uuid.UUID(user))
