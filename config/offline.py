"""The site on a device without a network: its manifest, the worker, and which pages the worker keeps for somebody."""
from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.db.models import Max, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.offline import keeper, release
from campaigns.access import Viewer
from campaigns.models import Change, Entry, Member, Page
from campaigns.offline import keeps
from campaigns.pages import picture_url
from campaigns.templatetags.site import PRODUCT
from campaigns.trail.visible import readable
from characters.cards import portrait_url
from characters.home import mine
from characters.models import Character, Portrait
from rules.codec import canonical

PAPER = "#fbf8f1"  # as `--paper` in tokens.css
ICONS = (("img/lantern.svg", "any", "any"), ("img/icon-192.png", "192x192", "any"),
         ("img/icon-512.png", "512x512", "any"), ("img/icon-whole-512.png", "512x512", "maskable"))
# What the pages that are kept are drawn with; a browser has the rest of the letters from before, or does without.
FILES = (
    "css/site.css", "css/characters.css", "css/schedule.css", "js/site.js", "js/pages.js", "img/lantern.svg",
    "img/search.svg",
    *(f"vendor/fonts/alegreya-core-{weight}-{style}.woff2" for weight in (400, 700) for style in ("normal", "italic")),
    "vendor/fonts/inter-core-wght-normal.woff2",
)
# Where somebody logs in or out: nothing that was kept survives what is sent there.
ENTRANCES = ("login", "logout", "sign_up", "delete_account")
PARTS = "/why/"  # in the address of what is put into a page and kept
MOST_NOTES = 100
MOST_PICTURES = 40  # of at most 512 pixels a side; the worker keeps none that is heavy all the same


def _fresh(answer: HttpResponse) -> HttpResponse:
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What an installed site is called, and how it looks."""
    icons = [{"src": static(name), "sizes": sizes, "purpose": purpose} for name, sizes, purpose in ICONS]
    return _fresh(JsonResponse({
        "id": "/", "name": PRODUCT, "short_name": PRODUCT, "start_url": reverse("home"), "scope": "/",
        "display": "standalone", "background_color": PAPER, "theme_color": PAPER, "icons": icons,
    }, content_type="application/manifest+json"))


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The worker, for the whole site: another release is another worker."""
    # Outside a release the names of static files are those of their sources, some of which are in none.
    files = [static(name) for name in FILES] if release() else []
    site = {
        "release": release(), "away": reverse("offline"), "list": reverse("offline_list"), "files": files,
        "statics": settings.STATIC_URL, "entrances": [reverse(name) for name in ENTRANCES],
        "home": reverse("home"), "parts": PARTS,
    }
    script = f'self.site = {canonical(site)};\nimportScripts("{static("js/worker.js")}");\n'
    return _fresh(HttpResponse(script, content_type="text/javascript; charset=utf-8"))


@require_safe
def away(request: HttpRequest) -> HttpResponse:
    """What is shown in place of a page that needs the network; it names nobody, and is the same for everyone."""
    return render(request, "offline.html")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page that somebody's browser is to keep. It is fetched again when `stamp` is another one.

    `name` is what a list of them calls it, "" for one that is reached from another; a `part` is put into a page, and
    so is a `picture`.
    """

    url: str
    name: str
    stamp: str
    part: bool = False
    picture: bool = False


@require_safe
def wanted(request: HttpRequest) -> JsonResponse:
    """Which pages the browser of whoever asks is to keep: none where nobody is logged in."""
    whose = keeper(request)
    pages = [asdict(page) for page in _wanted(_viewers(request.user))] if whose else []
    return JsonResponse({"release": release(), "keeper": whose, "pages": pages})


def _viewers(user: Any) -> list[Viewer]:
    members = Member.objects.filter(user=user, active=True).select_related("campaign").order_by("pk")
    viewers = [Viewer(member.campaign, member) for member in members]
    return [viewer for viewer in viewers if keeps(viewer)]


def _wanted(viewers: Sequence[Viewer]) -> Iterator[Wanted]:
    stamps = {viewer.campaign.pk: _last_read(viewer) for viewer in viewers}
    yield Wanted(f"{reverse('home')}?offline", "Your campaigns", " ".join(stamps.values()))
    characters, notes = mine(viewers), _notes(viewers)
    for viewer in viewers:
        campaign, stamp = viewer.campaign, stamps[viewer.campaign.pk]
        own = [character for character in characters if character.campaign_id == campaign.pk]
        for character in own:
            called = f"{character.name}, {campaign.name}"
            yield Wanted(reverse("sheet", args=[campaign.slug, character.pk]), called, stamp)
        if own:
            yield Wanted(reverse("my_sheet", args=[campaign.slug]), "", stamp)
        for route, name in (("chronicle", "Chronicle"), ("dates", "Dates"), ("pages", "Notes")):
            yield Wanted(reverse(route, args=[campaign.slug]), f"{name}, {campaign.name}", stamp)
        for note in notes:
            if note.campaign_id == campaign.pk:
                yield Wanted(reverse("page", args=[campaign.slug, note.pk]), "", stamp)
    yield from _reasons(characters)
    pictures = (*_portraits(viewers, characters), *_of_notes(viewers, notes))
    yield from (Wanted(url, "", "", picture=True) for url in pictures[:MOST_PICTURES])


def _portraits(viewers: Sequence[Viewer], characters: Sequence[Character]) -> Iterator[str]:
    """Where the portraits on these sheets are."""
    of = {viewer.campaign.pk: viewer for viewer in viewers}
    portraits = Portrait.objects.filter(character__in=characters).select_related("character")
    for portrait in portraits.order_by("character__name", "pk"):
        yield portrait_url(of[portrait.character.campaign_id], portrait.character_id, portrait.digest)


def _of_notes(viewers: Sequence[Viewer], notes: Sequence[Page]) -> Iterator[str]:
    """Where the pictures of these notes are."""
    of = {viewer.campaign.pk: viewer for viewer in viewers}
    yield from (picture_url(of[note.campaign_id], note) for note in notes if note.digest)


def _last_read(viewer: Viewer) -> str:
    """The newest entry that they may read: a note of one's own is one, and nobody else's story."""
    entries = Entry.objects.filter(readable(viewer), campaign=viewer.campaign).order_by("-seq")
    return str(entries.values_list("seq", flat=True).first() or "")


def _notes(viewers: Sequence[Viewer]) -> list[Page]:
    """What they wrote themselves."""
    own = Page.objects.filter(keeper__in=[viewer.member.pk for viewer in viewers])
    return list(own.order_by("title", "pk")[:MOST_NOTES])


def _reasons(characters: Sequence[Character]) -> Iterator[Wanted]:
    """Every "why?" of these sheets, each as of the last entry that changed its number."""
    prefetch_related_objects(list(characters), "traits", "pools")
    of: dict[uuid.UUID, Character] = {}
    for character in characters:
        of |= {row.pk: character for row in (*character.traits.all(), *character.pools.all())}
    last = dict(Change.objects.filter(object_id__in=of).order_by().values("object_id").annotate(last=Max("seq"))
                .values_list("object_id", "last"))
    for pk, character in of.items():
        url = reverse("why", args=[character.campaign.slug, character.pk, pk])
        yield Wanted(url, "", str(last.get(pk, "")), part=True)
