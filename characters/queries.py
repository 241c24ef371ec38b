"""Reads. The first argument is the viewer, but for `sheets`, which feeds the rules and never a page."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.http import Http404

from accounts.statements import compiled_once
from campaigns import sight
from campaigns.access import Viewer
from campaigns.models import Campaign, Member, Role, View
from campaigns.trail.declared import offer_choices
from campaigns.trail.looking import END, LOOKED, reached
from campaigns.trail.models import Change, Entry
from campaigns.trail.visible import about, readable
from characters import snapshots
from characters.cast import cast_of, with_sheets
from characters.contexts import NUMBERS, State
from characters.models import Character, Picture, Trait
from characters.services.common import may_edit
from rules.codec import read
from rules.sheet import Sheet
from rules.sheet import Trait as Line

MOST_SWITCHED = 12  # of one member, in one row of chips

PAGE = 24
WHY_PAGE = 12
CHOICES = 500  # characters that the Ledger can be narrowed to


def sheets(campaign: Campaign, ids: Iterable[uuid.UUID | str]) -> dict[str, Sheet]:
    """The characters of these ids as the rules see them, by id as text; three queries, however many there are.

    Two more in a game that tells the making of a sheet and its growth apart.
    """
    return cast_of(campaign, ids).with_provenance(campaign)


def known(viewer: Viewer) -> QuerySet[Character]:
    """The characters of which the viewer may know all."""
    return known_to(viewer.campaign.pk, viewer.member.pk, viewer.runs)


def known_to(campaign: uuid.UUID, member: uuid.UUID, runs: bool) -> QuerySet[Character]:
    """The same for a member of a campaign; `runs` for a GM."""
    characters = Character.objects.filter(campaign=campaign)
    seen = Q(hidden=False) | Q(pk__in=sight.shown(campaign, member, View.ALL))
    return characters if runs else characters.filter(seen)


def met(viewer: Viewer) -> QuerySet[Character]:
    """The characters that the viewer may know of, if only by their face."""
    everybody = Character.objects.filter(campaign=viewer.campaign)
    return everybody if viewer.runs else met_by(viewer.campaign.pk, viewer.member.pk)


def met_by(campaign: uuid.UUID, member: uuid.UUID) -> QuerySet[Character]:
    """The same for a member of a campaign who is no GM."""
    seen = Q(hidden=False) | Q(face=True) | Q(pk__in=sight.shown(campaign, member, View.FACE, View.ALL))
    return Character.objects.filter(seen, campaign=campaign)


def sees_all(viewer: Viewer, characters: Iterable[Character]) -> set[uuid.UUID]:
    """The ids of those of which the viewer may know all; a query where some are hidden."""
    rows = list(characters)
    hidden = [] if viewer.runs else [row.pk for row in rows if row.hidden]
    open_ = set(known(viewer).filter(pk__in=hidden).values_list("pk", flat=True)) if hidden else set()
    return {row.pk for row in rows if row.pk not in hidden or row.pk in open_}


def seen_by_some(viewer: Viewer, characters: Iterable[Character]) -> set[uuid.UUID]:
    """The ids of those of which single players know more than everyone; none for whoever is no GM."""
    hidden = [character.pk for character in characters if character.hidden] if viewer.runs else []
    return sight.counted(viewer, hidden) if hidden else set()


def _choices(viewer: Viewer) -> list[tuple[str, str]]:
    return [(str(pk), name) for pk, name in known(viewer).order_by("name").values_list("pk", "name")[:CHOICES]]


offer_choices("character", _choices)


def known_sheet(viewer: Viewer, character_id: uuid.UUID) -> Character | None:
    """A character with its sheet, and for a GM the note on it; None for one of which the viewer may not know all."""
    for character in with_sheets(_sheet(viewer.campaign.pk, viewer.member.pk, viewer.runs, character_id)):
        character.campaign = viewer.campaign
        return character
    return None


@compiled_once
def _sheet(campaign: uuid.UUID, member: uuid.UUID, runs: bool, pk: uuid.UUID) -> QuerySet[Character]:
    joined = ("player__user", "portrait", *(("gm_note",) if runs else ()))
    return known_to(campaign, member, runs).filter(pk=pk).select_related(*joined)


def find(viewer: Viewer, character_id: uuid.UUID) -> Character:
    """The same; 404 for one of which the viewer may not know all."""
    if (character := known_sheet(viewer, character_id)) is None:
        raise Http404("There is nothing here for you.")
    return character


def find_face(viewer: Viewer, character_id: uuid.UUID) -> Character:
    """A character with its portrait; 404 for one that the viewer may not even know by its face."""
    character = met(viewer).select_related("portrait").filter(pk=character_id).first()
    if character is None:
        raise Http404("There is nothing here for you.")
    return character


def find_to_edit(viewer: Viewer, character_id: uuid.UUID) -> Character:
    """A character that the viewer may change; 404 for others."""
    character = find(viewer, character_id)
    if not may_edit(viewer.member, character):
        raise Http404("There is nothing here for you.")
    return character


def my_first(viewer: Viewer) -> Character | None:
    """The viewer's own character, the first by name."""
    mine = known(viewer).filter(player=viewer.member, retired=False)
    return mine.order_by("name", "pk").first() if viewer.plays else None


def mine_with(viewer: Viewer, character: Character) -> list[Character]:
    """All characters of the viewer, where this is one of several: for going from one sheet to the next."""
    if not viewer.plays or character.player_id != viewer.member.pk:
        return []
    mine = known(viewer).filter(Q(retired=False) | Q(pk=character.pk), player=viewer.member)
    several = list(mine.order_by("name", "pk")[:MOST_SWITCHED])
    return several if len(several) > 1 else []


def note(viewer: Viewer, character: Character) -> str | None:
    """The GM's note on a character; None for whoever is no GM."""
    if not viewer.runs:
        return None
    return character.gm_note.text if hasattr(character, "gm_note") else ""


def picture(viewer: Viewer, character: Character, digest: str) -> bytes:
    """The picture that the character has now; 404 for one of another digest."""
    if getattr(getattr(character, "portrait", None), "digest", None) == digest:
        kept = Picture.objects.filter(campaign=viewer.campaign, digest=digest).first()
        if kept is not None:
            return bytes(kept.webp)
    raise Http404("There is no picture here.")


def players(viewer: Viewer) -> list[Member]:
    """Who can be given a character."""
    roles = [role for role in Role if role.at_least(Role.PLAYER)]
    members = viewer.campaign.members.filter(active=True, role__in=roles).select_related("user")
    return list(members.order_by("user__username"))


@dataclass(frozen=True)
class Shelf:
    """Some of the characters of one kind; `after` is where the next ones go on, None at the end."""

    name: str
    rows: list[Character]
    after: uuid.UUID | None


def shelf(viewer: Viewer, name: str, *, q: str = "", after: uuid.UUID | None = None) -> Shelf:
    """`mine`, `players`, `npcs`, `retired`, or what a search finds, by name."""
    me = viewer.member
    kinds = {
        "mine": Q(player=me, retired=False), "players": Q(npc=False, retired=False) & ~_played_by(me),
        "npcs": Q(npc=True, retired=False), "retired": Q(retired=True), "found": Q(name__icontains=q),
    }
    characters = met(viewer).filter(kinds[name]).select_related("player__user", "portrait").order_by("name", "pk")
    characters = characters.prefetch_related("traits")
    if after and (last := met(viewer).filter(pk=after).first()):
        characters = characters.filter(Q(name__gt=last.name) | Q(name=last.name, pk__gt=last.pk))
    rows = list(characters[: PAGE + 1])
    return Shelf(name, rows[:PAGE], rows[PAGE - 1].pk if len(rows) > PAGE else None)


def _played_by(member: Member) -> Q:
    # With `~Q(player=...)` alone a character without a player would drop out, as NULL is not unequal to anything.
    return Q(player__isnull=False, player=member)


def steps(viewer: Viewer, character_id: uuid.UUID, seq: int) -> tuple[int | None, int | None]:
    """The numbers of the entries about a character just before and just after `seq`."""
    earlier, later = about(viewer, character_id, until=seq - 1), about(viewer, character_id, after=seq)
    return earlier.values_list("seq", flat=True).first(), later.reverse().values_list("seq", flat=True).first()


def state_at(viewer: Viewer, character_id: uuid.UUID, seq: int) -> State | None:
    """A character as the entries up to `seq` which the viewer may read add up to; None before it was known."""
    return _added_up(str(character_id), map(read, snapshots.texts(viewer, character_id, seq)))


def _added_up(character_id: str, payloads: Iterable[dict[str, Any]]) -> State | None:
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for payload in payloads:
        # An entry that shows a hidden character says all that it is by then; older knowledge makes way.
        if present := payload.get("present"):
            rows.clear()
        for change in (*payload["changes"], *(present or ())):
            key = (change["of"], change["id"])
            if change["became"] is None:
                rows.pop(key, None)
            else:
                rows[key] = {**rows.get(key, {}), **change["became"]}
    own = rows.get(("character", character_id), {})
    if "name" not in own:
        return None
    parts = {
        of: [(pk, row) for (kind, pk), row in rows.items() if kind == of and row.get("character_id") == character_id]
        for of in ("trait", "pool", "portrait")
    }
    traits = sorted((row["place"], pk, row) for pk, row in parts["trait"])
    lines = tuple(
        Line(pk, r["kind"], r["name"], r["value"], r["damage"], r["note"], r.get("parent_id") or "",
             failures=r.get("failures", 0))
        for _, pk, r in traits
    )
    pools = tuple((row["name"], row["value"]) for _, row in parts["pool"])
    return State(
        Sheet(character_id, own["name"], lines, pools, own.get("dead", False)),
        own["concept"], own["story"], own["player_id"] or "", own["npc"], own["hidden"], own["retired"],
        tuple((row["name"], pk) for pk, row in parts["pool"]),
        next((row["digest"] for _, row in parts["portrait"]), ""),
    )


@dataclass(frozen=True)
class Why:
    """The entries that made a number, newest first; what it is called, and the kind of line that it belongs to."""

    entries: list[Entry]
    older: int | None
    label: str
    kind: str


def why(viewer: Viewer, character: Character, object_id: uuid.UUID, before: int = 0) -> Why:
    """Why the numbers of a row of this sheet are what they are; 404 for what was never on it."""
    trait = next((trait for trait in character.traits.all() if trait.pk == object_id), None)
    pool = next((pool for pool in character.pools.all() if pool.pk == object_id), None)
    numbers, until = _that_moved(viewer, object_id, before or None)
    about_it = Change.objects.filter(entry=OuterRef("pk"), object_id=character.pk, field="")
    entries = Entry.objects.filter(readable(viewer), Exists(about_it), campaign=viewer.campaign, seq__in=numbers)
    rows = list(entries.select_related("payload", "revelation", "actor__user").order_by("-seq")[: WHY_PAGE + 1])
    if not rows and trait is None and pool is None:
        raise Http404("There is nothing here for you.")
    kinds = {kind.name: kind.label for kind in viewer.campaign.rules.sheet.pools}
    label = trait.name if trait else kinds.get(pool.name, pool.name) if pool else ""
    older = rows[WHY_PAGE - 1].seq if len(rows) > WHY_PAGE else until or None
    return Why(rows[:WHY_PAGE], older, label, trait.kind if trait else "")


def _that_moved(viewer: Viewer, object_id: uuid.UUID, before: int | None) -> tuple[set[int], int]:
    """The entries that moved a row's numbers, of each number as many as a page looks at; and the last one, where there
    may be more."""
    marks = Change.objects.filter(campaign=viewer.campaign, object_id=object_id).order_by("-seq")
    marks = marks.filter(seq__lt=before) if before else marks
    newest = [list(marks.filter(field=field).values_list("seq", flat=True)[:LOOKED]) for field in NUMBERS]
    # A field that an entry shows anew has no mark of its own: it is marked as being about the row.
    about_it = Change.objects.filter(entry=OuterRef("pk"), object_id=object_id, field="")
    shows = Entry.objects.filter(Exists(about_it), campaign=viewer.campaign, kind="character.show")
    newest.append(list(shows.filter(seq__lt=before or END).order_by("-seq").values_list("seq", flat=True)[:LOOKED]))
    until = max(map(reached, newest))
    return {seq for numbers in newest for seq in numbers if seq >= until}, until


def trait(character: Character, trait_id: uuid.UUID) -> Trait:
    """A line of this sheet; 404 for another's. The character comes from `find`."""
    for trait in character.traits.all():
        if trait.pk == trait_id:
            return trait
    raise Http404("There is nothing here for you.")


def traits_since(viewer: Viewer, character: Character, seq: int) -> list[Trait]:
    """The lines of a sheet that came with entries after `seq`. The character comes from `find`."""
    held = list(character.traits.all())
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=[trait.pk for trait in held], field="")
    first = dict(marks.values("object_id").annotate(first=Min("seq")).values_list("object_id", "first"))
    return [trait for trait in held if first.get(trait.pk, 0) > seq]
