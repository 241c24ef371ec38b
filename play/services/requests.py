"""A player asks the GM how hard something is, having said what they roll with; the GM answers, and it is rolled."""
from __future__ import annotations

import re
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role, View
from characters.models import Character, Trait
from characters.services.common import NAME, text
from play.models import AskedRoll, Scene
from play.services import on_scene, tray
from play.services.folds import contained
from play.services.follows import as_they_stand
from play.services.obstacles import GONE, IN_THE_WAY, InTheWay, chosen, thing_of
from play.services.sessions import SCENES
from rules.codec import VERSION, canonical, read
from rules.procedure import Options
from rules.values import BadMove, Value
from rules.wording import join

trail.declare("roll.request", "A player asks for the difficulty", SCENES)
trail.declare("roll.answer", "The GM sets the difficulty", SCENES, felt=True)
trail.declare("roll.strike", "The GM strikes what a player says of a roll", SCENES, felt=True)


_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Intended:
    """What a player means to roll with: the fields of the tray as it said them.

    `named` are the lines of sheets in it that count on that player's word, by their ids as one reads them; of what was
    kept before it was known, none.
    """

    given: Mapping[str, Value]
    named: Mapping[str, str] = field(default_factory=dict)

    def written(self) -> str:
        """As it is kept."""
        named = {"named": dict(self.named)} if self.named else {}
        return canonical({"v": VERSION, "given": dict(self.given), **named})

    @classmethod
    def read(cls, kept: str, own: Collection[str] = ()) -> Intended:
        """As it was kept. Where lines stood apart from the fields, they are those of whoever rolls, by whom the ids of
        their `own` are told, and of those who help."""
        said: Any = read(kept)
        lines, modifiers = said.get("traits", ()), said.get("modifiers", ())
        apart = {
            "traits": [line for line in lines if line in own], "help": [line for line in lines if line not in own],
            "lines": [{"kind": kind, "amount": amount, "reason": reason} for kind, amount, reason, *_ in modifiers]}
        given = {**said["given"], **{name: choices for name, choices in apart.items() if choices}}
        return cls(given, said.get("named", {}))

    def said(self, who: str) -> Options:
        """Which lines the player of the one who is called so says count: the field with the place in it, as
        `traits 0`, and a sentence each."""
        return tuple((f"{name} {place}", f"{who} says: {self.named[line]} counts.")
                     for name, lines in self.given.items() if isinstance(lines, list)
                     for place, line in enumerate(lines) if isinstance(line, str) and line in self.named)

    def without(self, said: str) -> Intended:
        """It without something that was said: a field, and the place in it."""
        name, _, place = said.rpartition(" ")
        lines = self.given[name]
        kept = [line for at, line in enumerate(lines) if at != int(place)] if isinstance(lines, list) else []
        return replace(self, given={**self.given, name: kept})

    def without_lines(self, gone: Collection[str]) -> Intended:
        """It without these lines of a sheet, wherever they are chosen."""
        return replace(self, given={name: [line for line in lines if line not in gone] if isinstance(lines, list)
                                    else lines for name, lines in self.given.items()})

    def ids(self) -> set[str]:
        """The ids in it that may be those of lines."""
        values = self.given.values()
        return {pk for value in values for pk in (value if isinstance(value, list) else [value]) if isinstance(pk, str)}


def id_from(campaign: Campaign, op_id: uuid.UUID) -> uuid.UUID:
    """The id of the request that this operation makes."""
    return uuid.uuid5(op_id, f"request {campaign.pk}")


@trail.answers_once
def request(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, choice: Intended, what: str = "",
) -> Entry:
    """Asks the GM how hard it is; what this character asked before and has no answer yet is not asked any more."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="roll.request") as entry:
        if not entry.campaign.rules.rolls.obstacle:
            raise Refused("In this game there is nothing to ask for.")
        if not entry.campaign.scene_id:
            raise Refused("Wait until a scene starts.")
        character = entry.locked(Character, pk=character_id)
        if character.player_id != entry.actor.pk:
            raise Refused(f"{character.name} is not yours to roll for.", "character")
        entry.audience = trail.GM if character.hidden else trail.ALL
        for before in AskedRoll.objects.filter(campaign=campaign, character=character, rolled=None, spec=""):
            entry.remove(before)
        choice = _named(entry.campaign, character, choice)
        names = _names(character, choice)
        called = text(what or ", ".join(names)[:NAME] or "A roll", NAME, "what")
        using = f", with {join(names)}" if what and names else ""
        says = spoken_in(entry.campaign, choice.written(), character.name)
        entry.title = "; ".join([f"{character.name} asks for the difficulty: {called}{using}",
                                 *(words.rstrip(".") for _, words in says)])
        entry.create(AskedRoll(
            id=id_from(campaign, op_id), campaign=entry.campaign, character=character, what=called, spec="",
            scene=entry.locked(Scene, pk=entry.campaign.scene_id), choice=choice.written(),
            lines=canonical({"v": VERSION, "lines": list(names)}), asked=entry.campaign.head_seq + 1,
        ))
    return entry.written


def _names(character: Character, choice: Intended) -> list[str]:
    """The character's lines in it, by name."""
    ids = choice.ids()
    return [trait.name for trait in Trait.objects.filter(character=character).order_by("place") if str(trait.pk) in ids]


def _named(campaign: Campaign, character: Character, choice: Intended) -> Intended:
    """The same, with those of its lines that count on the player's word, by name; whose they are, where another's."""
    procedure, ids = tray.procedure_of_tray(campaign), choice.ids()
    lines = Trait.objects.filter(campaign=campaign).select_related("character").in_bulk(_uuids(ids)).values()
    return replace(choice, named={
        str(line.pk): line.name if line.character_id == character.pk else f"{line.character.name}’s {line.name}"
        for line in lines if procedure and procedure.counts_on_word(line.kind)})


def _uuids(ids: Collection[str]) -> list[uuid.UUID]:
    """Those of these that can be a line's."""
    return [uuid.UUID(line) for line in ids if _ID.fullmatch(line)]


@trail.answers_once
def answer(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, request_id: uuid.UUID, chip: str, keep: bool = False,
) -> Entry:
    """Says how hard it is, as a chip of the table says it; with `keep` it stands in the way of the next rolls, too."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="roll.answer") as entry:
        row = entry.locked(AskedRoll, pk=request_id, spec="")
        character = Character.objects.get(campaign=campaign, pk=row.character_id)
        entry.audience = trail.GM if character.hidden else trail.ALL
        way = chosen(entry.campaign, chip)
        thing, view = on_scene.seen(entry, thing_of(chip), View.NOTHING)
        # Of whom or of what players don't know all, they don't know how hard it is before they roll.
        face = view is not View.ALL or (way.whose is not None and way.whose.hidden)
        entry.audience = trail.GM if face else entry.audience
        words = entry.campaign.rules.rolls.obstacle_words(way.values)
        against = "" if way.name == IN_THE_WAY else f"{way.name}, "
        entry.title = f"The GM answers {character.name}: {row.what}, {against}{words}"
        entry.change(row, spec=way.spec, asked=entry.campaign.head_seq + 1, sealed=face)
        if keep:
            on_scene.put(entry, replace(way, name=row.what) if way.name == IN_THE_WAY else way, view, thing)
    return entry.written


def said_in(campaign: Campaign, kept: str, who: str) -> Options:
    """All that counts on a player's word in what they mean to roll, as it is kept: lines of the sheet, and what they
    say beside, with the sentences that the GM reads; `who` is what their character is called."""
    return (*(Intended.read(kept).said(who) if kept else ()), *spoken_in(campaign, kept, who))


def spoken_in(campaign: Campaign, kept: str, who: str) -> Options:
    """What a player says in it beside the lines of the sheet."""
    procedure = tray.procedure_of_tray(campaign)
    if procedure is None or not kept:
        return ()

    def said() -> Options:
        try:
            return procedure.said_there(who, Intended.read(kept).given)
        except BadMove:
            return ()

    return contained(procedure.name, said, ())  # the GM reads it on every page


@trail.answers_once
def strike(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, request_id: uuid.UUID, which: str) -> Entry:
    """Something that a player says of what they asked for counts no more; it is not rolled yet."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="roll.strike") as entry:
        row = entry.locked(AskedRoll, pk=request_id, rolled=None)
        character = Character.objects.get(campaign=campaign, pk=row.character_id)
        entry.audience = trail.GM if character.hidden else trail.ALL
        words = dict(said_in(entry.campaign, row.choice, character.name)).get(which)
        if words is None:
            raise Refused("This no longer counts, or it was never said.")
        entry.title = f"The GM strikes what counted: {words}"
        choice = Intended.read(row.choice)
        left = _less(choice, which)
        lines = canonical({"v": VERSION, "lines": list(_names(character, left))})
        entry.change(row, choice=left.written(), **({} if lines == row.lines else {"lines": lines}))
    return entry.written


def _less(choice: Intended, which: str) -> Intended:
    """What is left of it; where a line is gone, without what hangs on that."""
    left = choice.without(which)
    gone = choice.ids() - left.ids()
    hanging = Trait.objects.filter(parent__in=_uuids(gone)) if gone else ()
    return left.without_lines([str(line.pk) for line in hanging])


@trail.answers_once
def withdraw(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, request_id: uuid.UUID) -> Entry:
    """Takes back what this player asked for, as long as the GM has not answered."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="roll.withdraw") as entry:
        requests = AskedRoll.objects.filter(campaign=campaign, pk=request_id, spec="", character__player=entry.actor)
        row = requests.select_related("character").first()
        if row is None:
            raise Refused("The GM has answered already, or someone else asked.")
        entry.audience = trail.GM if row.character.hidden else trail.ALL
        entry.title = f"{row.character.name} asks no longer: {row.what}"
        entry.remove(row)
    return entry.written


def roll(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, client_seed: str, request_id: uuid.UUID,
) -> Entry:
    """Rolls what the player chose against what the GM has answered. Raises `BadMove`, `Refused`."""
    row = AskedRoll.objects.filter(campaign=campaign, pk=request_id).exclude(choice="").exclude(spec="").first()
    if row is None:
        raise Refused(GONE)
    if row.rolled is not None:  # looked at before any die falls: what is refused later has used dice
        first = Entry.objects.filter(campaign=campaign, actor=actor, op_id=op_id).first()
        if first is None:
            raise Refused(GONE)
        return first

    def plan(now: Campaign) -> tray.Planned:
        as_they_stand(now, [row])
        against = InTheWay(row.pk, row.what, read(row.spec)["fields"], row.asked)
        character = Character.objects.prefetch_related("traits", "pools").get(campaign=now, pk=row.character_id)
        choice = Intended.read(row.choice, {str(trait.pk) for trait in character.traits.all()})
        beside = tray.beside(now, actor, character, [against])
        return tray.plan(now, character, beside, row.what, {**choice.given, tray.OBSTACLE: str(row.pk)})

    return tray.roll(campaign=campaign, actor=actor, op_id=op_id, client_seed=client_seed, planned=plan(campaign),
                     again=plan)
