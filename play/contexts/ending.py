"""How a contest of rounds ended: what came of it, what lasts for whom, what is owed, and who can recover."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from campaigns.access import Viewer
from play import queries
from play.contexts.pending import PendingAllocationRow, pending_allocations
from play.contexts.scene_menu import Link
from play.contexts.ways_back import asks_to_recover
from play.forms.scenes import RecoverAgainForm
from play.services.position import Position
from play.stories import CALLED_OFF
from rules.afterwards import AwardsExperience
from rules.sheet import Sheet


@dataclass(frozen=True)
class Lasting:
    """A line of somebody's sheet that is not as it was: `was` is "" for what came in play."""

    name: str
    was: str
    now: str


@dataclass(frozen=True)
class PersonAfter:
    """Somebody who was in it: what lasts, and why they can't act now, "" for who can."""

    pk: str
    name: str
    player: str
    lasts: tuple[Lasting, ...]
    unable: str
    asks: Link | None = None  # of the viewer's own who is hurt: the press that asks the GM to let them recover


@dataclass(frozen=True)
class Learned:
    """Something that somebody learned in it, and why it counts."""

    name: str
    about: str
    what: str


@dataclass(frozen=True)
class Ending:
    """What came of a contest, the outcome first. `recovery` is the GM's form that lets the hurt recover, None where
    nobody can; `owed` is what the viewer has to place."""

    outcome: str
    lines: tuple[str, ...]
    people: tuple[PersonAfter, ...]
    owed: tuple[PendingAllocationRow, ...]
    learned: tuple[Learned, ...]
    recovery: Callable[[], RecoverAgainForm] | None
    scene_on: bool


def ending(viewer: Viewer, position: Position, faces: frozenset[str]) -> Ending | None:
    """How it ended, for this viewer; None while it goes on, and for a roll, whose entry says all."""
    contest, procedure = position.contest, position.procedure
    if not (contest.over and procedure.has_aftermath):
        return None
    lines = CALLED_OFF if position.was_called_off else procedure.story(position.state)
    sheets = position.sheets_for(faces)
    named = {pk for pk in position.named if pk in sheets and pk not in faces}
    owed = [allocation
            for allocation in queries.pending_allocations(viewer) if str(allocation.character_id) in position.named]
    on = bool(contest.scene_id) and contest.scene_id == viewer.campaign.scene_id
    hurt = [character for character in queries.hurt(viewer) if str(character.pk) in named] if viewer.runs and on else []
    recovers = bool(hurt) and bool(viewer.campaign.rules.session.recoveries())
    mine = [position.characters[pk] for pk in position.named if pk in named]
    asks = asks_to_recover(viewer, mine) if on else {}
    chosen = [str(character.pk) for character in hurt]
    return Ending(
        lines[0] if lines else "It is over.", tuple(lines[1:]),
        tuple(_after(viewer, position, sheets[str(character.pk)], asks.get(character.pk)) for character in mine),
        pending_allocations(owed), _learned(position, named),
        (lambda: RecoverAgainForm(viewer, hurt, initial={"characters": chosen}, auto_id="after_%s"))
        if recovers else None, on)


def _after(viewer: Viewer, position: Position, sheet: Sheet, asks: Link | None) -> PersonAfter:
    rules, character = viewer.campaign.rules.sheet, position.characters[sheet.id]
    held = {kind.name: kind.label.lower() for kind in rules.trait_kinds if kind.condition}
    lasts = tuple(
        Lasting(line.name, "", _held(line.name, held[line.kind], rules.notation(line.kind, line.now)))
        if line.kind in held else
        Lasting(line.name, rules.notation(line.kind, line.value), rules.notation(line.kind, line.now))
        for line in sheet.traits if line.damage or line.kind in held)
    player = str(character.player) if character.player else "NPC" if character.npc else ""
    return PersonAfter(sheet.id, sheet.name, player, lasts, rules.unable(sheet), asks)


def _held(name: str, kind: str, worth: str) -> str:
    """What something is worth that came in play; where that is no number, what it is, too, unless its name says so.

    >>> _held("Broken wrist", "consequence", "−6"), _held("Her father’s debt", "story hook", "open")
    ('−6', 'story hook, open')
    >>> _held("Mostly dead", "mostly dead", "mostly dead")
    ''
    """
    if worth.lower() == name.lower():
        return ""
    return worth if any(letter.isdigit() for letter in worth) else f"{kind}, {worth}"


def _learned(position: Position, named: set[str]) -> tuple[Learned, ...]:
    if not isinstance(position.procedure, AwardsExperience):
        return ()
    awards = position.procedure.awards(position.state)
    return tuple(Learned(position.sheets[award.who].name, award.about, award.what)
                 for award in awards if award.counts and award.who in named)
