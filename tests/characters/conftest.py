"""Sheets that the tests of characters know: Ilse, Bob's character, and a guard that the players don't know of."""
from __future__ import annotations

import uuid
from typing import Any

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.models import Entry, Member
from characters.models import Character
from characters.services import editing
from characters.services.editing import Line
from rules.codec import read
from tests import laid

ILSE = (
    Line("strength", "Fencing", 2, "blades and footwork"), Line("strength", "Harbour gossip", 1),
    Line("strength", "Sailing", 1), Line("weakness", "Proud", -1),
)


def make(campaign: Any, actor: Member, name: str = "Ilse", **given: Any) -> Character:
    """A character, made as always."""
    entry = editing.create(campaign=campaign, actor=actor, op_id=uuid.uuid4(), name=name, **given)
    return Character.objects.get(pk=editing.id_from(campaign, entry.op_id))


@laid.fixture
def ilse(campaign: Any, bobs: Member) -> Character:
    """Bob's character, complete."""
    return make(campaign, bobs, player=bobs, concept="Duellist out of work", lines=ILSE)


@laid.fixture
def guard(campaign: Any, alices: Member) -> Character:
    """Alice's NPC, hidden."""
    return make(campaign, alices, "Guard", npc=True, hidden=True, lines=[Line("strength", "Fighting", 1)])


@laid.fixture
def daras(campaign: Any) -> Member:
    """Dara as a member: an observer."""
    from tests.conftest import join, person

    return join(campaign, person("Dara"), "observer")


@laid.fixture
def as_dara(daras: Member) -> Any:
    """Dara's browser."""
    from tests.conftest import logged_in

    return logged_in(daras.user)


def at(name: str, character: Character | None = None, *more: Any, slug: str = "the-salt-road") -> str:
    """An address."""
    return reverse(name, args=[slug, *([character.pk] if character else []), *more])


def body(**given: Any) -> dict[str, Any]:
    """What a form posts."""
    return {"op_id": str(uuid.uuid4()), **given}


def typed(lines: Any = ILSE, **given: Any) -> dict[str, Any]:
    """What the builder posts."""
    said: dict[str, Any] = {
        **body(name="Ilse", concept="", story="", lines=len(lines)), **given}
    for place, line in enumerate(lines):
        for field in ("id", "kind", "name", "value", "note"):
            said[f"line-{place}-{field}"] = getattr(line, field)
    return said


def lines_of(character: Character) -> list[Line]:
    """The lines of a sheet, as the builder posts them back."""
    return [
        Line(trait.kind, trait.name, trait.value, trait.note, str(trait.pk))
        for trait in character.traits.order_by("place")
    ]


def last(campaign: Any) -> Entry:
    """The last entry."""
    return Entry.objects.filter(campaign=campaign).latest("seq")


def said(entry: Entry) -> dict[str, Any]:
    """What an entry says."""
    return read(entry.payload.text)


def seen_by(member: Member) -> Viewer:
    """The viewer that a member is."""
    fresh = Member.objects.select_related("campaign").get(pk=member.pk)
    return Viewer(fresh.campaign, fresh)
