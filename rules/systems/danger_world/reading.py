"""A sheet as Danger World reads one: its stats, boxes, danger level and aspects, and what changes them."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.sheet import Damage as Hurt
from rules.sheet import Effect, Raise, Sheet, Trait
from rules.systems.danger_world.aspects import CHILDREN, PRIMARIES, USES_BEFORE_CHILDREN
from rules.systems.danger_world.challenge import RANKS
from rules.systems.danger_world.track import FIRST_LEVEL, INJURED, ZONES, Damage, Zone, zone_of

STAT, BONUS, THREAT, SETBACK, ACT, LASTING = "stat", "bonus", "threat", "setback", "act", "lasting"
MOVE, BOXES, DANGER = "move", "boxes", "danger"
ASPECTS = ("primary", "secondary", "tertiary")
POINTS, GENERAL, KEPT = "points", "general", "kept"  # of a character; of the campaign


def of_kind(sheet: Sheet, kind: str) -> tuple[Trait, ...]:
    """The lines of one kind, in the sheet's order."""
    return tuple(trait for trait in sheet.traits if trait.kind == kind)


def level_of(sheet: Sheet) -> int:
    """The danger level; the first one where the sheet says nothing (DW-12)."""
    track = of_kind(sheet, DANGER)
    return max(FIRST_LEVEL, track[0].value) if track else FIRST_LEVEL


def raise_danger(sheet: Sheet, by: int) -> tuple[Effect, ...]:
    """The danger level so much higher, or lower down to the first one."""
    track = of_kind(sheet, DANGER)
    by = max(by, FIRST_LEVEL - level_of(sheet))
    return (Raise(track[0].id, by),) if track and by else ()


def box_line(sheet: Sheet, zone: Zone) -> Trait | None:
    """The line that holds a zone's boxes."""
    return next((trait for trait in of_kind(sheet, BOXES) if trait.name.casefold() == zone.name), None)


def filled(sheet: Sheet, zone: Zone) -> int:
    """How many boxes of a zone are filled; none where the sheet has no such boxes."""
    line = box_line(sheet, zone)
    return line.damage if line else 0


def damage_of(sheet: Sheet) -> Damage:
    """The boxes that are filled, and the stats that are lower by them, one entry for each rank lost."""
    lines = [box_line(sheet, zone) for zone in ZONES]
    # A zone that a sheet has no line for has no box to fill: a hit goes past it.
    filled = tuple(line.damage if line else zone.boxes for line, zone in zip(lines, ZONES, strict=True))
    return Damage(filled, tuple(stat.id for stat in of_kind(sheet, STAT) for _ in range(stat.damage)))


def to_boxes(sheet: Sheet, after: Damage) -> tuple[Effect, ...]:
    """What makes the sheet's boxes say what `after` says; stats are another matter."""
    before = damage_of(sheet)
    effects: list[Effect] = []
    for zone, was, now in zip(ZONES, before.filled, after.filled, strict=True):
        line = box_line(sheet, zone)
        if line and was != now:
            effects.append(Hurt(line.id, now - was))
    return tuple(effects)


def newly_injured(sheet: Sheet, after: Damage) -> int:
    """How many boxes of injury are filled by a hit that were not."""
    return after.filled[INJURED.rank - 1] - damage_of(sheet).filled[INJURED.rank - 1]


def rank_at(level: int) -> int:
    """The most danger dice at a danger level (DW-08)."""
    return zone_of(level).rank


def dice(number: int, kind: str = "") -> str:
    """So many dice in words.

    >>> dice(1, "threat"), dice(3)
    ('1 threat die', '3 dice')
    """
    return f"{number} {kind + ' ' if kind else ''}{'die' if number == 1 else 'dice'}"


def botches(number: int) -> str:
    """So many botches in words: `1 botch`, `3 botches`."""
    return f"{number} {'botch' if number == 1 else 'botches'}"


def rank_word(height: int) -> str:
    """What a set of this height is worth: `meaningful`."""
    return RANKS.get(height, "trifling" if height < min(RANKS) else "beyond monumental")


@dataclass(frozen=True)
class Branch:
    """An aspect in its tree: how far down it stands, and whether it may have one more beneath it."""

    trait: Trait
    depth: int
    open: bool
    beneath: str  # what keeps it from another one, in words; "" where it may have one

    @property
    def uses(self) -> str:
        """How often it was used."""
        words = {0: "not used yet", 1: "used once", 2: "used twice"}
        return words.get(self.trait.value, f"used {self.trait.value} times")


def branches(sheet: Sheet) -> Iterator[Branch]:
    """The aspects in the order of the tree; one whose parent is not on the sheet comes last (DW-11)."""
    placed: set[str] = set()
    for primary in of_kind(sheet, ASPECTS[0]):
        for branch in _under(sheet, primary, 0):
            placed.add(branch.trait.id)
            yield branch
    for depth, kind in enumerate(ASPECTS):
        for trait in of_kind(sheet, kind):
            if trait.id not in placed:
                yield _branch(sheet, trait, depth)


def _under(sheet: Sheet, trait: Trait, depth: int) -> Iterator[Branch]:
    yield _branch(sheet, trait, depth)
    for child in children(sheet, trait):
        yield from _under(sheet, child, depth + 1)


def _branch(sheet: Sheet, trait: Trait, depth: int) -> Branch:
    room = CHILDREN[depth] - len(children(sheet, trait))
    if room <= 0:
        why = "" if depth == len(ASPECTS) - 1 else "It has all that it can have beneath it."
        return Branch(trait, depth, False, why)
    uses = USES_BEFORE_CHILDREN - trait.value
    if uses > 0:
        how_often = "once more" if uses == 1 else "twice"
        return Branch(trait, depth, False, f"Use it {how_often} to unlock an aspect beneath it.")
    return Branch(trait, depth, True, "")


def children(sheet: Sheet, parent: Trait) -> tuple[Trait, ...]:
    """The aspects right beneath one: the lines that stand in it."""
    return tuple(trait for trait in sheet.traits if trait.parent == parent.id and trait.kind in ASPECTS)


def room_for_primary(sheet: Sheet) -> bool:
    """Whether a primary aspect is still unknown (DW-11)."""
    return len(of_kind(sheet, ASPECTS[0])) < PRIMARIES


def growable(sheet: Sheet) -> tuple[tuple[str, str], ...]:
    """Where an aspect may be declared now: (id of the parent, words), "new" for the unknown primary."""
    rows = [(branch.trait.id, f"{branch.trait.name}, as a {ASPECTS[branch.depth + 1]} one")
             for branch in branches(sheet) if branch.open]
    return (*((("new", "The one that was unknown"),) if room_for_primary(sheet) else ()), *rows)
