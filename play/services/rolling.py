"""Rolls: from what a person tapped to faces, an outcome, and its entry."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.statements import compiled_once
from characters.cast import NOBODY, Cast, cast_of, under_lock
from characters.models import Character, Trait
from characters.services.common import GROWTH
from play.models import PendingModifier
from play.services import asked_rolls, typed_dice, uses
from play.services.obstacles import InTheWay
from play.services.pools import apply
from rules.moves import MoveKind, Need, Outcome
from rules.registry import SYSTEMS, kind_of
from rules.sheet import Sheet
from rules.sheet import Trait as Line
from rules.system import Allocates, Modifier, Opposes, System
from rules.tray import Teams
from rules.values import Value

ROLLS = trail.Filter("rolls", "Rolls")
for _system in SYSTEMS.values():
    _heals = _system.session.recovery if isinstance(_system.session, Allocates) else ""
    for _move in _system.rolls.moves:
        # A recovery roll heals; it is found as both.
        trail.declare(_move.name, _move.title, ROLLS, *([GROWTH] if _move.name == _heals else []), waits=True)


@dataclass(frozen=True)
class Intent:
    """What somebody is about to roll: the move, whose, with which traits and modifiers, and the rest of its fields."""

    move: str
    character_id: uuid.UUID
    traits: tuple[str, ...] = ()
    lines: tuple[Modifier, ...] = ()
    values: Mapping[str, Value] | None = None
    what: str = ""
    against: str = ""  # the trait of somebody else that stands for the difficulty
    in_the_way: InTheWay | None = None  # what it is rolled against, where the GM said that
    said_by: str = ""  # whose player says how hard it is, where nobody else did


@dataclass(frozen=True)
class RollRequest:
    """An intent with the sheets looked up: what the rules take, and what the trail will say of it."""

    kind: MoveKind[Any]
    given: dict[str, Value]
    picked: tuple[tuple[str, str, Line], ...]  # character's id, name, trait
    lines: tuple[Modifier, ...]
    against: tuple[str, str, Line] | None = None


def prepare(
    campaign: Campaign, intent: Intent, cast: Cast = NOBODY, *, pending_modifiers: Sequence[PendingModifier] = (),
    hidden: bool = False,
) -> RollRequest:
    """Looks the traits up as they are now and composes the move; raises `BadMove`.

    `cast` is who is known already, as they are now. `hidden` lets lines of hidden characters in: for the GM only.
    """
    system: System = campaign.rules
    wanted = (*intent.traits, *((intent.against,) if intent.against else ()))
    known = _owners(campaign, wanted, cast).sheets(hidden=hidden)
    picked = _picked(known, intent.traits)
    against = _picked(known, (intent.against,))[0] if intent.against else None
    values = dict(intent.values or {})
    if against and isinstance(system.rolls, Opposes):
        values |= system.rolls.opposing_fields(against[2], known[against[0]])
    team = list(dict.fromkeys(name for _, name, _ in picked))
    if len(team) > 1 and isinstance(system.rolls, Teams):
        values |= system.rolls.team_fields(team)
    lines = (*(Modifier(pending.kind, pending.amount, pending.reason) for pending in pending_modifiers), *intent.lines)
    given = system.rolls.compose(intent.move, [trait for _, _, trait in picked], lines, values)
    return RollRequest(kind_of(intent.move), given, picked, lines, against)


def _owners(campaign: Campaign, wanted: tuple[str, ...], cast: Cast) -> Cast:
    """Those whose lines are wanted: of the cast where all stand there, else as they are read now."""
    theirs = {str(line.pk): pk for pk, lines in cast.traits.items() for line in lines}
    if theirs.keys() >= set(wanted):
        return replace(cast, characters={theirs[each]: cast.characters[theirs[each]] for each in wanted})
    owners = Trait.objects.filter(campaign=campaign, pk__in=[uuid.UUID(each) for each in wanted])
    return cast_of(campaign, owners.values_list("character_id", flat=True))


def _picked(known: Mapping[str, Sheet], wanted: tuple[str, ...]) -> tuple[tuple[str, str, Line], ...]:
    lines = {line.id: (sheet.id, sheet.name, line) for sheet in known.values() for line in sheet.traits}
    if missing := [each for each in wanted if each not in lines]:
        raise Refused(f"{len(missing)} of these lines are no longer on a sheet. Reload the page.", "traits")
    return tuple(lines[each] for each in wanted)


def resolve(entry: trail.Draft, prepared: RollRequest, client_seed: str) -> Outcome:
    """Rolls what the move needs, as often as it asks, and keeps move and outcome in the entry."""
    move = prepared.kind.read(prepared.given)
    faces: list[int] = []
    while isinstance(answer := prepared.kind.resolve(move, tuple(faces)), Need):
        faces += entry.roll(answer.sides, client_seed)
    return answer


@trail.answers_once
def roll(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, client_seed: str, intent: Intent, hidden: bool = False,
    known: Cast = NOBODY, again: Callable[[Campaign], tuple[Intent, Cast]] | None = None, typed: Sequence[int] = (),
) -> Entry:
    """Makes a roll, with dice that were `typed` where there are any. Its character's player and the GM may; only the
    GM may hide one. Raises `BadMove`.

    `known` is what the request has read already of who may have a part in it. Where something moved since, both are
    read `again`, of the campaign as it is under the lock, which may raise to have nothing rolled.
    """
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind=intent.move) as entry:
        if again and known.head != entry.campaign.head_seq:
            intent, known = again(entry.campaign)
        typed_dice.use(entry, typed)
        cast = under_lock(entry, [intent.character_id], known)
        character = _roller(entry, cast.characters.get(str(intent.character_id)), hidden)
        entry.audience = trail.GM if hidden or character.hidden else trail.ALL
        what = intent.what or prepared_title(campaign, intent)
        entry.title = f"{character.name}: {what}"
        pending_modifiers = _pending(campaign.pk, character.pk)
        prepared = prepare(
            entry.campaign, intent, cast, pending_modifiers=pending_modifiers, hidden=entry.actor.may(Role.GM))
        outcome = resolve(entry, prepared, client_seed)
        _keep(entry, intent, prepared, character, outcome)
        entry.trust(*pending_modifiers)
        entry.change_all({pending_modifier: {"used": True} for pending_modifier in pending_modifiers})
        asked_rolls.meet(entry, intent.in_the_way, character)
        own = [line.id for owner, _, line in prepared.picked if owner == str(character.pk)]
        uses.learn(entry, character, own, intent.in_the_way.name if intent.in_the_way else "")
        _follow(entry, character, intent.move, outcome, what)
    return entry.written


@compiled_once
def _pending(campaign: uuid.UUID, character: uuid.UUID) -> QuerySet[PendingModifier]:
    return PendingModifier.objects.filter(campaign=campaign, character=character, used=False).order_by("pk")


def _roller(entry: trail.Draft, character: Character | None, hidden: bool) -> Character:
    """Whose roll it is, under the lock."""
    runs = entry.actor.may(Role.GM)
    if hidden and not runs:
        raise Refused("Only the GM can roll behind the screen.", "hidden")
    if character is None or (character.hidden and not runs):
        raise Refused("Choose one of your characters.", "character")
    if not runs and character.player_id != entry.actor.pk:
        raise Refused(f"{character.name} is not yours to roll for.", "character")
    if unable := entry.campaign.rules.sheet.unable(character.sheet()):
        raise Refused(unable, "character")
    return character


def prepared_title(campaign: Campaign, intent: Intent) -> str:
    """What a roll without words is called."""
    return kind_of(intent.move).title


def _keep(entry: trail.Draft, intent: Intent, prepared: RollRequest, character: Character, outcome: Outcome) -> None:
    system: System = entry.campaign.rules

    def record(picked: tuple[str, str, Line]) -> dict[str, Value]:
        _, name, trait = picked
        notation = system.sheet.notation(trait.kind, trait.now)
        return {"trait": trait.id, "of": name, "name": trait.name, "notation": notation}

    entry.index(character.pk, *(owner for owner, _, _ in prepared.picked))
    entry.move(
        {
            "given": prepared.given,
            "who": character.name,
            "what": intent.what,
            "picked": [record(each) for each in prepared.picked],
            "against": record(prepared.against) if prepared.against else None,
            "lines": [
                {"kind": line.kind, "label": _label(system, line), "amount": line.amount, "reason": line.reason,
                 **({"said_by": line.said_by} if line.said_by else {})}
                for line in prepared.lines
            ] + _how_hard(system, intent),
            **(intent.in_the_way.cited if intent.in_the_way else {}),
        },
        outcome,
    )


def _how_hard(system: System, intent: Intent) -> list[Value]:
    """That it is as hard as its player says, beside what else was said of the roll."""
    hard = {field.name: intent.values[field.name] for field in system.rolls.obstacle
            if intent.values and field.name in intent.values}
    if not (intent.said_by and hard):
        return []
    return [{"kind": "difficulty", "label": f"against {system.rolls.obstacle_words(hard)}", "amount": 1, "reason": "",
             "said_by": intent.said_by}]


def _label(system: System, line: Modifier) -> str:
    return next((kind.label for kind in system.modifiers if kind.name == line.kind), line.kind)


def _follow(entry: trail.Draft, character: Character, move: str, outcome: Outcome, what: str) -> None:
    """What the roll does to its character by the game's rules; what a sealed roll was about stays sealed."""
    if entry.audience != trail.ALL and not character.hidden:
        what = "A roll behind the screen"
    apply(entry, entry.campaign.rules.rolls.consequences(move, character.sheet(), outcome.result, what))
