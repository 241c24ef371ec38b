"""The danger track and the boxes as a picture: numbers for the drawing, and the sentence that says the same (DW-12)."""
from __future__ import annotations

from dataclasses import dataclass

from rules.sheet import Sheet
from rules.systems.danger_world.reading import DANGER, box_line, level_of, of_kind
from rules.systems.danger_world.track import DEAD, LEVELS_IN_ZONE, ZONES, zone_of

WIDE, GAP = 20, 8  # of a level's box, and between zones


@dataclass(frozen=True)
class Level:
    """One level of the track: where it is drawn, whether the danger has come so far."""

    number: int
    x: int
    reached: bool
    here: bool


@dataclass(frozen=True)
class ZoneView:
    """A zone: its levels, its boxes as filled or open, what it does."""

    rank: int
    name: str
    here: bool
    x: int
    wide: int
    levels: tuple[Level, ...]
    boxes: tuple[bool, ...]
    filled: int
    does: str
    rest: str
    line: str  # the id of the line on the sheet, "" where there is none
    last: bool  # whether only the GM fills and clears it


@dataclass(frozen=True)
class Track:
    """The whole picture."""

    level: int
    rank: int
    zones: tuple[ZoneView, ...]
    wide: int
    sentence: str
    line: str


def track(sheet: Sheet) -> Track:
    """The track of a character as it stands."""
    level, zones, x = level_of(sheet), [], 0
    here = zone_of(level)
    for zone in ZONES:
        last = zone is ZONES[-1]
        first = (zone.rank - 1) * LEVELS_IN_ZONE + 1
        # The last zone has no end: it is drawn as far as the danger has come.
        count = max(1, min(LEVELS_IN_ZONE, level - first + 1)) if last else LEVELS_IN_ZONE
        start = max(first, level - count + 1) if last else first
        numbers = range(start, start + count)
        numbered = tuple(Level(number, x + WIDE * index, number <= level, number == level)
                      for index, number in enumerate(numbers))
        line = box_line(sheet, zone)
        filled = line.damage if line else 0
        boxes = tuple(index < filled for index in range(zone.boxes)) if line else ()
        zones.append(ZoneView(zone.rank, zone.name, zone is here, x, WIDE * count, numbered, boxes, filled, zone.does,
                               zone.rest, line.id if line else "", zone is DEAD))
        x += WIDE * count + GAP
    hurt = ", ".join(f"{zone.name} {zone.filled} of {len(zone.boxes)}" for zone in zones if zone.filled)
    boxes_words = f"Filled: {hurt}." if hurt else "No box is filled."
    sentence = f"Danger level {level}, zone {here.rank} of {len(ZONES)}. {boxes_words}"
    lines = of_kind(sheet, DANGER)
    return Track(level, here.rank, tuple(zones), x - GAP, sentence, lines[0].id if lines else "")
