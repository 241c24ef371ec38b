"""Journals: what somebody writes about a session or a scene. Each is its writer's; who else reads it, they choose."""
from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any

from django.db import transaction

from campaigns import sight, trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Page, Role, View
from campaigns.services.pages import JOURNAL, TEXT, TITLE, fresh, id_from, present
from campaigns.texts import text
from campaigns.trail.cards import card

JOURNALS = trail.Filter("journals", "Journals")
EVERYONE, GMS, SOME, MINE = "all", "gm", "some", "mine"

trail.declare("journal.write", "A journal is written", JOURNALS, own=True)
trail.declare("journal.leave_out", "A journal is left out of the Chronicle", JOURNALS, story=False)
trail.declare("journal.put_back", "A journal is put back into the Chronicle", JOURNALS, story=False)
trail.declare("journal.show", "A journal can be read", JOURNALS, own=True)


@trail.answers_once
@transaction.atomic
def write(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, about_id: uuid.UUID, title: str, words: str,
    readers: str = EVERYONE, some: Collection[uuid.UUID] = (), shared: bool = False,
) -> Entry:
    """Writes the actor's journal about a session or scene, or changes the one that they have.

    `readers` is who reads it: everyone, the GMs, the GMs and `some`, or its writer alone; with `shared` those too who
    have a link to the Chronicle, where everyone in the campaign reads it. What was written before somebody may read it
    stays sealed from them: an entry of their own says what it is when they may.
    """
    by: dict[str, Any] = {"campaign": campaign, "actor": actor}
    if readers == SOME and not some:
        raise Refused("Choose at least one reader.", "some")
    with trail.entry(**by, needs=Role.PLAYER, op_id=op_id, kind="journal.write", audience=str(actor.pk)) as entry:
        page, before = _mine(entry, about_id, op_id)
        said = {
            "title": text(title, TITLE, "title"), "private": readers == MINE,
            "text": text(words, TEXT, "words", needed="Write something first."),
            "view": View.ALL if readers == EVERYONE else View.NOTHING, "shared": shared and readers == EVERYONE,
        }
        _say(entry, page, before is None, said)
        more = sight.tell(entry, page.pk, View(page.view), dict.fromkeys(some if readers == SOME else (), View.ALL))
        if not entry.changed("page") and not entry.changed("sight"):
            raise Refused("Nothing here is different yet.")
        # What it said before stays sealed from those who could not read it then.
        entry.audience = trail.ALL if readers == EVERYONE and before in (None, EVERYONE) else str(entry.actor.pk)
        entry.index(about_id)
    for audience in _learning(readers, before, more):
        own = uuid.uuid5(op_id, f"journal for {audience}")
        with trail.entry(**by, needs=Role.PLAYER, op_id=own, kind="journal.show", audience=audience) as single:
            present(single, fresh(single, page.pk), View.ALL)
            single.audience = audience
    return entry.written


@trail.answers_once
def leave_out(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, page_id: uuid.UUID, out: bool = True,
) -> Entry:
    """Leaves a journal out of the Chronicle, or puts it back. It stays as it is, and whoever may read it still may."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM,
        kind="journal.leave_out" if out else "journal.put_back",
    ) as entry:
        page = entry.locked(Page, pk=page_id)
        if page.type != JOURNAL or page.view != View.ALL or page.private:
            raise Refused("Only a journal that everyone reads can be left out of the Chronicle.")
        if not entry.change(page, left_out=out):
            raise Refused("No change: it is already set this way.")
        entry.title = f"{page.title}: {'left out of' if out else 'put back into'} the Chronicle"
    return entry.written


def _mine(entry: trail.Draft, about_id: uuid.UUID, op_id: uuid.UUID) -> tuple[Page, str | None]:
    """The actor's journal about this, and who reads it by now: everyone, the GMs (and some), or they alone.

    A new one, not yet written down, and None where they have none.
    """
    known = Page.objects.filter(campaign=entry.campaign, keeper=entry.actor, type=JOURNAL, about_id=about_id).first()
    if known is None:
        return Page(id=id_from(entry.campaign, op_id), campaign=entry.campaign, keeper=entry.actor, type=JOURNAL,
                    about_id=about_id), None
    page = fresh(entry, known.pk)
    return page, MINE if page.private else EVERYONE if page.view == View.ALL else GMS


def _say(entry: trail.Draft, page: Page, new: bool, said: dict[str, Any]) -> None:
    """Makes the page say this, and the entry what was done."""
    entry.title = said["title"] if new else f"{said['title']}: changed"
    if not new:
        entry.change(page, **said)
        return
    for name, value in said.items():
        setattr(page, name, value)
    entry.create(page)
    entry.extra["card"] = card("page", page.pk, page.title, "")


def _learning(readers: str, before: str | None, more: Collection[Member]) -> list[str]:
    """The audiences that may read a journal from now on, and could not before."""
    if readers == EVERYONE:
        return [] if before in (None, EVERYONE) else [trail.ALL]
    gms = [trail.GM] if readers in (GMS, SOME) and before in (None, MINE) else []
    return [*gms, *sorted(str(member.pk) for member in more)]
