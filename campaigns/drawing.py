"""What pages draw: dice, bars, pips and scales as numbers for SVG templates, each with the sentence it stands for."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import cos, pi, sin
from typing import Any

from rules.wording import odds_in_words, percent

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)

# Where the pips of a d6 lie on a field of 48 by 48.
NEAR, MIDDLE, FAR = 14, 24, 34
PIPS = {
    1: [(MIDDLE, MIDDLE)],
    2: [(NEAR, FAR), (FAR, NEAR)],
    3: [(NEAR, FAR), (MIDDLE, MIDDLE), (FAR, NEAR)],
    4: [(NEAR, NEAR), (NEAR, FAR), (FAR, NEAR), (FAR, FAR)],
    5: [(NEAR, NEAR), (NEAR, FAR), (MIDDLE, MIDDLE), (FAR, NEAR), (FAR, FAR)],
    6: [(NEAR, NEAR), (NEAR, MIDDLE), (NEAR, FAR), (FAR, NEAR), (FAR, MIDDLE), (FAR, FAR)],
}

# What tells roles apart without colour: a sign at the corner of the die.
SIGNS = {"bonus": "+", "penalty": "−", "danger": "!", "threat": "◆"}

MOST_PIPS = 12
MOST_STEPS = 4  # shades of one tone in an odds bar


def ring_of(corners: int, start: float = -pi / 2, radius: float = 22, middle: tuple[float, float] = (24, 24)) -> str:
    """The corners of a regular polygon, as an SVG's `points`."""
    turns = [start + 2 * pi * corner / corners for corner in range(corners)]
    return " ".join(f"{middle[0] + radius * cos(turn):.1f},{middle[1] + radius * sin(turn):.1f}" for turn in turns)


# The outline that one knows a die by; a d6 is a square, and what has no outline here is drawn round.
OUTLINES = {
    4: ring_of(3, radius=25, middle=(24, 28)),
    8: ring_of(4),
    10: "24,2 45,20 45,28 24,46 3,28 3,20",
    12: ring_of(5, radius=23, middle=(24, 25)),
    20: ring_of(6),
}


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """One die, ready to be drawn and to be heard."""

    sides: int
    face: int
    role: str
    kept: bool

    @property
    def pips(self) -> Sequence[tuple[int, int]]:
        return PIPS.get(self.face, ()) if self.sides == 6 else ()

    @property
    def outline(self) -> str:
        return OUTLINES.get(self.sides, "")

    @property
    def sign(self) -> str:
        return SIGNS.get(self.role, "")

    @property
    def low(self) -> int:
        """Where the foot of the number stands: lower in a triangle, whose middle is lower."""
        return 37 if self.sides == 4 else 31

    @property
    def heard(self) -> str:
        """`six, kept`, or `danger: three, dropped`."""
        face = NUMBERS[self.face] if 0 <= self.face < len(NUMBERS) else str(self.face)
        role = f"{self.role}: " if self.role and not self.role.isdigit() else ""
        return f"{role}{face}, {'kept' if self.kept else 'dropped'}"


def a_die(sides: int, face: int, role: str = "", kept: bool = True) -> DrawnDie:
    """A die to be drawn, from what a template gives."""
    return DrawnDie(int(sides), int(face), str(role or ""), bool(kept))


def by_role(dice: Iterable[Any]) -> list[tuple[str, list[DrawnDie]]]:
    """Dice (objects or mappings) in the order in which they lie, in groups of one role each."""
    read = []
    for die in dice or ():
        given = die if isinstance(die, Mapping) else {
            name: getattr(die, name) for name in ("sides", "face", "role", "kept") if hasattr(die, name)
        }
        read.append(a_die(given["sides"], given["face"], given.get("role", ""), given.get("kept", True)))
    return [("" if role.isdigit() else role, list(group)) for role, group in groupby(read, key=lambda die: die.role)]


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of an odds bar; `at` and `wide` in hundredths of it, `step` its place among those of its tone."""

    label: str
    tone: str
    at: float
    wide: float
    percent: str
    exact: str
    step: int = 0

    @property
    def fill(self) -> str:
        """What its fill is called: those of one tone are told apart, the first is the strongest."""
        return f"{self.tone} step-{self.step}" if self.step else self.tone

    @property
    def legible(self) -> bool:
        """Whether its share can be read in it; the key says it anyway."""
        return self.wide >= 18 and not (self.tone == "good" and self.step)

    @property
    def middle(self) -> float:
        return self.at + self.wide / 2


def segments(odds: Iterable[tuple[Any, ...]]) -> list[Segment]:
    """The parts of an odds bar from (label, chance, tone); the tone is good, fair or bad."""
    parts: list[Segment] = []
    at, steps = 0.0, Counter[str]()
    for label, chance, *rest in odds or ():
        tone = rest[0] if rest else "fair"
        wide = float(chance) * 100
        exact = odds_in_words(chance) if isinstance(chance, Fraction) else ""
        share = percent(Fraction(str(chance)))
        parts.append(Segment(str(label), tone, at, wide, share, exact, min(steps[tone], MOST_STEPS)))
        at += wide
        steps[tone] += 1
    return parts


def tally(count: int) -> list[tuple[int, int, int, int]]:
    """Tally marks as lines (x1, y1, x2, y2), 20 high: four upright, the fifth across."""
    lines = []
    for index in range(count):
        start, place = 34 * (index // 5), index % 5
        x = start + 4 + 6 * place
        lines.append((start, 16, start + 26, 4) if place == 4 else (x, 2, x, 18))
    return lines


def tally_width(count: int) -> int:
    """How wide `tally(count)` is drawn."""
    full, rest = divmod(count, 5)
    return 34 * full + (6 * rest + 2 if rest else -6)


def minus(number: int) -> str:
    """A number with a true minus sign."""
    return str(number).replace("-", "−")


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a track: its number as written, whether it is filled, and where it stands."""

    number: str
    filled: bool
    here: bool
    x: int
    label: str = ""


def boxes(value: int, low: int, high: int, labels: Mapping[int, str]) -> list[Box]:
    """The boxes from `low` to `high`, filled from zero (or from `low`, where zero is not on the scale) to `value`."""
    start = min(max(0, low), high)
    low_end, high_end = sorted((start, value))
    return [
        Box(minus(number), low_end <= number <= high_end and (number != 0 or value == 0 or low == 0) and value >= low,
            number == value, index * 32, labels.get(number, ""))
        for index, number in enumerate(range(low, high + 1))
    ]
