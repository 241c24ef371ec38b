"""Journals: what the viewer may read of them, one's own, and what one did that one could begin to write from."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse

from campaigns import pages
from campaigns.access import Viewer
from campaigns.models import Change, Entry, Page, View
from campaigns.services.pages import JOURNAL
from campaigns.telling import Sentence
from campaigns.trail.declared import story
from campaigns.trail.looking import LOOKED
from campaigns.trail.visible import readable
from characters.models import Character
from play.models import Scene, Session
from play.telling import told_of

READ = 80  # entries of an evening that sentences are made of
MOST = 12  # sentences to begin from
# What runs the evening, and what is written about it.
BOOKKEEPING = Q(kind__startswith="journal.") | Q(kind__startswith="session.") | Q(kind__startswith="scene.")


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal in the Chronicle: `chip` says where not everybody reads it, or a GM left it out.

    What is `on_paper` everybody reads there. `leave_out_url` is where a GM leaves it out or puts it back.
    """

    url: str
    title: str
    text: str
    writer: str
    chip: str
    mine: bool
    on_paper: bool = True
    left_out: bool = False
    leave_out_url: str = ""


def journals(viewer: Viewer, sessions: Iterable[Session]) -> dict[uuid.UUID, tuple[Journal, ...]]:
    """The journals that the viewer may read about these sessions and their scenes, by what they are about.

    One query. Prefetch `scenes`.
    """
    own = Q(keeper=viewer.member) if not viewer.through else Q(pk=None)
    there = Q() if viewer.runs else Q(left_out=False) | own
    return _by_subject(sessions, pages.open_to(viewer).filter(there), lambda page: Journal(
        reverse("page", args=[viewer.campaign.slug, page.pk]), page.title, page.text, str(page.keeper),
        _chip(page), page.keeper_id == viewer.member.pk and not viewer.through, _for_all(page) and not page.left_out,
        page.left_out, _leave_out_url(page) if viewer.runs and _for_all(page) else ""))


def shared_journals(viewer: Viewer, sessions: Iterable[Session]) -> dict[uuid.UUID, tuple[Journal, ...]]:
    """The same for a guest: those alone that their writers show by a link, without who that is."""
    return _by_subject(sessions, pages.open_to(viewer).filter(shared=True, left_out=False),
                       lambda page: Journal("", page.title, page.text, "", "", mine=False))


def _by_subject(
    sessions: Iterable[Session], may_read: QuerySet[Page], journal_of: Callable[[Page], Journal]
) -> dict[uuid.UUID, tuple[Journal, ...]]:
    ids = [pk for session in sessions for pk in (session.pk, *(scene.pk for scene in session.scenes.all()))]
    journals: dict[uuid.UUID, tuple[Journal, ...]] = {}
    rows = may_read.filter(type=JOURNAL, about_id__in=ids).select_related("keeper__user", "campaign")
    for page in rows.order_by("keeper__joined", "keeper__pk"):
        if page.about_id:
            journals[page.about_id] = (*journals.get(page.about_id, ()), journal_of(page))
    return journals


def _for_all(page: Page) -> bool:
    return page.view == View.ALL and not page.private


def _chip(page: Page) -> str:
    """Who reads a journal, where that is not just everyone in the campaign."""
    if page.private:
        return "Only you"
    if page.view != View.ALL:
        return "Not everyone reads this"
    return "Left out of the Chronicle" if page.left_out else "Also in shared links" if page.shared else ""


def _leave_out_url(page: Page) -> str:
    return reverse("leave_out", args=[page.campaign.slug, page.pk])


def find_subject(viewer: Viewer, about_id: uuid.UUID) -> tuple[Session, Scene | None]:
    """The session of this id, or the session of the scene of this id with that scene; else 404."""
    scene = Scene.objects.filter(campaign=viewer.campaign, pk=about_id).select_related("session").first()
    session = scene.session if scene else Session.objects.filter(campaign=viewer.campaign, pk=about_id).first()
    if session is None:
        raise Http404("There is nothing here for you.")
    return session, scene


def subjects(viewer: Viewer, ids: Collection[uuid.UUID]) -> dict[uuid.UUID | None, str]:
    """What the sessions and scenes of these ids are called; two queries."""
    sessions = Session.objects.filter(campaign=viewer.campaign, pk__in=ids)
    scenes = Scene.objects.filter(campaign=viewer.campaign, pk__in=ids)
    return {row.pk: str(row) for row in (*sessions, *scenes)}


def own_journal(viewer: Viewer, about_id: uuid.UUID) -> Page | None:
    """What the viewer has written about a session or scene."""
    own = pages.open_to(viewer).filter(type=JOURNAL, keeper=viewer.member, about_id=about_id)
    return own.first()


def draft_key(viewer: Viewer, about_id: uuid.UUID) -> str:
    """What the viewer's browser keeps a draft by; "" for a GM who looks as somebody else does."""
    return "" if viewer.through else f"{viewer.member.user_id}:{viewer.member.pk}:{about_id}"


def writes_as(viewer: Viewer) -> list[Character]:
    """The characters in whose voice the viewer can write: those that they play and that everybody knows of."""
    own = Character.objects.filter(campaign=viewer.campaign, player=viewer.member, hidden=False)
    return list(own.order_by("retired", "npc", "name", "pk")[:50])


def beginnings(viewer: Viewer, session: Session, scene: Scene | None, own: Iterable[Character]) -> list[str]:
    """What the viewer and their characters did then, in sentences, in the order of play."""
    return [sentence.text for sentence in done_then(viewer, session, scene, own)]


def done_then(
    viewer: Viewer, session: Session, scene: Scene | None, own: Iterable[Character]
) -> list[Sentence]:
    """The same, each with its verdict."""
    first, last = _span(viewer, scene or session)
    when = {"campaign": viewer.campaign, "seq__range": (first, last)}
    # By who did it and by whom it is about, each by an index and of each the newest: not all that was ever written.
    mine = Entry.objects.filter(actor=viewer.member, **when).order_by("-seq").values_list("seq", flat=True)
    numbers = set(mine[:LOOKED])
    for character in own:
        marks = Change.objects.filter(object_id=character.pk, field="", **when).order_by("-seq")
        numbers |= set(marks.values_list("seq", flat=True)[:READ])
    then = {"scene_id": scene.pk} if scene else {"session_id": session.pk}
    done = Entry.objects.filter(
        story(), readable(viewer), campaign=viewer.campaign, seq__in=sorted(numbers)[-LOOKED:], **then)
    newest = done.exclude(BOOKKEEPING).select_related("payload", "actor__user").order_by("-seq")[:READ]
    return list(reversed(told_of(viewer, list(newest), MOST)))


def _span(viewer: Viewer, about: Session | Scene) -> tuple[int, int]:
    """The entries from the one that opened a session or scene to the last that changed it, or the last of all while it
    is open."""
    marks = Change.objects.filter(campaign=viewer.campaign, object_id=about.pk, field="")
    first, last = (marks.order_by(order).values_list("seq", flat=True).first() or 0 for order in ("seq", "-seq"))
    still = about.pk in (viewer.campaign.session_id, viewer.campaign.scene_id)
    return first, viewer.campaign.head_seq if still else last
