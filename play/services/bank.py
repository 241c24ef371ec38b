"""The GM's bank: what is prepared before it is played. Its entries are sealed until something is shown."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.sight import SHOWN
from characters.services import npcs
from characters.services.common import NAME, STORY, text
from play.models import LibraryTag, PrepItem
from rules.codec import VERSION, canonical, read
from rules.fields import read_all
from rules.prep import PrepItemKind
from rules.values import Value

TITLE = 160  # characters of an entry’s title that names several things

PREPARED = trail.Filter("bank", "Prepared things")
trail.declare("bank.write", "Something is prepared", PREPARED, story=False)
trail.declare("bank.remove", "Something prepared is removed", PREPARED, story=False)
trail.declare("bank.show", "Something prepared is shown", PREPARED, SHOWN)


def kind_of(campaign: Campaign, sort: str) -> PrepItemKind:
    """What the game calls this; raises `Refused`."""
    for kind in campaign.rules.library:
        if kind.name == sort:
            return kind
    raise Refused("This game has nothing of this kind to prepare.", "sort")


def spec_of(prepared: PrepItem) -> dict[str, Any]:
    """The fields as they were given."""
    fields: dict[str, Any] = read(prepared.spec)["fields"]
    return fields


def id_from(campaign: Campaign, op_id: uuid.UUID) -> uuid.UUID:
    """The id of what an operation puts into the bank."""
    return uuid.uuid5(op_id, f"prepared of {campaign.pk}")


@trail.answers_once
def write(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, sort: str, name: str, words: str = "",
    fields: Mapping[str, Value], prepared_id: uuid.UUID | None = None,
) -> Entry:
    """Puts something into the bank, or changes what is there. Raises `BadMove` for fields that make no sense."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="bank.write", audience=trail.GM
    ) as entry:
        kind = kind_of(entry.campaign, sort)
        read_all(kind.fields, fields)
        said = {
            "name": text(name, NAME, "name", needed="Give it a name."), "text": text(words, STORY, "text"),
            "spec": canonical({"v": VERSION, "fields": dict(fields)}),
        }
        if prepared_id is None:
            made = PrepItem(id=id_from(campaign, op_id), campaign=entry.campaign, sort=kind.name, **said)
            entry.create(made)
            entry.title = f"Prepared: {made.name}"
        else:
            known = entry.locked(PrepItem, pk=prepared_id, sort=kind.name)
            if not entry.change(known, **said):
                raise Refused("Nothing here is different yet.")
            entry.title = f"Prepared anew: {known.name}"
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
            campaign=entry.campaign, sort=one.sort, text=one.text, spec=one.spec, name=name,
        )) for name in npcs.next_names(one.name, names, count)]
        for other in made:
            for tag in tags:
                entry.create(LibraryTag(campaign=entry.campaign, thing_id=other.pk, tag=tag))
        entry.title = f"Prepared: {', '.join(each.name for each in made)}"[:TITLE]
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
    return entry.written


@trail.answers_once
def show(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, prepared_id: uuid.UUID, lines: Mapping[str, str]
) -> Entry:
    """Shows something to everybody: its name, its words, and its `lines` as people read them."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="bank.show") as entry:
        one = entry.locked(PrepItem, pk=prepared_id)
        entry.change(one, shown=True)
        entry.index(one.pk)
        entry.title = f"{kind_of(entry.campaign, one.sort).label}: {one.name}"
        entry.move({"name": one.name, "text": one.text, "lines": dict(lines)})
        if one.text:
            entry.extra["reason"] = one.text
    return entry.written
