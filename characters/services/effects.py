"""What the rules propose to do to sheets, done to the rows inside an open entry."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any, assert_never

from campaigns.errors import Refused
from campaigns.trail import Draft
from characters.models import Character, Pool, Trait
from rules.sheet import (
    Become,
    Damage,
    Effect,
    Enter,
    Gain,
    Lose,
    Owe,
    Raise,
    Refill,
    SetDead,
    SetDial,
    Spend,
    SpendShared,
    TraitDraft,
    Transfer,
)

MOST_DAMAGE = 999
MOST_IN_POOL = 9999
MOST_VALUE = 9999


def apply(
    entry: Draft, effects: Iterable[Effect], lines: Iterable[Trait] = (), counts: Iterable[Pool] = ()
) -> None:
    """Applies effects in their order; `Refused`, with a sentence, where one would leave what a sheet can hold.

    Rows are read under the entry's lock, so what is checked here is what is written. `lines` and `counts` are those
    that were read so already.
    """
    effects, lines, counts = tuple(effects), tuple(lines), tuple(counts)
    entry.trust(*lines, *counts)
    traits = _traits(entry, effects, lines)
    pools = _pools(entry, effects, counts)
    numbers = _Numbers(entry)
    for effect in effects:
        if not isinstance(effect, (Damage, Raise)):
            numbers.write()
        match effect:
            case Damage():
                numbers.damage(traits[effect.trait], effect)
            case Raise():
                numbers.raise_(traits[effect.trait], effect.by)
            case Spend():
                _spend(entry, pools, effect)
            case Gain():
                _gain(entry, effect)
            case Lose():
                _lose(entry, traits[effect.trait])
            case SetDead():
                entry.change(_character(entry, effect.sheet), dead=effect.dead)
            case Become():
                _become(entry, traits[effect.trait], effect)
            case Enter():
                _enter(entry, effect)
            case SpendShared() | Refill() | SetDial() | Transfer() | Owe():
                raise LookupError("What the campaign holds is spent at the table, by `play.services.pools.apply`.")
            case _:
                assert_never(effect)
    numbers.write()


class _Numbers:
    """Values and damage of lines that change in a row: they are written together."""

    def __init__(self, entry: Draft) -> None:
        self._entry = entry
        self._changed: dict[Trait, dict[str, int]] = {}

    def damage(self, trait: Trait, effect: Damage) -> None:
        """Damage that is taken, or healed; `Refused` where there is not so much of it."""
        changed, by = self._changed.get(trait, {}), effect.by
        now, failures = changed.get("damage", trait.damage), changed.get("failures", trait.failures)
        if now + by < 0:
            raise Refused(f"{trait.name} has {now} damage; {-by} can't be healed.", "traits")
        if now + by > MOST_DAMAGE:
            raise Refused(f"{trait.name} can't take so much damage.", "traits")
        # What was lost for now comes back before a wound does.
        if by < 0 or effect.failure:
            failures = max(0, failures + by)
        self._changed[trait] = {**changed, "damage": now + by, "failures": failures}

    def raise_(self, trait: Trait, by: int) -> None:
        """A value that rises, or falls; `Refused` where a sheet can't hold it."""
        now = self._changed.get(trait, {}).get("value", trait.value)
        if abs(now + by) > MOST_VALUE:
            raise Refused(f"{trait.name} can't change by so much.", "traits")
        self._changed.setdefault(trait, {})["value"] = now + by

    def write(self) -> None:
        """Writes what has changed so far."""
        self._entry.change_all(self._changed)
        self._changed = {}


def _spend(entry: Draft, pools: dict[tuple[str, str], Pool], effect: Spend) -> None:
    key = (effect.sheet, effect.pool)
    kind = next((kind for kind in entry.campaign.rules.sheet.pools if kind.name == effect.pool), None)
    if kind is None:
        raise Refused("This game has no such pool.", "pool")
    held = pools[key].value if key in pools else 0
    value = held + effect.by
    if value < 0:
        raise Refused(f"There is not enough {kind.label.lower()}: {held} left, {-effect.by} wanted.", "amount")
    if value > MOST_IN_POOL:
        raise Refused(f"A pool holds {MOST_IN_POOL} at most.", "amount")
    if key in pools:
        entry.change(pools[key], value=value)
    elif value:
        character = _character(entry, effect.sheet)
        pool = Pool(campaign_id=entry.campaign.pk, character=character, name=effect.pool, value=value)
        pools[key] = entry.create(pool)


def _gain(entry: Draft, effect: Gain) -> None:
    character = _character(entry, effect.sheet)
    places = Trait.objects.filter(character=character).order_by("-place").values_list("place", flat=True)
    last = places.first()
    first = 0 if last is None else last + 1
    parent = entry.fresh(Trait, pk=_id(effect.parent), character=character) if effect.parent else None
    line = _line(entry, character, effect, first, parent)
    for place, inner in enumerate(effect.lines, first + 1):
        _line(entry, character, inner, place, line)


def _line(entry: Draft, character: Character, said: Gain | TraitDraft, place: int, parent: Trait | None) -> Trait:
    return entry.create(Trait(
        campaign_id=entry.campaign.pk, character=character, kind=entry.campaign.rules.sheet.trait_kind(said.kind).name,
        name=said.name, value=said.value, note=said.note, place=place, parent=parent,
    ))


def _enter(entry: Draft, effect: Enter) -> None:
    """An NPC that play brought in, in plain sight; its own id finds the entry."""
    character = entry.create(Character(
        campaign=entry.campaign, name=effect.name[:120], concept=effect.concept[:200], npc=True))
    hosts: dict[str, Trait] = {}
    for place, line in enumerate(effect.lines):
        made = _line(entry, character, line, place, hosts.get(line.within.casefold()))
        hosts.setdefault(line.name.casefold(), made)


def _become(entry: Draft, trait: Trait, effect: Become) -> None:
    kind = entry.campaign.rules.sheet.trait_kind(effect.kind).name
    entry.change(trait, kind=kind, **({"name": effect.name} if effect.name else {}))


def _lose(entry: Draft, trait: Trait) -> None:
    """What belongs to a line leaves with it."""
    for each in Trait.objects.filter(campaign_id=entry.campaign.pk, parent=trait):
        entry.remove(each)
    entry.remove(trait)


def _character(entry: Draft, sheet: str) -> Character:
    return entry.fresh(Character, pk=_id(sheet))


def _traits(entry: Draft, effects: Iterable[Effect], known: Iterable[Trait]) -> dict[str, Trait]:
    ids = {str(_id(each.trait)) for each in effects if isinstance(each, (Damage, Raise, Lose, Become))}
    found = {str(trait.pk): trait for trait in known}
    if missing := ids - set(found):
        rows = list(Trait.objects.filter(campaign_id=entry.campaign.pk, pk__in=missing))
        entry.trust(*rows)
        found |= {str(trait.pk): trait for trait in rows}
    if ids - set(found):
        raise Refused("A line of the sheet is no longer there. Load the page again.", "traits")
    return found


def _pools(entry: Draft, effects: Iterable[Effect], known: Iterable[Pool]) -> dict[tuple[str, str], Pool]:
    found = {(str(pool.character_id), pool.name): pool for pool in known}
    wanted = {(str(_id(each.sheet)), each.pool) for each in effects if isinstance(each, Spend)}
    if missing := {sheet for sheet, pool in wanted if (sheet, pool) not in found}:
        rows = list(Pool.objects.filter(campaign_id=entry.campaign.pk, character_id__in=missing))
        entry.trust(*rows)
        found |= {(str(pool.character_id), pool.name): pool for pool in rows}
    return found


def _id(text: Any) -> uuid.UUID:
    try:
        return uuid.UUID(str(text))
    except ValueError:
        raise Refused("This is no longer there. Load the page again.") from None
