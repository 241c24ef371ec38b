"""What pages of the schedule may see, built for one viewer."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.zones import called, is_certain, zone_info, zone_name
from campaigns.access import Viewer
from campaigns.models import Member, Role
from schedule import queries
from schedule.models import Answer, Evening, Says, Series, State
from schedule.series import AHEAD, title
from schedule.words import clock, day_of

NEXT = 4  # evenings of a series that its page shows


@dataclass(frozen=True, slots=True)
class ZoneNote:
    """In which zone times are shown, and whether the reader said so."""

    name: str
    certain: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Who answered alike: `says` is the answer, "" for nobody's."""

    says: str
    label: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DateCard:
    """A date as one viewer sees it, in their own time."""

    id: uuid.UUID
    slug: str
    campaign: str
    system: str
    state: str
    weekday: str
    day: str
    month: str
    long: str
    time: str
    starts: str
    zone: ZoneNote
    place: str
    repeats: str
    mine: str  # the viewer's answer, "" for none
    chips: tuple[tuple[str, str], ...]  # none where the viewer can't answer
    groups: tuple[Group, ...]
    runs: bool
    best: bool = False  # it suits most of those that are proposed

    @property
    def proposed(self) -> bool:
        """Whether it is one that is asked for."""
        return self.state == State.PROPOSED

    @property
    def fixed(self) -> bool:
        """Whether it will be played."""
        return self.state == State.FIXED

    @property
    def called_off(self) -> bool:
        """Whether it will not be."""
        return self.state == State.CALLED_OFF


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A line of the GM's grid: a person, where they are, and what they say to each date that is proposed."""

    name: str
    role: str
    zone: str  # with the first date's time there, "" where it is the viewer's own
    cells: tuple[tuple[str, str], ...]  # the answer and its words


@dataclass(frozen=True, slots=True)
class SeriesCard:
    """A series that goes on."""

    id: uuid.UUID
    title: str
    zone: str
    place: str
    next: tuple[DateCard, ...]


@dataclass(frozen=True, slots=True)
class SchedulePage:
    """The page of a campaign's dates."""

    zone: ZoneNote
    fixed: tuple[DateCard, ...]
    proposed: tuple[DateCard, ...]
    grid: tuple[PersonRow, ...]
    series: tuple[SeriesCard, ...]
    answered: int
    players: int
    full: bool  # no more can be proposed

    @property
    def offers_series(self) -> bool:
        """Whether a series is made from here: a single date that is set has a button of its own that makes it one."""
        return all(card.repeats for card in self.fixed)


def zone_note(user: Any) -> ZoneNote:
    """In which zone somebody reads times."""
    return ZoneNote(called(zone_name(user)), is_certain(user))


def date_card(
    viewer: Viewer, evening: Evening, said: Sequence[Answer], players: Sequence[Member], *, best: bool = False
) -> DateCard:
    """A date for one viewer; `said` are the answers to it."""
    user = viewer.member.user
    zone, now = zone_name(user), timezone.now()
    here, campaign = evening.starts.astimezone(zone_info(zone)), evening.campaign
    mine = next((answer.says for answer in said if answer.member_id == viewer.member.pk), "")
    answerable = viewer.plays and not campaign.archived and queries.is_open(evening, now)
    return DateCard(
        id=evening.pk, slug=campaign.slug, campaign=campaign.name, system=campaign.system, state=evening.state,
        weekday=f"{here:%a}", day=str(here.day), month=f"{here:%b}", long=day_of(evening.starts, zone),
        time=f"{clock(evening.starts, zone)}–{clock(evening.ends, zone)}", starts=evening.starts.isoformat(),
        zone=zone_note(user), place=evening.place, repeats=_repeats(evening.series),
        mine=mine, chips=tuple((Say.value, str(Say.label)) for Say in Says) if answerable else (),
        groups=_groups(said, players), runs=viewer.runs, best=best)


def _repeats(series: Series | None) -> str:
    """`Every second Thursday, 19:30 (Berlin)`: whose clock it is stands beside it."""
    return f"{title(series)} ({called(series.zone)})" if series else ""


def _groups(said: Sequence[Answer], players: Sequence[Member]) -> tuple[Group, ...]:
    """Who can come, who might, who can't, and who has not answered."""
    by = {Say.value: tuple(str(answer.member) for answer in said if answer.says == Say.value) for Say in Says}
    groups = [Group(Say.value, str(Say.label), by[Say.value]) for Say in Says]
    answered = {answer.member_id for answer in said}
    silent = tuple(str(player) for player in players if player.pk not in answered)
    return tuple(group for group in (*groups, Group("", "No answer yet", silent)) if group.names)


def cards(
    viewer: Viewer, evenings: Sequence[Evening], said: Mapping[uuid.UUID, list[Answer]], players: Sequence[Member]
) -> tuple[DateCard, ...]:
    """Dates of one campaign; of those that are proposed, the one that suits most is marked."""
    best = _best([evening for evening in evenings if evening.state == State.PROPOSED], said)
    return tuple(date_card(viewer, evening, said.get(evening.pk, ()), players, best=evening.pk == best)
                 for evening in evenings)


def _best(evenings: Sequence[Evening], said: Mapping[uuid.UUID, list[Answer]]) -> uuid.UUID | None:
    """The date that most can come to: first by who can, then by who might, then the soonest. None where nobody can."""
    def suits(evening: Evening) -> tuple[int, int]:
        says = [answer.says for answer in said.get(evening.pk, ())]
        return says.count(Says.YES), says.count(Says.MAYBE)

    best = max(evenings, key=suits, default=None)  # the first of equals: they come in order
    return best.pk if best is not None and any(suits(best)) else None


def schedule_page(viewer: Viewer) -> SchedulePage:
    """All that is open in a campaign."""
    evenings, players = queries.open_dates(viewer), queries.players(viewer.campaign)
    said = queries.answers(evenings)
    shown = dict(zip((evening.pk for evening in evenings), cards(viewer, evenings, said, players), strict=True))
    proposed = [evening for evening in evenings if evening.state == State.PROPOSED]
    series = tuple(_series(series, evenings, shown) for series in queries.series_of(viewer.campaign))
    in_series = {evening.pk for evening in evenings if evening.series_id}
    alone = [evening for evening in evenings if evening.state == State.FIXED and evening.pk not in in_series]
    return SchedulePage(
        zone=zone_note(viewer.member.user), fixed=tuple(shown[evening.pk] for evening in alone),
        proposed=tuple(shown[evening.pk] for evening in proposed),
        grid=tuple(_person(viewer, player, proposed, said) for player in players) if viewer.runs else (), series=series,
        answered=len({answer.member_id for evening in proposed for answer in said[evening.pk]}), players=len(players),
        full=len(proposed) >= queries.MOST)


def _series(series: Series, evenings: Sequence[Evening], shown: Mapping[uuid.UUID, DateCard]) -> SeriesCard:
    own = [shown[evening.pk] for evening in evenings if evening.series_id == series.pk]
    return SeriesCard(series.pk, title(series), called(series.zone), series.place, tuple(own[:NEXT]))


def _person(
    viewer: Viewer, member: Member, proposed: Sequence[Evening], said: Mapping[uuid.UUID, list[Answer]]
) -> PersonRow:
    zone, words = "", {Say.value: str(Say.label) for Say in Says}
    if proposed and is_certain(member.user) and zone_name(member.user) != zone_name(viewer.member.user):
        zone = f"{called(zone_name(member.user))}, {clock(proposed[0].starts, zone_name(member.user))}"
    own = {proposal.pk: next((answer.says for answer in said[proposal.pk] if answer.member_id == member.pk), "")
           for proposal in proposed}
    cells = tuple((own[evening.pk], words.get(own[evening.pk], "Not answered")) for evening in proposed)
    return PersonRow(str(member), "GM" if member.may(Role.GM) else "", zone, cells)


def next_dates(viewers: Sequence[Viewer], now: datetime | None = None) -> list[DateCard]:
    """For Home and the table: of each campaign what is proposed and the next fixed date, the soonest first.

    As many queries for many campaigns as for one.
    """
    of = {viewer.campaign.pk: viewer for viewer in viewers if not viewer.campaign.archived}
    now = now or timezone.now()
    known = queries.upcoming(
        now - queries.LONGEST, now + AHEAD, list(of), states=(State.PROPOSED, State.FIXED)) if of else []
    evenings = [evening for evening in known if queries.is_open(evening, now)]
    nearest = {evening.campaign_id: evening for evening in reversed(evenings) if evening.state == State.FIXED}
    evenings = [evening for evening in evenings
                if evening.state == State.PROPOSED or nearest[evening.campaign_id] is evening]
    if not evenings:
        return []
    said, players = queries.answers(evenings), queries.players_of({evening.campaign_id for evening in evenings})
    by: dict[uuid.UUID, list[Evening]] = {}
    for evening in evenings:
        by.setdefault(evening.campaign_id, []).append(evening)
    return [card for pk, some in by.items() for card in cards(of[pk], some, said, players.get(pk, []))]
