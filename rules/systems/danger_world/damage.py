"""Hits, rests and healing on a sheet: which boxes fill or open, and which stats sink or rise (DW-12 to DW-14)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.moves import Die, Need, Step
from rules.sheet import Damage as Hurt
from rules.sheet import Effect, Sheet, Trait
from rules.systems.danger_world.reading import (
    STAT,
    box_line,
    damage_of,
    level_of,
    newly_injured,
    of_kind,
    raise_danger,
    to_boxes,
)
from rules.systems.danger_world.track import (
    DEAD,
    FIRST_LEVEL,
    INJURED,
    KNOCKED_OUT,
    ZONES,
    Damage,
    Hit,
    Zone,
    after_hit,
    after_rest,
    zone_of,
)
from rules.values import BadMove


@dataclass(frozen=True)
class Suffered:
    """What came of a hit: effects, why, and the dice that chose the stats."""

    effects: tuple[Effect, ...]
    steps: tuple[Step, ...]
    dice: tuple[Die, ...] = ()


def suffer(sheet: Sheet, hit: Hit, faces: Sequence[int]) -> Suffered | Need:
    """A hit at the sheet's danger level; wants a die for each stat that an injury lowers."""
    zone = zone_of(level_of(sheet))
    words = {Hit.REDUCED: "from the left", Hit.FULL: f"in zone {zone.rank}, {zone.name}",
             Hit.OVERLOAD: f"in zone {zone.rank}, {zone.name}, and everywhere below it"}
    step = Step("DW-13", f"{sheet.name} takes {'an' if hit is Hit.OVERLOAD else 'a'} {hit.value} hit, {words[hit]}.")
    return change_boxes(sheet, after_hit(damage_of(sheet), hit, level_of(sheet)), step, faces)


def change_boxes(sheet: Sheet, after: Damage, first: Step, faces: Sequence[int]) -> Suffered | Need:
    """The sheet with its boxes as `after`, stats sinking with what is injured."""
    lowered = _lowered(sheet, max(0, newly_injured(sheet, after)), faces)
    if isinstance(lowered, Need):
        return lowered
    steps = [first, *_filled(sheet, after)]
    if len(steps) == 1:
        steps.append(Step("DW-13", "There is no box left to fill."))
    stats, dice = lowered
    steps += [Step("DW-14", f"{stat.name} is one lower until the injury heals.") for stat in stats]
    return Suffered((*to_boxes(sheet, after), *(Hurt(stat.id, 1) for stat in stats)), tuple(steps), dice)


def _lowered(sheet: Sheet, number: int, faces: Sequence[int]) -> tuple[list[Trait], tuple[Die, ...]] | Need:
    """The stats that sink, a die for each: any that still has a die is as likely as another."""
    taken: dict[str, int] = {}
    traits, dice, used = [], [], 0
    for _ in range(number):
        open_ = [stat for stat in of_kind(sheet, STAT) if stat.now - taken.get(stat.id, 0) > 0]
        if not open_:
            break
        if len(open_) == 1:
            stat = open_[0]
        else:
            if used == len(faces):
                return Need((len(open_),))
            stat = open_[faces[used] - 1]
            dice.append(Die(len(open_), faces[used], stat.name))
            used += 1
        taken[stat.id] = taken.get(stat.id, 0) + 1
        traits.append(stat)
    if used < len(faces):
        raise BadMove(f"Enter {used} dice; there are {len(faces)}.", "dice")
    return traits, tuple(dice)


def _filled(sheet: Sheet, after: Damage) -> Iterator[Step]:
    before = damage_of(sheet)
    for zone, was, now in zip(ZONES, before.filled, after.filled, strict=True):
        if now > was:
            yield Step("DW-14", f"{zone.name.capitalize()}: {now} of {zone.boxes}. {zone.does}")


def open_box(sheet: Sheet, zone: Zone, stat: str = "") -> tuple[Effect, ...]:
    """One box of a zone open again; with an injury a stat rises, the one that is named or the first that sank."""
    line = box_line(sheet, zone)
    if line is None or not line.damage:
        raise BadMove(f"No box is filled in the zone {zone.name}.", "zone")
    effects: list[Effect] = [Hurt(line.id, -1)]
    if zone is INJURED:
        low = [trait for trait in of_kind(sheet, STAT) if trait.damage]
        risen = next((trait for trait in low if trait.id == stat), low[0] if low else None)
        if risen:
            effects.append(Hurt(risen.id, -1))
    return tuple(effects)


def rest(sheet: Sheet, how: str) -> tuple[Effect, ...]:
    """A `short` or a `long` rest, or the end of an `episode`: a long one that brings the danger back to its start."""
    after = after_rest(damage_of(sheet), "short" if how == "short" else "long")
    effects = list(to_boxes(sheet, after))
    if how != "short":
        effects += [Hurt(stat.id, -stat.damage) for stat in of_kind(sheet, STAT) if stat.damage]
    if how == "episode":
        effects += raise_danger(sheet, FIRST_LEVEL - level_of(sheet))
    return tuple(effects)


def out_of_it(sheet: Sheet) -> str:
    """Why a character can't act, in words; "" for one who can (DW-14). The GM may say of anybody that they are dead."""
    if sheet.dead:
        return f"{sheet.name} is dead."
    for zone, words in ((DEAD, "is dead"), (KNOCKED_OUT, "is knocked out, until a short rest or a healer")):
        line = box_line(sheet, zone)
        if line and line.damage:
            return f"{sheet.name} {words}."
    return ""
