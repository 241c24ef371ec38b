"""What a mail tells of dates: those that can be answered or played, in the reader's own time; what was called off."""
from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.urls import reverse

from accounts.zones import called, zone_name
from campaigns.access import Viewer
from campaigns.models import Campaign, Entry, Member
from campaigns.trail.visible import payload_of, readable
from news.links import absolute
from news.models import Subscription
from schedule.models import Evening, Says, State
from schedule.queries import PLAYERS, open_dates
from schedule.words import span

KINDS = ("date.propose", "date.fix", "date.move", "date.call_off", "date.series", "date.series_end")
MOST = 6
MOST_CALLED_OFF = 3


@dataclass(frozen=True)
class DateLine:
    """A date in the reader's time; `ways` are the answers, each with the address that has it ready."""

    when: str
    place: str
    fixed: bool
    ways: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DatesContext:
    """What a mail of dates says."""

    campaign: str
    url: str
    zone: str
    dates: tuple[DateLine, ...]
    called_off: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.dates or self.called_off)

    @property
    def subject(self) -> str:
        """The set date, or the question."""
        fixed = next((date for date in self.dates if date.fixed), None)
        if fixed:
            return f"{self.campaign}: {fixed.when}"
        return f"{self.campaign}: when can you play?" if self.dates else f"{self.campaign}: {self.called_off[0]}"


def ways_to_answer(campaign: Campaign, evening: Evening) -> tuple[tuple[str, str], ...]:
    """The answers to a date, each with the address that has it ready."""
    here = absolute(reverse("date", args=[campaign.slug, evening.pk]))
    return tuple((str(Say.label), f"{here}?says={Say.value}") for Say in Says)


def newest(campaign: uuid.UUID) -> int:
    """The number of the last entry about dates; 0 where there is none."""
    entries = Entry.objects.filter(campaign=campaign, kind__in=KINDS).order_by("-seq")
    return entries.values_list("seq", flat=True).first() or 0


def wanting(campaign: uuid.UUID) -> QuerySet[Member, uuid.UUID]:
    """Who has neither been told of all dates nor seen them, and has not said that they don't want to."""
    last = newest(campaign)
    told = Subscription.objects.filter(campaign=campaign).filter(Q(dates=False) | Q(dates_seq__gte=last))
    members = Member.objects.filter(campaign=campaign, active=True, role__in=PLAYERS, seen_seq__lt=last)
    return members.exclude(pk__in=told.values("member")).values_list("pk", flat=True)


def dates_of(viewer: Viewer, since: int) -> DatesContext | None:
    """What the viewer is told where others did something about dates since an entry; None where nobody did."""
    entries = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, kind__in=KINDS, seq__gt=since)
    new = list(entries.exclude(actor=viewer.member).select_related("payload").order_by("-seq")[:MOST])
    if not new:
        return None
    zone, off = zone_name(viewer.member.user), [entry for entry in new if entry.kind == "date.call_off"]
    lines = []
    for evening in open_dates(viewer)[:MOST]:
        when, fixed = span(evening.starts, evening.ends, zone), evening.state == State.FIXED
        lines.append(DateLine(when, evening.place, fixed, ways_to_answer(viewer.campaign, evening)))
    return DatesContext(
        viewer.campaign.name, absolute(reverse("dates", args=[viewer.campaign.slug])), called(zone), tuple(lines),
        tuple((payload_of(entry) or {}).get("title", "") for entry in off[:MOST_CALLED_OFF]))
