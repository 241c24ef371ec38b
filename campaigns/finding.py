"""What the search finds of campaigns: notes, and the entries of the trail."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.models import Campaign, Entry, Found, Page
from campaigns.pages import met, open_to
from campaigns.search import Doc, Ids, Searchable, declare, paged
from campaigns.trail.visible import payload_of, readable
from rules.codec import read

MOST = 6000  # characters of an entry that are laid out


def _all_entries(campaign: Campaign) -> Iterator[uuid.UUID]:
    return paged(Entry.objects.filter(campaign=campaign), "seq")


def _entries(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    rows = Entry.objects.filter(campaign=campaign, pk__in=ids).exclude(payload=None).order_by("seq")
    for pk, seq, text in rows.values_list("pk", "seq", "payload__text"):
        yield _laid_out(pk, seq, read(text))


def _entry(entry: Entry) -> Iterator[Doc]:
    if payload := payload_of(entry):
        yield _laid_out(entry.pk, entry.seq, payload)


def _laid_out(pk: uuid.UUID, seq: int, payload: dict[str, Any]) -> Doc:
    said = [payload.get("reason", ""), *(step["text"] for step in (payload["outcome"] or {}).get("steps", ()))]
    text = "\n".join(filter(None, [*said, *_said(payload["move"])]))
    return Doc(pk, "all", payload["title"], text[:MOST], str(seq))


def _said(value: Any) -> Iterable[str]:
    """What people wrote in a move: texts of more than one word."""
    if isinstance(value, str):
        return [value] if " " in value and value[:1] not in "{[" else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _said(part)]


def _seen(viewer: Viewer) -> Q:
    # Asked of each row by itself: together they would be all entries of the campaign.
    return Q(Exists(Entry.objects.filter(readable(viewer), pk=OuterRef("object_id"))))


def _url(slug: str, row: Found) -> str:
    return reverse("entry", args=[slug, row.key])


def _all_pages(campaign: Campaign) -> Iterator[uuid.UUID]:
    return paged(Page.objects.filter(campaign=campaign))


def _pages(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    for page in Page.objects.filter(campaign=campaign, pk__in=ids).order_by("pk"):
        if not page.private:
            yield Doc(page.pk, "face", page.title, page.looks)
        yield Doc(page.pk, "all", page.title, page.text)


def _open_pages(viewer: Viewer) -> Q:
    return Q(part="face", object_id__in=met(viewer).values("pk")) | Q(
        part="all", object_id__in=open_to(viewer).values("pk"))


def _page_url(slug: str, row: Found) -> str:
    return reverse("page", args=[slug, row.object_id])


declare(Searchable(
    "page", "Note", _page_url, {"page": ("title", "looks", "text", "private")}, _all_pages, _pages,
    _open_pages))
declare(Searchable("entry", "Ledger", _url, {}, _all_entries, _entries, _seen, written=_entry))
