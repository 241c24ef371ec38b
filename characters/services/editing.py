"""Making a character and changing its sheet: what the builder does, and a quality replaced at the GM's word."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_
from typing import Any

from django.db.models import Q

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.trail.models import Change
from characters.models import Character, Trait
from characters.provenance import BUILT, Provenances, provenance
from characters.services.common import CONCEPT, NAME, NOTE, REASON, SHEETS, STORY, arrived, locked, text
from rules.sheet import ReadyMade, TraitDraft
from rules.values import BadMove

trail.declare("character.create", "A new character", SHEETS)
trail.declare("character.edit", "A sheet is edited", SHEETS)
trail.declare("character.replace", "A line is replaced", SHEETS)

MOST_TRAITS = 60
NOTHING_GROWN: Provenances = {}


@dataclass(frozen=True, slots=True)
class Line:
    """A line as the builder sends it; `id` names the trait that it was, "" for a new one."""

    kind: str
    name: str
    value: int
    note: str = ""
    id: str = ""
    within: str = ""  # the name of the line that it stands in

    def draft(self) -> TraitDraft:
        """The line as the budget counts it."""
        return TraitDraft(self.kind, self.name, self.value, self.note, self.within)


class Stale(Refused):
    """The sheet moved while the form was open."""


@trail.answers_once
def create(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, name: str, concept: str = "", story: str = "",
    lines: Sequence[Line] = (), player: Member | None = None, npc: bool = False, hidden: bool = False,
    reason: str = "",
) -> Entry:
    """Makes a character. A player makes their own; the GM any, for a player, for later, or as an NPC.

    The character's id is `id_from(campaign, op_id)`.
    """
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="character.create",
        audience=trail.GM if hidden else trail.ALL,
    ) as entry:
        runs = entry.actor.may(Role.GM)
        if not runs and (npc or hidden or player != entry.actor):
            raise Refused("You can make your own character. The others are the GM’s.")
        character = Character(
            id=id_from(campaign, op_id), campaign=entry.campaign, player=_player(entry, player), npc=npc,
            hidden=npc and hidden, **_said(name, concept, story),
        )
        kept = _checked(entry.campaign, lines, {})
        if not runs:
            _leaves_play_alone(entry.campaign, (), kept)
            _earns_by_play(character, {}, kept)
        if not npc:
            _within_budget(entry.campaign, entry.actor, (), _drafts(kept, {}), reason)
            _no_worse(entry.campaign, entry.actor, {}, kept, _drafts(kept, {}), reason)
        entry.audience = trail.GM if character.hidden else trail.ALL
        entry.title = f"{character.name} joins"
        _give_reason(entry, reason)
        entry.create(character)
        _write_all(entry, character, kept, {})
        join_session(entry, character)
    return entry.written


def create_ready(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, ready: ReadyMade, player: Member | None = None
) -> Entry:
    """Makes a character that the game has ready, as it is: for a player, or for nobody yet."""
    lines = [Line(trait.kind, trait.name, trait.value, trait.note, within=trait.within) for trait in ready.traits]
    return create(campaign=campaign, actor=actor, op_id=op_id, name=ready.name, concept=ready.concept,
                  story=ready.story, lines=lines, player=player)


def join_session(entry: trail.Draft, character: Character) -> None:
    """A character that comes to a player: what it is dealt in a session, and whether it is in the scene that is on, is
    said by the app above."""
    if character.player_id:
        arrived(entry, character)


@trail.answers_once
def edit(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, name: str, concept: str = "",
    story: str = "", lines: Sequence[Line] = (), reason: str = "", seen: int | None = None,
) -> Entry:
    """Makes the sheet say what the builder says: lines without an id are new, traits without a line go.

    `seen` is the number of the last entry about this sheet that the form knew of; `Stale` when there is a later one.
    """
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="character.edit") as entry:
        character = locked(entry, character_id)
        _not_stale(entry, character, seen)
        before = {str(trait.pk): trait for trait in character.traits.select_related("parent").order_by("place")}
        grown = provenance(entry.campaign, character.pk)
        kept = _checked(entry.campaign, lines, before, grown)
        if not character.npc:
            had, now = [_draft(trait, grown) for trait in before.values()], _drafts(kept, grown)
            _within_budget(entry.campaign, entry.actor, had, now, reason)
            _no_worse(entry.campaign, entry.actor, dict(zip(before, had, strict=True)), kept, now, reason)
        if not entry.actor.may(Role.GM):
            _leaves_play_alone(entry.campaign, [_as_line(trait) for trait in before.values()], kept)
            _keeps_what_was_played(character, before, kept, grown)
            _earns_by_play(character, before, kept)
        changed = entry.change(character, **_said(name, concept, story))
        changed |= _write_all(entry, character, kept, before) or bool(before)
        for trait in sorted(before.values(), key=lambda trait: trait.parent_id is None):
            entry.remove(trait)
        if not changed:
            raise Refused("You haven’t changed anything.")
        entry.title = f"{character.name}: sheet changed"
        _give_reason(entry, reason)
    return entry.written


@trail.answers_once
def replace(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, trait_id: uuid.UUID, name: str,
    reason: str, note: str = "",
) -> Entry:
    """Puts another quality in the place of one that turned out useless, at the GM's word (PQ-10)."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="character.replace") as entry:
        character = locked(entry, character_id)
        trait = entry.locked(Trait, pk=trait_id, character=character)
        was = trait.name
        now = text(name, NAME, "name", needed="Give the new one a name.")
        why = text(reason, REASON, "reason", needed="Enter a reason.")
        if not entry.change(trait, name=now, note=text(note, NOTE, "note")):
            raise Refused("No change: the name is the same. Enter another one.", "name")
        entry.title = f"{character.name}: {was} is replaced by {now}"
        entry.extra["reason"] = why
    return entry.written


def id_from(campaign: Campaign, op_id: uuid.UUID) -> uuid.UUID:
    """The id of the character that an operation makes: of its campaign too, as another may see the same `op_id`."""
    return uuid.uuid5(op_id, str(campaign.pk))


def _said(name: str, concept: str, story: str) -> dict[str, str]:
    return {
        "name": text(name, NAME, "name", needed="Enter a name."),
        "concept": text(concept, CONCEPT, "concept"),
        "story": text(story, STORY, "story"),
    }


def _player(entry: trail.Draft, player: Member | None) -> Member | None:
    if player is None:
        return None
    member = entry.locked(Member, pk=player.pk)
    if not member.may(Role.PLAYER):
        raise Refused("Choose a player in this campaign.", "player")
    return member


def _checked(
    campaign: Campaign, lines: Sequence[Line], before: dict[str, Trait], grown: Provenances = NOTHING_GROWN
) -> list[Line]:
    if len(lines) > MOST_TRAITS:
        raise Refused(f"A sheet has room for {MOST_TRAITS} traits.")
    kept, known = [], set()
    for index, line in enumerate(lines):
        where = f"lines.{index}"
        if line.id and (line.id not in before or line.id in known):
            raise Refused("This trait is no longer on the sheet. Remove it, then add it again.", f"{where}.name")
        known.add(line.id)
        try:
            values = dict(campaign.rules.sheet.trait_kind(line.kind).values)
        except BadMove as bad:
            raise Refused("Choose the kind of this trait.", f"{where}.name") from bad
        # What growth brought a line to may stand outside of what a new one can have.
        if line.value not in values and not (line.id and before[line.id].value == line.value):
            raise Refused("Choose one of the values that this game has.", f"{where}.value")
        name = text(line.name, NAME, f"{where}.name", needed="Give this trait a name, or remove it.")
        note, within = text(line.note, NOTE, f"{where}.note"), text(line.within, NAME, f"{where}.within")
        kept.append(Line(line.kind, name, line.value, note, line.id, within))
    _stand_somewhere(campaign, kept)
    stood, places = [_draft(trait, grown) for trait in before.values()], {pk: place for place, pk in enumerate(before)}
    done = campaign.rules.sheet.normalise(
        [line.draft() for line in kept], campaign.settings, stood, [places.get(line.id) for line in kept])
    return [replace_(line, value=draft.value) for line, draft in zip(kept, done, strict=True)]


def _stand_somewhere(campaign: Campaign, lines: Sequence[Line]) -> None:
    """What stands in another line names one that is on the same sheet, and of a kind that takes it in."""
    kinds = {kind.name: kind for kind in campaign.rules.sheet.trait_kinds}
    for index, line in enumerate(lines):
        hosts = kinds[line.kind].within
        known = {other.name.casefold() for other in lines if other.kind in hosts}
        if line.within and line.within.casefold() not in known:
            named = " or ".join(kinds[name].label.lower() for name in hosts) or "trait"
            raise Refused(f"There is no {named} of this name on the sheet.", f"lines.{index}.within")


def _within_budget(
    campaign: Campaign, actor: Member, before: Sequence[TraitDraft], after: Sequence[TraitDraft], reason: str
) -> None:
    """What was allowed or earned before stays allowed; only going further over needs the GM, and a reason."""
    over = overspent(campaign, before, after)
    if not over:
        return
    words = ", ".join(over)
    if not actor.may(Role.GM):
        raise Refused(f"Over budget: {words}. Remove something, or ask the GM to allow it.")
    if not reason.strip():
        raise Refused(f"Over budget: {words}. Enter a reason to allow it.", "reason")


def overspent(campaign: Campaign, before: Sequence[TraitDraft], after: Sequence[TraitDraft]) -> list[str]:
    """Where `after` is over the budget by more than `before` was, in words."""
    settings = campaign.settings
    had = {line.label: line.left for line in campaign.rules.sheet.budget(before, settings).lines}
    return [
        f"{line.label.lower()} {line.spent} of {line.whole}"
        for line in campaign.rules.sheet.budget(after, settings).lines
        if line.left < min(0, had.get(line.label, 0)) and not line.for_gm
    ]


def _no_worse(
    campaign: Campaign, actor: Member, before: Mapping[str, TraitDraft], lines: Sequence[Line],
    after: Sequence[TraitDraft], reason: str,
) -> None:
    """A line that breaks a limit of the game is the GM's to allow, with a reason; one that stood so before stays."""
    rules, settings, ids = campaign.rules, campaign.settings, list(before)
    had = {(ids[fault.place], fault.kind): fault.size
           for fault in rules.sheet.budget(list(before.values()), settings).faults}
    for fault in rules.sheet.budget(after, settings).faults:
        line, now = lines[fault.place].id, after[fault.place]
        if before.get(line) == now or fault.size <= had.get((line, fault.kind), 0):
            continue
        if not actor.may(Role.GM):
            raise Refused(f"{fault.sentence} The GM can allow more.", f"lines.{fault.place}.{fault.field}")
        if not reason.strip():
            raise Refused(f"{now.name}: {fault.sentence} Enter a reason to allow it.", "reason")


def played(character: Character) -> bool:
    """Whether anything but building and keeping was ever written about this character."""
    marks = Change.objects.filter(campaign_id=character.campaign_id, object_id=character.pk, field="")
    kept = Q(entry__kind__startswith="character.") | Q(entry__kind__startswith="portrait.") | Q(entry__kind="undo")
    return marks.exclude(kept).exists()


def _leaves_play_alone(campaign: Campaign, before: Sequence[Line], lines: Sequence[Line]) -> None:
    """Lines that move in play alone are as they were; a new sheet has those that the game begins with."""
    rules = campaign.rules
    labels = {kind.name: kind.plural for kind in rules.sheet.trait_kinds if kind.played}
    for line in lines:
        begins = not line.id and any(
            replace_(line.draft(), within="") == starting for starting in rules.sheet.starting_lines())
        if line.kind in labels and line not in before and (before or not begins):
            # A builder draws no field of such a line, where the sentence could stand.
            raise Refused(f"{labels[line.kind]} can only be gained in play. Reload the page.")
    kept = {line.id for line in lines if line.kind in labels}
    for line in before:
        if line.kind in labels and line.id not in kept:
            raise Refused(f"{line.name} goes in play alone. Reload the page.")


def _keeps_what_was_played(
    character: Character, before: dict[str, Trait], lines: Sequence[Line], known: Provenances
) -> None:
    """A sheet that was at the table may grow into its budget; what was played with changes at the GM's word."""
    now = {line.id: (index, line) for index, line in enumerate(lines) if line.id}
    for pk, trait in before.items():
        index, line = now.get(pk, (0, None))
        same = line and (line.name, line.kind) == (trait.name, trait.kind) and line.value >= trait.value
        if not same and played(character):
            where = f"lines.{index}.name" if line else ""
            why = "came with an entry of its own" if known.get(pk, BUILT).later else "was at the table already"
            raise Refused(f"{trait.name} {why}. Ask the GM to replace it.", where)


def _earns_by_play(character: Character, before: Mapping[str, Trait], lines: Sequence[Line]) -> None:
    """What play alone gives is as much as it was, or as nobody had to earn: whoever makes a sheet before play says what
    came earlier, and afterwards the GM does."""
    kinds = {kind.name: kind for kind in character.campaign.rules.sheet.trait_kinds if kind.unearned is not None}
    for index, line in enumerate(lines):
        kind, was = kinds.get(line.kind), before.get(line.id)
        held = was.value if was and was.kind == line.kind else 0
        if kind and line.value > max(kind.unearned or 0, held) and _begun(character):
            more = f"{line.name}: more {kind.values_are.lower()} come from play alone."
            raise Refused(f"{more} Take them off, or ask the GM to write them down.", f"lines.{index}.value")


def _begun(character: Character) -> bool:
    """Whether the campaign was ever in a session, or this character at the table."""
    return Entry.objects.filter(campaign=character.campaign_id).exclude(session_id=None).exists() or played(character)


def _not_stale(entry: trail.Draft, character: Character, seen: int | None) -> None:
    if seen is None:
        return
    audiences = ["all", str(entry.actor.pk), *(["gm"] if entry.actor.may(Role.GM) else [])]
    marks = Change.objects.filter(campaign=entry.campaign, object_id=character.pk, field="")
    last = marks.filter(entry__audience__in=audiences).order_by("-seq").values_list("seq", flat=True).first() or 0
    if last > seen:
        raise Stale(
            f"Someone else changed this sheet while you were editing (entry {last}). Your version is below: "
            "compare, then save."
        )


def _write_all(entry: trail.Draft, character: Character, lines: Sequence[Line], before: dict[str, Trait]) -> bool:
    """Writes every line, those that stand in another after it; takes from `before` what has a line."""
    changed = False
    written: dict[tuple[str, str], Trait] = {}
    hosts = {kind.name: kind.within for kind in entry.campaign.rules.sheet.trait_kinds}
    for place, line in sorted(enumerate(lines), key=lambda line: bool(line[1].within)):
        said: dict[str, Any] = {
            "kind": line.kind, "name": line.name, "value": line.value, "note": line.note, "place": place,
            "parent_id": next((written[kind, line.within.casefold()].pk for kind in hosts[line.kind]
                               if (kind, line.within.casefold()) in written), None),
        }
        trait = before.pop(line.id, None)
        if trait is not None:
            changed |= entry.change(trait, **said)
        else:
            trait, changed = entry.create(Trait(campaign=entry.campaign, character=character, **said)), True
        written[line.kind, line.name.casefold()] = trait
    return changed


def _as_line(trait: Trait) -> Line:
    within = trait.parent.name if trait.parent else ""
    return Line(trait.kind, trait.name, trait.value, trait.note, str(trait.pk), within)


def _draft(trait: Trait, known: Provenances) -> TraitDraft:
    draft = TraitDraft(trait.kind, trait.name, trait.value, trait.note, trait.parent.name if trait.parent else "")
    return known.get(str(trait.pk), BUILT).annotate(draft)


def _drafts(lines: Sequence[Line], known: Provenances) -> list[TraitDraft]:
    return [known.get(line.id, BUILT).annotate(line.draft()) for line in lines]


def _give_reason(entry: trail.Draft, reason: str) -> None:
    if why := text(reason, REASON, "reason"):
        entry.extra["reason"] = why
