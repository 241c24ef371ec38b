"""What the rules propose to do to sheets, done to the rows inside an open entry."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from campaigns.errors import Refused
from campaigns.trail import Draft
from characters.cast import NOBODY, Cast
from characters.models import Character, Pool, Trait
from rules.sheet import (
    Become,
    ChangeSetting,
    Damage,
    Effect,
    Enter,
    Gain,
    Lose,
    NewAllocation,
    Obstruct,
    Raise,
    Refill,
    SetDead,
    Spend,
    SpendShared,
    TraitDraft,
    Transfer,
    UseWaiting,
)

MOST_DAMAGE = 999
MOST_IN_POOL = 9999
MOST_VALUE = 9999


def apply(entry: Draft, effects: Iterable[Effect], cast: Cast = NOBODY) -> None:
    """Applies effects in their order; `Refused`, with a sentence, where one would leave what a sheet can hold.

    Rows are read under the entry's lock, so what is checked here is what is written; those of `cast` were read so
    already.
    """
    effects = tuple(effects)
    traits, numbers, pools = _traits(entry, effects, cast), _Numbers(entry), _Pools(entry, effects, cast)
    named = (effect.sheet for effect in effects if isinstance(effect, (Gain, SetDead)))
    who = _characters(entry, [*pools.new, *named], cast)
    gains, lost = _Gains(entry, cast), dict[uuid.UUID, Trait]()
    for effect in effects:
        if not isinstance(effect, (Damage, Raise, Spend, Gain, Lose)):
            numbers.write()
        match effect:
            case Damage():
                numbers.damage(traits[effect.trait], effect)
            case Raise():
                numbers.raise_(traits[effect.trait], effect.by)
            case Spend():
                pools.spend(effect)
            case Gain():
                gains.gain(who[_id(effect.sheet)], effect, traits)
            case Lose():
                lost[traits[effect.trait].pk] = traits[effect.trait]
            case SetDead():
                entry.change(who[_id(effect.sheet)], dead=effect.dead)
            case Become():
                _become(entry, traits[effect.trait], effect)
            case Enter():
                _enter(entry, effect)
            case SpendShared() | Refill() | ChangeSetting() | Transfer() | NewAllocation() | Obstruct() | (
                UseWaiting()):
                raise LookupError("Pools of the campaign are spent at the table, by `play.services.pools.apply`.")
            case _:
                assert_never(effect)
    for writes in (numbers, pools, gains):
        writes.write()
    _lose(entry, lost, cast)


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
            raise Refused(f"{trait.name} has {now} damage; {-by} can’t be healed.", "traits")
        if now + by > MOST_DAMAGE:
            raise Refused(f"{trait.name} can’t take so much damage.", "traits")
        # What was lost for now comes back before a wound does.
        if by < 0 or effect.failure:
            failures = max(0, failures + by)
        self._changed[trait] = {**changed, "damage": now + by, "failures": failures}

    def raise_(self, trait: Trait, by: int) -> None:
        """A value that rises, or falls; `Refused` where a sheet can't hold it."""
        now = self._changed.get(trait, {}).get("value", trait.value)
        if abs(now + by) > MOST_VALUE:
            raise Refused(f"{trait.name} can’t change by so much.", "traits")
        self._changed.setdefault(trait, {})["value"] = now + by

    def write(self) -> None:
        """Writes what has changed so far."""
        self._entry.change_all(self._changed)
        self._changed = {}


class _Pools:
    """What sheets hold in pools while effects change it: read once, written once."""

    def __init__(self, entry: Draft, effects: Iterable[Effect], cast: Cast) -> None:
        self._entry = entry
        self._rows = _pools(entry, effects, cast)
        self._becomes: dict[tuple[str, str], int] = {}
        self.new = [effect.sheet for effect in effects
                    if isinstance(effect, Spend) and (effect.sheet, effect.pool) not in self._rows]

    def spend(self, effect: Spend) -> None:
        """Puts points in, or takes them out; `Refused` where it holds too few or too many then."""
        key = (effect.sheet, effect.pool)
        kind = next((kind for kind in self._entry.campaign.rules.sheet.pools if kind.name == effect.pool), None)
        if kind is None:
            raise Refused("This game has no such pool.", "pool")
        held = self._becomes.get(key, self._rows[key].value if key in self._rows else 0)
        value = held + effect.by
        if value < 0:
            raise Refused(f"There is not enough {kind.label.lower()}: {held} left, {-effect.by} wanted.", "amount")
        if value > MOST_IN_POOL:
            raise Refused(f"A pool holds {MOST_IN_POOL} at most.", "amount")
        self._becomes[key] = value

    def write(self) -> None:
        """Writes what has changed."""
        known = {key: value for key, value in self._becomes.items() if key in self._rows}
        if known:
            self._entry.change_all({self._rows[key]: {"value": value} for key, value in known.items()})
        self._entry.create_all(
            Pool(campaign=self._entry.campaign, character_id=_id(sheet), name=pool, value=value)
            for (sheet, pool), value in self._becomes.items() if value and (sheet, pool) not in known)


class _Gains:
    """Lines that come new, below all that stand on their sheet; they are written together."""

    def __init__(self, entry: Draft, cast: Cast) -> None:
        self._entry, self._lines = entry, cast.traits
        self._known = cast.characters.keys()
        self._free: dict[str, int] = {}  # the first free place on each sheet
        self._made: list[Trait] = []

    def gain(self, character: Character, effect: Gain, parents: Mapping[str, Trait]) -> None:
        """A line, with those that stand in it."""
        place = self._free.get(effect.sheet)
        place = self._below(character) if place is None else place
        line = _line(self._entry, character, effect, place, parents[effect.parent] if effect.parent else None)
        inner = [_line(self._entry, character, gain, place + 1 + at, line) for at, gain in enumerate(effect.lines)]
        self._made += [line, *inner]
        self._free[effect.sheet] = place + 1 + len(inner)

    def _below(self, character: Character) -> int:
        pk = str(character.pk)
        if pk in self._known:
            return max((line.place + 1 for line in self._lines.get(pk, ())), default=0)
        last = Trait.objects.filter(character=character).order_by("-place").values_list("place", flat=True).first()
        return 0 if last is None else last + 1

    def write(self) -> None:
        """Writes those that came so far."""
        self._entry.create_all(self._made)
        self._made = []


def _line(entry: Draft, character: Character, said: Gain | TraitDraft, place: int, parent: Trait | None) -> Trait:
    return Trait(
        campaign=entry.campaign, character=character, kind=entry.campaign.rules.sheet.trait_kind(said.kind).name,
        name=said.name, value=said.value, note=said.note, place=place, parent=parent,
    )


def _enter(entry: Draft, effect: Enter) -> None:
    """An NPC that play brought in, in plain sight; its own id finds the entry."""
    character = entry.create(Character(
        campaign=entry.campaign, name=effect.name[:120], concept=effect.concept[:200], npc=True))
    hosts: dict[str, Trait] = {}
    made = []
    for place, line in enumerate(effect.lines):
        made.append(_line(entry, character, line, place, hosts.get(line.within.casefold())))
        hosts.setdefault(line.name.casefold(), made[-1])
    entry.create_all(made)


def _become(entry: Draft, trait: Trait, effect: Become) -> None:
    kind = entry.campaign.rules.sheet.trait_kind(effect.kind).name
    entry.change(trait, kind=kind, **({"name": effect.name} if effect.name else {}))


def _lose(entry: Draft, lost: Mapping[uuid.UUID, Trait], cast: Cast) -> None:
    """What belongs to a line leaves with it, and before it."""
    if {str(trait.character_id) for trait in lost.values()} <= cast.characters.keys():
        lines = [line for pk in {str(row.character_id) for row in lost.values()} for line in cast.traits.get(pk, ())]
        within = [line for line in lines if line.parent_id in lost and line.pk not in lost]
    else:
        within = list(Trait.objects.filter(campaign_id=entry.campaign.pk, parent__in=lost).exclude(pk__in=lost))
    inner = [trait for trait in lost.values() if trait.parent_id in lost]
    entry.trust(*within)
    entry.remove(*within, *inner)
    entry.remove(*(trait for trait in lost.values() if trait.parent_id not in lost))


def _characters(entry: Draft, wanted: Iterable[str], cast: Cast) -> dict[uuid.UUID, Character]:
    """The rows of these sheets; `Refused` where one is not of this campaign."""
    ids = {_id(sheet) for sheet in wanted}
    characters = {character.pk: character for character in cast.characters.values()}
    entry.trust(*characters.values())
    if missing := ids - set(characters):
        rows = list(Character.objects.filter(campaign=entry.campaign, pk__in=missing))
        entry.trust(*rows)
        characters |= {row.pk: row for row in rows}
    if ids - set(characters):
        raise Refused("This no longer exists. Reload the page.")
    return characters


def _traits(entry: Draft, effects: Iterable[Effect], cast: Cast) -> dict[str, Trait]:
    ids = {str(_id(effect.trait)) for effect in effects if isinstance(effect, (Damage, Raise, Lose, Become))}
    ids |= {str(_id(effect.parent)) for effect in effects if isinstance(effect, Gain) and effect.parent}
    traits = {str(trait.pk): trait for lines in cast.traits.values() for trait in lines}
    entry.trust(*traits.values())
    if missing := ids - set(traits):
        rows = list(Trait.objects.filter(campaign_id=entry.campaign.pk, pk__in=missing))
        entry.trust(*rows)
        traits |= {str(trait.pk): trait for trait in rows}
    if ids - set(traits):
        raise Refused("A trait of the sheet no longer exists. Reload the page.", "traits")
    return traits


def _pools(entry: Draft, effects: Iterable[Effect], cast: Cast) -> dict[tuple[str, str], Pool]:
    """What is in the pools that effects fill and empty. Of whoever is in the cast every pool is known."""
    pools = {(str(pool.character_id), pool.name): pool for held in cast.pools.values() for pool in held}
    entry.trust(*pools.values())
    if missing := {str(_id(effect.sheet)) for effect in effects if isinstance(effect, Spend)} - cast.characters.keys():
        rows = list(Pool.objects.filter(campaign_id=entry.campaign.pk, character_id__in=missing))
        entry.trust(*rows)
        pools |= {(str(pool.character_id), pool.name): pool for pool in rows}
    return pools


def _id(text: Any) -> uuid.UUID:
    try:
        return uuid.UUID(str(text))
    except ValueError:
        raise Refused("This no longer exists. Reload the page.") from None
