"""The GM's bank: what is prepared before it is played. Its entries are sealed until something is shown."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from campaigns import sight, trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role, Sight, View
from campaigns.pictures import Drawn
from campaigns.services import images
from campaigns.sight import SHOWN
from campaigns.trail.cards import card
from characters.services import npcs
from characters.services.common import NAME, STORY, text
from play.models import LibraryTag, PrepItem
from play.services import on_scene
from rules.codec import VERSION, canonical, read
from rules.fields import read_all
from rules.prep import PrepItemKind
from rules.values import Value

TITLE = 160  # characters of an entry’s title that names several things

PREPARED = trail.Filter("bank", "Prepared things")
trail.declare("bank.write", "Something is prepared", PREPARED, story=False)
trail.declare("bank.remove", "Something prepared is removed", PREPARED, story=False)
trail.declare("bank.show", "Something prepared is shown", PREPARED, SHOWN)
trail.declare("bank.face", "The name and picture of something prepared are shown", PREPARED, SHOWN)
# What it has put on the scene is seen less, too, and players have to hear of that.
trail.declare("bank.hide", "Less of something prepared is seen", PREPARED, story=False, felt=True)
trail.declare("bank.told", "Who sees something prepared", PREPARED, story=False)
trail.declare("bank.picture", "Something prepared has a picture", PREPARED, undoable=False, story=False)
LOOKS = 2000


def kind_of(campaign: Campaign, type: str) -> PrepItemKind:
    """What the game calls this; raises `Refused`."""
    for kind in campaign.rules.library:
        if kind.name == type:
            return kind
    raise Refused("This game has nothing of this kind to prepare.", "type")


def spec_of(prepared: PrepItem) -> dict[str, Any]:
    """The fields as they were given."""
    fields: dict[str, Any] = read(prepared.spec)["fields"]
    return fields


def id_from(campaign: Campaign, op_id: uuid.UUID) -> uuid.UUID:
    """The id of what an operation puts into the bank."""
    return uuid.uuid5(op_id, f"prepared of {campaign.pk}")


@trail.answers_once
def write(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, type: str, name: str, words: str = "",
    fields: Mapping[str, Value], prepared_id: uuid.UUID | None = None, looks: str = "",
) -> Entry:
    """Puts something into the bank, or changes what is there; `looks` is what anyone would see of it.

    Raises `BadMove` for fields that make no sense.
    """
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="bank.write", audience=trail.GM
    ) as entry:
        kind = kind_of(entry.campaign, type)
        read_all(kind.fields, fields)
        said = {
            "name": text(name, NAME, "name", needed="Give it a name."), "text": text(words, STORY, "text"),
            "spec": canonical({"v": VERSION, "fields": dict(fields)}), "looks": text(looks, LOOKS, "looks"),
        }
        if prepared_id is None:
            made = PrepItem(id=id_from(campaign, op_id), campaign=entry.campaign, type=kind.name, **said)
            entry.create(made)
            entry.title = f"Prepared: {made.name}"
        else:
            known = entry.locked(PrepItem, pk=prepared_id, type=kind.name)
            if not entry.change(known, **said):
                raise Refused("Nothing here is different yet.")
            entry.title = f"Edited: {known.name}"
    return entry.written


@trail.answers_once
def duplicate(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, prepared_id: uuid.UUID, count: int = 1
) -> Entry:
    """So many more like it, with the next numbers behind its name, and with its tags."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="bank.write", audience=trail.GM
    ) as entry:
        one = entry.locked(PrepItem, pk=prepared_id)
        names = PrepItem.objects.filter(campaign=campaign).values_list("name", flat=True)
        tags = LibraryTag.objects.filter(campaign=campaign, thing_id=one.pk).values_list("tag", flat=True)
        made = [entry.create(PrepItem(
            campaign=entry.campaign, type=one.type, text=one.text, spec=one.spec, name=name, looks=one.looks,
        )) for name in npcs.next_names(one.name, names, count)]
        for other in made:
            for tag in tags:
                entry.create(LibraryTag(campaign=entry.campaign, thing_id=other.pk, tag=tag))
        entry.title = f"Prepared: {', '.join(item.name for item in made)}"[:TITLE]
    return entry.written


@trail.answers_once
def remove(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, prepared_id: uuid.UUID) -> Entry:
    """Takes something out of the bank; the trail keeps it."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="bank.remove", audience=trail.GM
    ) as entry:
        one = entry.locked(PrepItem, pk=prepared_id)
        entry.title = f"Taken from the bank: {one.name}"
        for tag in LibraryTag.objects.filter(campaign=campaign, thing_id=one.pk):
            entry.remove(tag)
        entry.remove(one)
        for sight in Sight.objects.filter(campaign=campaign, object_id=one.pk):
            entry.remove(sight)
        images.forget(entry, one.digest)
    return entry.written


@trail.answers_once
def see(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, prepared_id: uuid.UUID, view: View,
    lines: Mapping[str, str] = MappingProxyType({}),
) -> Entry:
    """Sets how much of something everyone may know; all of it with its `lines` as people read them."""
    if view is View.ALL:
        return show(campaign=campaign, actor=actor, op_id=op_id, prepared_id=prepared_id, lines=lines)
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, audience=trail.GM,
        kind="bank.face" if view is View.FACE else "bank.hide",
    ) as entry:
        one = entry.locked(PrepItem, pk=prepared_id)
        before = one.view
        if not entry.change(one, shown=False, face=view is View.FACE):
            raise Refused("No change: it is already set this way.")
        on_scene.follow(entry, one.pk, view)
        entry.title = f"{one.name}: less is seen"
        if sight.ORDER.index(view) > sight.ORDER.index(before):
            entry.audience = trail.ALL
            _present(entry, one, view, {})
    return entry.written


@trail.answers_once
def show(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, prepared_id: uuid.UUID, lines: Mapping[str, str]
) -> Entry:
    """Shows something to everybody: its name, its words, and its `lines` as people read them."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="bank.show") as entry:
        one = entry.locked(PrepItem, pk=prepared_id)
        entry.change(one, shown=True, face=False)
        on_scene.follow(entry, one.pk, View.ALL)
        _present(entry, one, View.ALL, lines)
    return entry.written


@trail.answers_once
def tell(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, prepared_id: uuid.UUID, views: Mapping[uuid.UUID, View],
    lines: Mapping[str, str],
) -> Entry:
    """Sets what single players may know of something beyond everyone. Each who learns more gets an entry."""
    return sight.tell_players(
        campaign=campaign, actor=actor, op_id=op_id, views=views, kind="bank.told",
        shown={View.ALL: "bank.show", View.FACE: "bank.face"},
        find=lambda entry: entry.locked(PrepItem, pk=prepared_id),
        present=lambda entry, one, view: _present(entry, one, view, lines))


def _present(entry: trail.Draft, one: PrepItem, view: View, lines: Mapping[str, str]) -> None:
    """Says in an entry what is seen from now on, with the card that shows it."""
    entry.index(one.pk)
    entry.title = f"{kind_of(entry.campaign, one.type).label}: {one.name}"
    if view is View.FACE:
        entry.extra["card"] = card("thing", one.pk, one.name, one.looks, one.digest)
        return
    entry.move({"name": one.name, "text": one.text, "lines": dict(lines)})
    entry.extra["card"] = {**card("thing", one.pk, one.name, one.text, one.digest), "lines": dict(lines)}
    if one.text:
        entry.extra["reason"] = one.text


@trail.answers_once
def set_picture(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, prepared_id: uuid.UUID, picture: Drawn | None
) -> Entry:
    """Gives something a picture in place of the one that it had, or takes it down (None)."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="bank.picture", audience=trail.GM
    ) as entry:
        images.replace(entry, entry.locked(PrepItem, pk=prepared_id), picture)
    return entry.written


images.IN_USE.append(lambda campaign, digest: PrepItem.objects.filter(campaign=campaign, digest=digest).exists())
