"""Notes: pages of Markdown that everyone reads, some, the GM alone, or whoever keeps them."""
from __future__ import annotations

import uuid
from collections.abc import Mapping

from campaigns import sight, trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Page, Role, View
from campaigns.pictures import Drawn
from campaigns.services import images
from campaigns.texts import text
from campaigns.trail.cards import card
from campaigns.trail.tracked import tracked_of

NOTES = trail.Filter("notes", "Notes")
TITLE, LOOKS, TEXT = 120, 2000, 20_000
TYPES = (("", "Note"), ("place", "Place"), ("faction", "Faction"), ("person", "Person"), ("thing", "Thing"))

JOURNAL = "journal"  # the type of a page about a session or scene that belongs to its writer alone
NAMES = {**dict(TYPES), JOURNAL: "Journal"}

trail.declare("page.write", "A note is written", NOTES, story=False)
trail.declare("page.picture", "A note has a picture", NOTES, undoable=False, story=False)
trail.declare("page.remove", "A note is removed", NOTES, story=False)
trail.declare("page.show", "A note is shown", NOTES, sight.SHOWN)
trail.declare("page.face", "The name and picture of a note are shown", NOTES, sight.SHOWN)
trail.declare("page.hide", "Less of a note is seen", NOTES, story=False)
trail.declare("page.told", "Who sees a note", NOTES, story=False)
trail.declare("page.own", "A private note", NOTES, story=False, own=True)
trail.declare("journal.remove", "A journal is removed", NOTES, story=False, own=True)

__all__ = ["may_edit", "remove", "see", "set_picture", "tell", "write"]


def id_from(campaign: Campaign, op_id: uuid.UUID) -> uuid.UUID:
    """The id of the page that an operation makes."""
    return uuid.uuid5(op_id, f"page of {campaign.pk}")


def may_edit(actor: Member, page: Page) -> bool:
    """Whether this member may change a page: its keeper; a GM; where all is open and no GM keeps it, any player.

    A private one and a journal are their keeper's alone.
    """
    if page.private or page.type == JOURNAL or page.keeper_id == actor.pk:
        return page.keeper_id == actor.pk and actor.may(Role.PLAYER)
    return actor.may(Role.GM) or (
        actor.may(Role.PLAYER) and page.view == View.ALL and not page.keeper.may(Role.GM))


def _own(actor: Member, page_id: uuid.UUID) -> bool:
    """Whether a page is this member's private one: what is done to it is their own affair."""
    return Page.objects.filter(pk=page_id, private=True, keeper=actor).exists()


def _sealed(entry: trail.Draft, page: Page) -> None:
    """Gives the entry the audience that the page has."""
    kept = page.private or (page.type == JOURNAL and page.view != View.ALL)
    opened = trail.ALL if page.view == View.ALL else trail.GM
    entry.audience = str(page.keeper_id) if kept else opened


def fresh(entry: trail.Draft, page_id: uuid.UUID) -> Page:
    page = entry.locked(Page, pk=page_id)
    if not may_edit(entry.actor, page):
        raise Refused("Only its writer and the GM can change this note.")
    _sealed(entry, page)
    return page


@trail.answers_once
def write(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, title: str, words: str = "", looks: str = "",
    type: str = "", whose: str = "all", about_id: uuid.UUID | None = None, page_id: uuid.UUID | None = None,
) -> Entry:
    """Makes a page, or changes one. `whose` is who reads a new one: "all", "gm" or "mine"."""
    own = _own(actor, page_id) if page_id else whose == "mine"
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, audience=trail.GM, kind="page.own" if own else "page.write",
        needs=Role.GM if whose == "gm" and page_id is None else Role.PLAYER,
    ) as entry:
        said = {
            "title": text(title, TITLE, "title", needed="Give it a title."), "text": text(words, TEXT, "text"),
            "looks": text(looks, LOOKS, "looks"), "type": type if type in dict(TYPES) else "",
        }
        if page_id is not None:
            page = fresh(entry, page_id)
            if not entry.change(page, **said):
                raise Refused("Nothing here is different yet.")
        else:
            page = Page(
                id=id_from(campaign, op_id), campaign=entry.campaign, keeper=entry.actor, private=whose == "mine",
                view=View.ALL if whose == "all" else View.NOTHING, about_id=about_id, **said,
            )
            _sealed(entry, page)
            entry.create(page)
        if page.about_id:
            entry.index(page.about_id)
        entry.title = f"{'Note written' if page_id is None else 'Note changed'}: {page.title}"
    return entry.written


@trail.answers_once
def remove(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, page_id: uuid.UUID) -> Entry:
    """Takes a page away; the trail keeps what it said, for those who could read it."""
    kind = "page.own" if _own(actor, page_id) else "page.remove"
    if Page.objects.filter(pk=page_id, type=JOURNAL).exists():
        kind = "journal.remove"
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, audience=trail.GM, kind=kind,
    ) as entry:
        page = fresh(entry, page_id)
        entry.title = f"Note removed: {page.title}"
        entry.remove(page)
        images.forget(entry, page.digest)
    return entry.written


@trail.answers_once
def set_picture(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, page_id: uuid.UUID, picture: Drawn | None
) -> Entry:
    """Gives a page a picture in place of the one that it had, or takes it down (None)."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, audience=trail.GM,
        kind="page.own" if _own(actor, page_id) else "page.picture",
    ) as entry:
        images.replace(entry, fresh(entry, page_id), picture)
    return entry.written


images.IN_USE.append(lambda campaign, digest: Page.objects.filter(campaign=campaign, digest=digest).exists())


@trail.answers_once
def see(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, page_id: uuid.UUID, view: View) -> Entry:
    """Sets how much of a page everyone may know. A private one can only be opened whole, by whoever keeps it."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, audience=trail.GM,
        kind="page.show" if view is View.ALL else "page.face" if view is View.FACE else "page.hide",
    ) as entry:
        page = fresh(entry, page_id)
        if not page.private and not entry.actor.may(Role.GM):
            raise Refused("Only the GM can change who sees this.")
        before = View.NOTHING if page.private else View(page.view)
        if page.private and view is not View.ALL:
            raise Refused("A private note can only be shown to everyone.")
        if not entry.change(page, view=view, private=False):
            raise Refused("No change: it is already set this way.")
        if sight.ORDER.index(view) < sight.ORDER.index(before):
            entry.audience, entry.title = trail.GM, f"{page.title}: less is seen"
        else:
            entry.audience = trail.ALL
            present(entry, page, view)
    return entry.written


@trail.answers_once
def tell(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, page_id: uuid.UUID, views: Mapping[uuid.UUID, View]
) -> Entry:
    """Sets what single players may know of a page beyond everyone. Each who learns more gets an entry of their own."""
    return sight.tell_players(
        campaign=campaign, actor=actor, op_id=op_id, views=views, kind="page.told",
        shown={View.ALL: "page.show", View.FACE: "page.face"}, find=lambda entry: fresh(entry, page_id),
        present=present)


def present(entry: trail.Draft, page: Page, view: View) -> None:
    """Says in an entry what is seen from now on: those before it stay sealed."""
    entry.title = page.title
    entry.index(page.pk)
    entry.extra["card"] = card("page", page.pk, page.title, page.looks, page.digest)
    if view is View.ALL:
        state = {**tracked_of(page).state(page), "private": False, "view": View.ALL.value}
        entry.extra["present"] = [{"of": "page", "id": str(page.pk), "was": None, "became": state}]
