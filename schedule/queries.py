"""Reads of the schedule.

For whoever sends reminders (no viewer: a job has none): `upcoming(after, before)` answers the fixed evenings of all
campaigns, or of some, that begin in a span, the soonest first, evenings of series included. An evening of a series
need not be stored yet (its `pk` is the one that it will have); `evening.campaign` is there for all. `answers(evenings)`
says who said what, `silent(campaign, evening)` which players have not answered. Times of a reader:
`accounts.zones.zone_of(user)`; in words: `schedule.words.span(evening.starts, evening.ends, zone)`; a
link that leads to an answer: `reverse("date", args=[slug, evening.pk]) + "?says=yes"`, where a GET changes nothing.
"""
from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from campaigns.access import Viewer
from campaigns.models import Campaign, Member, Role
from schedule.models import Answer, Evening, Series, State
from schedule.series import AHEAD, between

MOST = 6  # dates that are asked for at once
LONGEST, WEEK = timedelta(hours=24), timedelta(days=7)
ASKED_AHEAD = timedelta(weeks=26)
WITHIN = timedelta(hours=12)  # a session that is opened so long before or after a date is that date's
PLAYERS = [role.value for role in Role if role.at_least(Role.PLAYER)]


def upcoming(
    after: datetime, before: datetime, campaigns: Collection[uuid.UUID] | None = None, *,
    states: Collection[str] = (State.FIXED,),
) -> list[Evening]:
    """Evenings in these states that begin in a span, the soonest first; of these campaigns, or of all that are not
    archived. Evenings on which a session was opened already are none of them. Two queries.
    """
    return [date for date in dates(after, before, campaigns, states=states) if date.session_id is None]


def dates(
    after: datetime, before: datetime, campaigns: Collection[uuid.UUID] | None = None, *, states: Collection[str],
) -> list[Evening]:
    """The same, with those on which a session was opened."""
    of = Q(campaign__archived=False) if campaigns is None else Q(campaign__in=campaigns)
    series = Series.objects.filter(of & (Q(ended=None) | Q(ended__gt=after - AHEAD))).select_related("campaign")
    laid_out = {evening.pk: evening for line in series for evening in between(line, after, before)}
    # One that was moved out of the span has a row, and must not come back as the series has it.
    rows = Evening.objects.filter(of & (Q(starts__gte=after, starts__lt=before) | Q(pk__in=list(laid_out))))
    laid_out |= {row.pk: row for row in rows.select_related("campaign", "series")}
    evenings = [evening for evening in laid_out.values()
                if evening.state in states and after <= evening.starts < before]
    return sorted(evenings, key=lambda evening: (evening.starts, str(evening.pk)))


def answers(evenings: Iterable[Evening]) -> dict[uuid.UUID, list[Answer]]:
    """What people who are still there say to each of these evenings, in the order in which they joined; one query."""
    by_evening: dict[uuid.UUID, list[Answer]] = {evening.pk: [] for evening in evenings}
    rows = Answer.objects.filter(evening__in=list(by_evening), member__active=True, member__role__in=PLAYERS)
    for row in rows.select_related("member__user").order_by("member__joined", "pk"):
        by_evening[row.evening_id].append(row)
    return by_evening


def players(campaign: Campaign) -> list[Member]:
    """Who is asked: everyone who plays or runs the game, in the order in which they joined."""
    return players_of([campaign.pk]).get(campaign.pk, [])


def players_of(campaigns: Collection[uuid.UUID]) -> dict[uuid.UUID, list[Member]]:
    """The same of several campaigns, in one query."""
    members: dict[uuid.UUID, list[Member]] = {}
    rows = Member.objects.filter(campaign__in=campaigns, active=True, role__in=PLAYERS).select_related("user")
    for row in rows.order_by("joined", "pk"):
        members.setdefault(row.campaign_id, []).append(row)
    return members


def silent(campaign: Campaign, evening: Evening) -> list[Member]:
    """Who has not answered to an evening yet; two queries."""
    said = {answer.member_id for answer in answers([evening])[evening.pk]}
    return [player for player in players(campaign) if player.pk not in said]


@dataclass(frozen=True, slots=True)
class Unanswered:
    """What one member has not answered yet: all that is proposed, or one date that is set. `shown` is when that is
    said: of a date that is set not before the week in which it is.
    """

    campaign: uuid.UUID
    member: Member
    evenings: tuple[Evening, ...]
    shown: tuple[datetime, datetime]

    @property
    def proposed(self) -> bool:
        """Whether it is about dates of which one will be chosen."""
        return self.evenings[0].state == State.PROPOSED


def unanswered(campaigns: Collection[uuid.UUID], now: datetime) -> list[Unanswered]:
    """What people in these campaigns have not answered; four queries."""
    evenings = upcoming(now, now + ASKED_AHEAD, campaigns, states=(State.PROPOSED, State.FIXED))
    said, people, unanswereds = answers(evenings), players_of(campaigns), list[Unanswered]()
    given = {(pk, row.member_id) for pk, rows in said.items() for row in rows}
    for campaign in campaigns:
        own = [evening for evening in evenings if evening.campaign_id == campaign]
        for member in people.get(campaign, ()):
            left = [evening for evening in own if (evening.pk, member.pk) not in given]
            proposed = tuple(evening for evening in left if evening.state == State.PROPOSED)
            if proposed:
                unanswereds.append(Unanswered(campaign, member, proposed, (now - ASKED_AHEAD, proposed[-1].starts)))
            unanswereds += [Unanswered(campaign, member, (evening,), (evening.starts - WEEK, evening.starts))
                      for evening in left if evening.state == State.FIXED]
    return unanswereds


def open_dates(viewer: Viewer, now: datetime | None = None) -> list[Evening]:
    """What is proposed or fixed in a campaign and not over, the soonest first."""
    now = now or timezone.now()
    states = (State.PROPOSED, State.FIXED)
    evenings = upcoming(now - LONGEST, now + AHEAD * 2, [viewer.campaign.pk], states=states)
    return [evening for evening in evenings if is_open(evening, now)]


def is_open(evening: Evening, now: datetime) -> bool:
    """Whether a date may still be answered: until it begins while it is proposed, until it is over once it is set."""
    return {State.PROPOSED: evening.starts > now, State.FIXED: evening.ends > now}.get(State(evening.state), False)


def find(campaign: Campaign, evening_id: uuid.UUID) -> Evening | None:
    """The evening of this id: its row, or that of a series which has none yet."""
    row = Evening.objects.filter(campaign=campaign, pk=evening_id).select_related("series", "campaign").first()
    if row is not None:
        return row
    now = timezone.now()
    for series in Series.objects.filter(campaign=campaign).select_related("campaign"):
        for evening in between(series, now - AHEAD, now + AHEAD * 2):
            if evening.pk == evening_id:
                return evening
    return None


def series_of(campaign: Campaign) -> QuerySet[Series]:
    """The series of a campaign that go on, the oldest first."""
    return Series.objects.filter(campaign=campaign, ended=None).select_related("campaign").order_by("first_day", "pk")


def evening_to_open(campaign: Campaign, now: datetime) -> Evening | None:
    """The fixed evening that a session which is opened now belongs to: the nearest, within half a day."""
    near = upcoming(now - WITHIN, now + WITHIN, [campaign.pk])
    return min(near, key=lambda evening: abs(evening.starts - now), default=None)
