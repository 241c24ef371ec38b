"""Reminders of the next session: for which dates it is time, whom they go to, and what a mail says."""
from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Q, QuerySet
from django.urls import reverse

from accounts.zones import called, zone_name
from campaigns.access import Viewer
from campaigns.models import Campaign, Entry, Member
from characters.cast import with_sheets
from characters.queries import known
from news.dates import ways_to_answer
from news.digest import MOST, Excerpt, Line, excerpt, line
from news.links import absolute
from news.models import Subscription
from play.models import Session
from play.now import duties
from rules.common_settings import REMINDERS
from schedule.contexts import date_card
from schedule.models import Evening, Says, Series, State
from schedule.queries import PLAYERS, answers, players, upcoming
from schedule.series import AHEAD
from schedule.words import span

BEFORE = {"week": timedelta(weeks=1), "day": timedelta(days=1), "hour": timedelta(hours=1)}
SETS = ("date.propose", "date.fix", "date.move", "date.series")  # entries that say when a session is
RECAP = 400  # characters of the last recap
GROUPS = {Says.YES.value: "Coming", Says.MAYBE.value: "If need be", Says.NO.value: "Not coming", "": "No answer yet"}


@dataclass(frozen=True)
class ReminderContext:
    """What a reminder says, in the reader's time; `mine` is their answer in words, "" for none."""

    campaign: str
    url: str
    when: str
    zone: str
    place: str
    mine: str
    ways: tuple[tuple[str, str], ...]
    people: tuple[tuple[str, str], ...]
    waits: tuple[Line, ...]
    recap: Excerpt | None

    @property
    def subject(self) -> str:
        """When it is."""
        return f"Reminder: {self.campaign}, {self.when}"


def due(campaign: Campaign, now: datetime) -> list[Evening]:
    """The set dates for which it is time to remind, the soonest first; none that has begun, or was set since then."""
    before = BEFORE.get(str(campaign.settings[REMINDERS]))
    if before is None or campaign.archived:
        return []
    near = upcoming(now, now + before + timedelta.resolution, [campaign.pk])
    return [evening for evening in near if now < evening.starts and _set_at(evening) <= evening.starts - before]


def _set_at(evening: Evening) -> datetime:
    """When it was said last when the session is: whoever was told it since is not reminded of it at once."""
    about = [pk for pk in (evening.pk, evening.series_id) if pk]
    entries = Entry.objects.filter(campaign=evening.campaign_id, kind__in=SETS, index__object_id__in=about)
    return entries.aggregate(Max("at"))["at__max"] or datetime.min.replace(tzinfo=evening.starts.tzinfo)


def next_time(campaign_id: uuid.UUID, now: datetime) -> datetime | None:
    """When it is time to remind of the next date; None where nothing is set, or nobody wants to be reminded."""
    campaign = Campaign.objects.get(pk=campaign_id)
    before = BEFORE.get(str(campaign.settings[REMINDERS]))
    if before is None or campaign.archived:
        return None
    times = (evening.starts - before for evening in upcoming(now, now + before + 2 * AHEAD, [campaign_id]))
    return min((at for at in times if at > now), default=None)


def wanting(campaign_id: uuid.UUID, now: datetime) -> QuerySet[Member, uuid.UUID]:
    """Who is to be reminded now: all who play and were not, but those who don't want mails of dates."""
    evenings = due(Campaign.objects.get(pk=campaign_id), now)
    last = max((evening.starts for evening in evenings), default=now)
    told = Subscription.objects.filter(campaign=campaign_id).filter(Q(dates=False) | Q(reminded__gte=last))
    members = Member.objects.filter(campaign=campaign_id, active=True, role__in=PLAYERS) if evenings else (
        Member.objects.none())
    return members.exclude(pk__in=told.values("member")).values_list("pk", flat=True)


def campaigns_with_dates(now: datetime) -> set[uuid.UUID]:
    """The campaigns in which a date is set, or a series goes on."""
    evenings = Evening.objects.filter(state=State.FIXED, starts__gt=now, campaign__archived=False)
    series = Series.objects.filter(ended=None, campaign__archived=False)
    return {*evenings.values_list("campaign", flat=True), *series.values_list("campaign", flat=True)}


def reminder_of(viewer: Viewer, evening: Evening) -> ReminderContext:
    """What one member is reminded of, as it is now: nothing that they could not read on their own pages."""
    campaign, zone = viewer.campaign, zone_name(viewer.member.user)
    card = date_card(viewer, evening, answers([evening])[evening.pk], players(campaign))
    waits = (*(line(duty) for duty in duties(viewer)), *_growth(viewer))
    return ReminderContext(
        campaign.name, absolute(reverse("table", args=[campaign.slug])), span(evening.starts, evening.ends, zone),
        called(zone), evening.place, dict(Says.choices)[card.mine] if card.mine else "",
        ways_to_answer(campaign, evening),
        tuple((GROUPS[group.says], ", ".join(group.names)) for group in card.groups), waits[:MOST], _last_recap(viewer))


def _growth(viewer: Viewer) -> list[Line]:
    """Which of their own characters can buy growth."""
    campaign, settings = viewer.campaign, viewer.campaign.settings
    mine = list(known(viewer).filter(player=viewer.member, retired=False).order_by("name", "pk"))
    return [Line(f"{with_sheet.name} can buy growth", absolute(reverse("grow", args=[campaign.slug, with_sheet.pk])))
            for with_sheet in with_sheets(mine) if campaign.rules.growth.purchases(with_sheet.sheet(), settings)]


def _last_recap(viewer: Viewer) -> Excerpt | None:
    session = Session.objects.filter(campaign=viewer.campaign).exclude(recap="").order_by("-number").first()
    url = absolute(reverse("chronicle", args=[viewer.campaign.slug]))
    return Excerpt(f"The recap of {session}", excerpt(session.recap, RECAP), url) if session else None
