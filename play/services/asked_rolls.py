"""Rolls that the GM asks players for: who, with what, how hard; each is answered by a roll from the tray."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.cast import with_sheets
from characters.models import Character
from characters.services.common import NAME, text
from play.models import AskedRoll, Scene
from play.services import obstacles
from play.services.follows import as_they_stand
from play.services.obstacles import InTheWay
from play.services.sessions import SCENES
from rules.codec import VERSION, canonical, read
from rules.fields import read_all
from rules.values import Value
from rules.wording import join

# What is asked with a sealed difficulty is sealed; whoever is asked has to hear of it all the same.
trail.declare("roll.ask", "The GM asks for a roll", SCENES, felt=True)
trail.declare("roll.withdraw", "A roll is no longer asked for", SCENES, felt=True)


@trail.answers_once
def ask(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, characters: Sequence[uuid.UUID], what: str = "",
    lines: Sequence[str] = (), values: Mapping[str, Value], sealed: bool = False,
) -> Entry:
    """Asks the players of these characters for a roll. `lines` are names of lines to use, `values` the fields of an
    obstacle of the game; `sealed` keeps those from the players until they have rolled.

    Raises `BadMove` for values that make no sense, `Refused` where nobody can be asked.
    """
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="roll.ask",
        audience=trail.GM if sealed else trail.ALL,
    ) as entry:
        rules = entry.campaign.rules
        if not rules.has_tray:
            raise Refused("In this game nobody rolls from the tray.")
        if not entry.campaign.scene_id:
            raise Refused("Open a scene first.")
        read_all(rules.rolls.obstacle, values)
        asked = _asked(entry, characters)
        called = text(what or ", ".join(lines) or "A roll", NAME, "what")
        names = join([character.name for character in asked])
        entry.title = f"The GM asks {names} for: {called}, {rules.rolls.obstacle_words(values)}"
        scene = entry.locked(Scene, pk=entry.campaign.scene_id)
        entry.create_all(
            AskedRoll(
                campaign=campaign, scene=scene, character=character, what=called, sealed=sealed,
                lines=canonical({"v": VERSION, "lines": list(lines)}),
                spec=canonical({"v": VERSION, "fields": dict(values)}), asked=entry.campaign.head_seq + 1,
            )
            for character in asked
        )
    return entry.written


def _asked(entry: trail.Draft, characters: Sequence[uuid.UUID]) -> list[Character]:
    known = Character.objects.filter(
        campaign=entry.campaign, pk__in=list(characters), player__isnull=False, hidden=False, retired=False)
    rows = with_sheets(list(known.order_by("name", "pk")))
    if not rows or len(rows) < len(set(characters)):
        raise Refused("Choose player characters.", "characters")
    unable = entry.campaign.rules.sheet.unable
    if why := " ".join(filter(None, (unable(character.sheet()) for character in rows))):
        raise Refused(why, "characters")
    return rows


@trail.answers_once
def withdraw(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, asked: int) -> Entry:
    """Asks no longer for what the entry `asked` asked for, of those who have not rolled."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="roll.withdraw") as entry:
        left = list(AskedRoll.objects.filter(campaign=campaign, asked=asked, rolled=None).select_related("character"))
        if not left:
            raise Refused("Everyone has rolled already.")
        entry.audience = trail.GM if left[0].sealed else trail.ALL
        entry.title = f"No longer asked of {join([request.character.name for request in left])}: {left[0].what}"
        for request in left:
            entry.remove(request)
    return entry.written


def asked_of(campaign: Campaign, character: Character, *, runs: bool = True) -> list[InTheWay]:
    """What this character is asked for in the scene that is on, oldest first; `runs` shows what is sealed."""
    if not campaign.scene_id:
        return []
    requests = AskedRoll.objects.filter(campaign=campaign, scene_id=campaign.scene_id, character=character, rolled=None)
    rows = list(requests.exclude(spec="").order_by("asked", "pk")[:50])
    as_they_stand(campaign, rows)
    return [
        InTheWay(roll.pk, roll.what, read(roll.spec)["fields"], roll.asked, tuple(read(roll.lines)["lines"]),
                 roll.sealed and not runs)
        for roll in rows
    ]


def meet(entry: trail.Draft, against: InTheWay | None, character: Character) -> None:
    """The roll of this entry is what was asked for, or is against something on the scene, by which it is found from
    then on; raises `Refused` where it is not asked for any more."""
    if against and against.asked:
        row = entry.locked(AskedRoll, pk=against.pk, character=character, rolled=None)
        entry.change(row, rolled=entry.campaign.head_seq + 1)
        if row.sealed:
            entry.index(*obstacles.put_with(entry.campaign, against.asked))
    elif against:
        entry.index(against.pk)
