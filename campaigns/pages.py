"""Notes as one viewer may read them: which pages, what of each, where they are linked, and how they came to be."""
from __future__ import annotations

import difflib
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.safestring import SafeString

from campaigns import linking, sight
from campaigns.access import Viewer
from campaigns.contexts import Moment, moment
from campaigns.models import Image, Page, View
from campaigns.services.pages import JOURNAL, NAMES, may_edit
from campaigns.trail.visible import about, payload_of

PAGE, NEAR, HISTORY = 40, 50, 20
MOST_LINES = 400  # of a diff


def open_to(viewer: Viewer) -> QuerySet[Page]:
    """The pages of which the viewer may read all."""
    mine = Q(private=True, keeper=viewer.member) if not viewer.through else Q(pk=None)
    others = Q() if viewer.runs else (
        Q(view=View.ALL) | Q(pk__in=sight.shown_to(viewer, View.ALL)) | Q(type=JOURNAL, keeper=viewer.member))
    return Page.objects.filter(mine | (Q(private=False) & others), campaign=viewer.campaign)


def met(viewer: Viewer) -> QuerySet[Page]:
    """The pages that the viewer may know of, if only by their face."""
    if viewer.runs:
        return open_to(viewer)
    faces = Q(view=View.FACE) | Q(pk__in=sight.shown_to(viewer, View.FACE))
    return Page.objects.filter(
        Q(pk__in=open_to(viewer).values("pk")) | (Q(private=False) & faces), campaign=viewer.campaign)


def find(viewer: Viewer, page_id: uuid.UUID) -> tuple[Page, bool]:
    """A page, and whether all of it is open to the viewer; 404 for one that they may not know of."""
    page = met(viewer).select_related("keeper__user").filter(pk=page_id).first()
    if page is None:
        raise Http404("There is nothing here for you.")
    return page, open_to(viewer).filter(pk=page_id).exists()


def find_to_edit(viewer: Viewer, page_id: uuid.UUID) -> Page:
    """A page that the viewer may change; 404 for others."""
    page, _ = find(viewer, page_id)
    if not may_edit(viewer.member, page):
        raise Http404("There is nothing here for you.")
    return page


def image(viewer: Viewer, page_id: uuid.UUID, digest: str) -> bytes:
    """The picture that a page has now; 404 for one of another digest."""
    page, _ = find(viewer, page_id)
    kept = Image.objects.filter(campaign=viewer.campaign, digest=digest).first() if page.digest == digest else None
    if kept is None:
        raise Http404("There is no picture here.")
    return bytes(kept.webp)


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page in a list. `views` are the three that a GM can choose from."""

    id: uuid.UUID
    title: str
    url: str
    type: str
    chip: str
    picture: str
    views: tuple[sight.ViewChoice, ...] = ()


def listed(viewer: Viewer, type: str = "", after: str = "") -> tuple[list[PageRow], str]:
    """A shelf of pages by their titles, and what the next goes on after ("" at the end). Journals are on none."""
    pages = met(viewer).filter(type=type) if type else met(viewer).exclude(type=JOURNAL)
    wanted = _id(after)
    if last := met(viewer).filter(pk=wanted).first() if wanted else None:
        pages = pages.filter(Q(title__gt=last.title) | Q(title=last.title, pk__gt=last.pk))
    rows = list(pages.order_by("title", "pk")[: PAGE + 1])
    return [_row(viewer, row) for row in rows[:PAGE]], str(rows[PAGE - 1].pk) if len(rows) > PAGE else ""


def _id(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _row(viewer: Viewer, page: Page) -> PageRow:
    return PageRow(
        page.pk, page.title, reverse("page", args=[viewer.campaign.slug, page.pk]), NAMES[page.type],
        "Only you" if page.private else "", picture_url(viewer, page),
        sight.choices(View(page.view)) if viewer.runs and not page.private else (),
    )


def picture_url(viewer: Viewer, page: Page) -> str:
    """Where the picture is; "" where there is none."""
    return reverse("page_image", args=[viewer.campaign.slug, page.pk, page.digest]) if page.digest else ""


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note on something, as the page of that thing shows it."""

    title: str
    url: str
    html: SafeString
    keeper: str
    chip: str


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a thing: notes on it, pages that link to it, and where a new note is written."""

    notes: tuple[NoteRow, ...] = ()
    links: tuple[linking.Named, ...] = ()
    add: str = ""


def beside(viewer: Viewer, object_id: uuid.UUID, name: str) -> Beside:
    """Notes on a thing and links to it, as far as the viewer may read them."""
    near = linking.mentions("text", name) | linking.mentions("looks", name)
    pages = open_to(viewer).filter(Q(about_id=object_id) | near).exclude(pk=object_id)
    rows = list(pages.select_related("keeper__user").order_by("title", "pk")[:NEAR])
    add = f"{reverse('page_new', args=[viewer.campaign.slug])}?about={object_id}" if viewer.plays else ""
    return Beside(
        tuple(_note(viewer, row) for row in rows if row.about_id == object_id),
        tuple(linking.Named(row.pk, row.title, reverse("page", args=[viewer.campaign.slug, row.pk]))
              for row in rows if row.about_id != object_id),
        add,
    )


def _note(viewer: Viewer, page: Page) -> NoteRow:
    chip = "Only you" if page.private else "GMs" if page.view == View.NOTHING else ""
    return NoteRow(page.title, reverse("page", args=[viewer.campaign.slug, page.pk]), html(viewer, page.text),
                   str(page.keeper), chip)


def html(viewer: Viewer, text: str) -> SafeString:
    """A text with its links; a name that means nothing leads whoever may write to a new page of that title."""
    def new(name: str) -> str:
        return f"{reverse('page_new', args=[viewer.campaign.slug])}?title={quote(name)}" if viewer.plays else ""

    return linking.linked(viewer, text, new)


@dataclass(frozen=True, slots=True)
class PageContext:
    """A page for one viewer. Where they know its face alone, `text` is empty."""

    id: uuid.UUID
    title: str
    type: str
    looks: SafeString
    text: SafeString
    picture: str
    keeper: str
    private: bool
    whole: bool
    may_edit: bool
    may_show: bool
    views: tuple[sight.ViewChoice, ...]
    about: linking.Named | None
    beside: Beside
    journal: bool = False


def page_context(viewer: Viewer, page: Page, whole: bool) -> PageContext:
    """The page as the viewer may read it."""
    subject = linking.by_id(viewer, [page.about_id]).get(page.about_id) if page.about_id and whole else None
    edits, journal = may_edit(viewer.member, page) and not viewer.through, page.type == JOURNAL
    return PageContext(
        page.pk, page.title, NAMES[page.type], html(viewer, page.looks),
        html(viewer, page.text) if whole else SafeString(""), picture_url(viewer, page),
        str(page.keeper) if whole else "", page.private, whole, edits, edits and page.private and not journal,
        sight.choices(View(page.view)) if viewer.runs and not page.private and not journal else (), subject,
        beside(viewer, page.pk, page.title), journal,
    )


@dataclass(frozen=True, slots=True)
class Version:
    """An entry that changed a page: a line of the diff is its sign ("+", "-", " ") and its text."""

    seq: int
    when: Moment
    who: str
    title: str
    lines: tuple[tuple[str, str], ...]


def history(viewer: Viewer, page: Page, before: int = 0) -> tuple[list[Version], int | None]:
    """How a page came to be what it is, the latest first, as far as the viewer may read the trail."""
    rows = list(about(viewer, page.pk, until=before - 1 if before else None)[: HISTORY + 1])
    versions = [
        Version(entry.seq, moment(entry.at), str(entry.actor), payload["title"], _difference(payload, str(page.pk)))
        for entry in rows[:HISTORY] if (payload := payload_of(entry))
    ]
    return [version for version in versions if version.lines], rows[HISTORY - 1].seq if len(rows) > HISTORY else None


def _difference(payload: dict[str, Any], page_id: str) -> tuple[tuple[str, str], ...]:
    """What an entry changed of a page's words, line by line."""
    lines: list[tuple[str, str]] = []
    for change in (*payload["changes"], *payload.get("present", ())):
        if change["of"] == "page" and change["id"] == page_id:
            was, became = change["was"] or {}, change["became"] or {}
            for name in ("title", "looks", "text"):
                lines += _lines(str(was.get(name, "")), str(became.get(name, "")))
    return tuple(lines[:MOST_LINES])


def _lines(was: str, became: str) -> Sequence[tuple[str, str]]:
    changed = list(difflib.unified_diff(was.splitlines(), became.splitlines(), n=1, lineterm=""))[2:]
    return [(line[0], line[1:]) for line in changed if not line.startswith("@@")]


def _named(viewer: Viewer, names: Collection[str], ids: Collection[uuid.UUID]) -> Iterable[linking.Named]:
    pages = met(viewer).filter(linking.named(names, "title", ids)).order_by("title", "pk")
    for pk, title in pages.values_list("pk", "title"):
        yield linking.Named(pk, title, reverse("page", args=[viewer.campaign.slug, pk]))


linking.offer(_named)
