"""The danger track, and the boxes that hits fill (DW-12 to DW-15)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from rules.values import BadMove

FIRST_LEVEL = 1  # at the start of an episode, which may be one session or more
LEVELS_IN_ZONE = 5


@dataclass(frozen=True)
class Zone:
    """A zone of the track: its rank is the most danger dice, its boxes are what hits fill; `rest` clears them."""

    rank: int
    name: str
    boxes: int
    rest: str
    does: str


BASHED = Zone(1, "bashed", 3, "short", "One more threat die for each box.")
STUNNED = Zone(2, "stunned", 3, "short", "One die fewer for each box.")
INJURED = Zone(3, "injured", 3, "long", "One stat, chosen by a roll, is one lower for each box.")
KNOCKED_OUT = Zone(4, "knocked out", 1, "short", "Unconscious: no actions.")
DEAD = Zone(5, "dead", 1, "", "No rest brings back the dead.")
ZONES = (BASHED, STUNNED, INJURED, KNOCKED_OUT, DEAD)


def zone_of(level: int) -> Zone:
    """The zone of a danger level: five levels each, the last one without end (DW-12). Raises `BadMove` under 1."""
    if level < FIRST_LEVEL:
        raise BadMove("A danger level is 1 or more.", "level")
    return ZONES[min(len(ZONES), (level - 1) // LEVELS_IN_ZONE + 1) - 1]


class Hit(Enum):
    """How hard a hit is."""

    REDUCED = "reduced"
    FULL = "full"
    OVERLOAD = "overload"


@dataclass(frozen=True)
class Damage:
    """Boxes filled in each zone, and the stats that injured boxes lower, one each."""

    filled: tuple[int, ...] = (0,) * len(ZONES)
    lowered: tuple[str, ...] = ()

    def open(self, zone: Zone) -> int:
        """How many boxes of a zone are open."""
        return zone.boxes - self.filled[zone.rank - 1]

    @property
    def out(self) -> bool:
        """Whether the character can do nothing: knocked out or dead."""
        return any(self.filled[zone.rank - 1] for zone in (KNOCKED_OUT, DEAD))

    @property
    def to_lower(self) -> int:
        """Injured boxes for which no stat was drawn yet: each wants an eight-sided die."""
        return self.filled[INJURED.rank - 1] - len(self.lowered)

    def lower(self, stats: Sequence[str], faces: Sequence[int]) -> Damage:
        """The damage with a stat drawn for each injured box that has none; raises `BadMove` for too many dice."""
        if len(faces) > self.to_lower:
            raise BadMove(f"There are {self.to_lower} injured boxes without a stat.", "dice")
        return replace(self, lowered=self.lowered + tuple(stats[face - 1] for face in faces))


def after_hit(damage: Damage, hit: Hit, level: int) -> Damage:
    """The damage after a hit at this danger level (DW-13). *Ruling*: a full zone passes it on to the next.

    With nothing open from there on, the hit finds no box and changes nothing.
    """
    here = zone_of(level)
    if hit is Hit.REDUCED:
        return _fill_from(damage, BASHED)
    if hit is Hit.OVERLOAD:
        filled = tuple(zone.boxes if zone.rank < here.rank else damage.filled[zone.rank - 1] for zone in ZONES)
        damage = replace(damage, filled=filled)
    return _fill_from(damage, here)


def _fill_from(damage: Damage, zone: Zone) -> Damage:
    for lower in ZONES[zone.rank - 1 :]:
        if damage.open(lower):
            return _with(damage, lower, damage.filled[lower.rank - 1] + 1)
    return damage


def after_rest(damage: Damage, rest: str) -> Damage:
    """The damage after a `short` or a `long` rest; a long one clears what a short one does too (DW-14)."""
    if rest not in ("short", "long"):
        raise BadMove("A rest is short or long.", "rest")
    for zone in ZONES:
        if zone.rest in ("short", rest):
            damage = _with(damage, zone, 0)
    return damage


def _with(damage: Damage, zone: Zone, filled: int) -> Damage:
    boxes = (*damage.filled[: zone.rank - 1], filled, *damage.filled[zone.rank :])
    # A stat rises again with its box, the last one lowered first.
    lowered = damage.lowered[:filled] if zone is INJURED else damage.lowered
    return Damage(boxes, lowered)


class LongTerm(Enum):
    """What may stay with a character after a campaign, from the lightest to the last (DW-15)."""

    TEMPORARY_LOSS = 1
    TEMPORARY_INJURY = 2
    PERMANENT_LOSS = 3
    PERMANENT_INJURY = 4
    KILLED = 5


def standing(acts: Sequence[tuple[int, int]]) -> int:
    """Gains less losses over the acts, each a pair of them: over 0 speaks for an advantage that lasts (DW-15)."""
    return sum(gains - losses for gains, losses in acts)
