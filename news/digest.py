"""What is new in one campaign for one member, as a mail tells it: an allow-list, made when it is sent."""
from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from campaigns import pages
from campaigns.access import Viewer
from campaigns.models import Entry
from campaigns.services.pages import JOURNAL
from campaigns.trail.visible import readable
from news.links import absolute
from news.models import Subscription
from play.journals import subjects
from play.models import Session
from play.now import Duty, duties

MOST = 10  # lines of one kind
EXCERPT = 1200  # characters of a recap or a journal
RECAPS = ("session.recap", "session.close")
JOURNALS = ("journal.write", "journal.show")


@dataclass(frozen=True)
class Line:
    """Something that waits for the reader: `Your turn: react to Dock thug`, and where."""

    text: str
    url: str


@dataclass(frozen=True)
class Excerpt:
    """How a recap or a journal begins, as it is now."""

    title: str
    text: str
    url: str


@dataclass(frozen=True)
class Digest:
    """What a mail tells of one campaign."""

    campaign: str
    url: str
    moves: tuple[Line, ...] = ()
    requests: tuple[Line, ...] = ()
    recaps: tuple[Excerpt, ...] = ()
    journals: tuple[Excerpt, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.moves or self.requests or self.recaps or self.journals)

    @property
    def subject(self) -> str:
        """The first of it, in a few words."""
        first = (*self.moves, *self.requests)
        if first:
            return f"{self.campaign}: {first[0].text}"
        written = (*self.recaps, *self.journals)
        return f"{self.campaign}: {written[0].title}" if written else self.campaign


def digest_of(viewer: Viewer, wanted: Subscription) -> Digest:
    """What the member has neither been told nor seen, of the kinds that they want."""
    since = max(wanted.told_seq, viewer.member.seen_seq)
    new = [duty for duty in duties(viewer) if duty.since > since] if wanted.moves or wanted.requests else []
    return Digest(
        viewer.campaign.name, absolute(reverse("table", args=[viewer.campaign.slug])),
        tuple(line(duty) for duty in new if wanted.moves and not duty.request)[:MOST],
        tuple(line(duty) for duty in new if wanted.requests and duty.request)[:MOST],
        tuple(_recaps(viewer, since)) if wanted.recaps else (),
        tuple(_journals(viewer, since)) if wanted.journals else (),
    )


def line(duty: Duty) -> Line:
    """Something that waits, with a whole address."""
    about = f" ({duty.row.about})" if duty.row.about else ""
    return Line(f"{duty.row.lead}: {duty.row.text}{about}", absolute(duty.row.url))


def _written(viewer: Viewer, since: int, kinds: Collection[str]) -> QuerySet[Any]:
    """The ids of what others wrote since, as far as the viewer may read the entries that say so."""
    entries = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, seq__gt=since, kind__in=kinds)
    return entries.exclude(actor=viewer.member).values("index__object_id")


def _recaps(viewer: Viewer, since: int) -> list[Excerpt]:
    """The recaps that others wrote since, as they are now."""
    written = Session.objects.filter(campaign=viewer.campaign, pk__in=_written(viewer, since, RECAPS))
    url = absolute(reverse("chronicle", args=[viewer.campaign.slug]))
    return [Excerpt(f"The recap of {session}", excerpt(session.recap), url)
            for session in written.exclude(recap="").order_by("number")[:MOST]]


def _journals(viewer: Viewer, since: int) -> list[Excerpt]:
    """The journals that others wrote, or showed to the viewer, since; as they are now, and of those that the viewer
    may still read.
    """
    written = pages.open_to(viewer).filter(type=JOURNAL, pk__in=_written(viewer, since, JOURNALS))
    journals = list(written.exclude(keeper=viewer.member).select_related("keeper__user").order_by("title", "pk")[:MOST])
    about = subjects(viewer, [page.about_id for page in journals if page.about_id])
    return [Excerpt(
        f"{page.title} about {about[page.about_id]} ({page.keeper})", excerpt(page.text),
        absolute(reverse("page", args=[viewer.campaign.slug, page.pk])),
    ) for page in journals if page.about_id in about]


def excerpt(text: str, most: int = EXCERPT) -> str:
    """The beginning of a text, up to the end of a word."""
    return text if len(text) <= most else f"{text[:most].rsplit(None, 1)[0]} …"
