"""The dice of a roll: a d20 that may open, and three six-sided dice out of three to six (PN-02 to PN-05)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from rules.moves import Die, Need, Step
from rules.values import BadMove, Value
from rules.wording import signed

MOST_EXTRA = 3

# From the best band down: the lowest degree that still belongs to it. Whatever is under the last one is the worst.
BANDS = (
    (11, "divine intervention"), (8, "spectacular success"), (5, "great success"), (2, "sufficient success"),
    (-1, "partial success"), (-4, "sufficient failure"), (-7, "great failure"), (-10, "spectacular failure"),
)
WORST = "divine retribution"


def band_of(degree: int) -> str:
    """The band that a degree of success falls into (PN-03)."""
    return next((word for least, word in BANDS if degree >= least), WORST)


@dataclass(frozen=True)
class Roll:
    """What is rolled: penalty dice and bonus dice as counted up, and whether the d20 is open-ended."""

    penalty: int = 0
    bonus: int = 0
    open_ended: bool = True

    @property
    def net(self) -> int:
        """Dice left when penalties and bonuses cancel: over 0 a bonus, under 0 a penalty; three at most (PN-05)."""
        return max(-MOST_EXTRA, min(MOST_EXTRA, self.bonus - self.penalty))

    @property
    def dice(self) -> int:
        """How many six-sided dice fall; three of them count."""
        return 3 + abs(self.net)

    def opens(self, first: int) -> bool:
        """Whether a second d20 follows this first one (PN-04)."""
        return self.open_ended and first in (1, 20)


@dataclass(frozen=True)
class Fallen:
    """Dice as they lie: the d20, what followed an open one (None where nothing did), and the six-sided dice."""

    first: int
    second: int | None
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Thrown:
    """A roll with its faces, as `reckoning.settle` puts them together. `second` is the d20 that followed an open one,
    None where none did."""

    roll: Roll
    first: int
    second: int | None
    faces: tuple[int, ...]

    @property
    def d20(self) -> int:
        """What the d20 comes to, from −18 to 39 (PN-04)."""
        return opened(self.first, self.second)

    @property
    def kept(self) -> tuple[int, ...]:
        """The indices of the three six-sided dice that count: the lowest with a bonus, else the highest (PN-05)."""
        best_first = sorted(range(len(self.faces)), key=lambda i: self.faces[i] * (1 if self.roll.net > 0 else -1))
        return tuple(sorted(best_first[:3]))

    @property
    def d6(self) -> int:
        """The sum of the three dice that count."""
        return sum(self.faces[i] for i in self.kept)

    @property
    def degree(self) -> int:
        """By how much the d20 is over the three dice (PN-03)."""
        return self.d20 - self.d6

    def result(self) -> dict[str, Value]:
        """The contract's fields."""
        return result_of(self.first, self.d20, self.d6)

    def drawn(self, above: str = "", below: str = "") -> tuple[Die, ...]:
        """The dice as they lie; `above` and `below` name who rolled the d20 and who the others."""
        twenties = [Die(20, self.first, above)] + ([Die(20, self.second, above)] if self.second is not None else [])
        return (*twenties, *(Die(6, face, below, i in self.kept) for i, face in enumerate(self.faces)))

    def laid(self, above: str = "d20", below: str = "3d6") -> tuple[Die, ...]:
        """The same with bonus and penalty dice named: they are those that came after the third."""
        extra = "bonus" if self.roll.net > 0 else "penalty"
        drawn = self.drawn(above, below)
        sixes = len(drawn) - len(self.faces)
        return tuple(
            replace(die, role=extra) if place >= sixes + 3 else die for place, die in enumerate(drawn)
        )

    def steps(self, who: str = "") -> tuple[Step, ...]:
        """Why it came out so; `who` goes before each sentence."""
        steps = [*self._opening(who), *self._extra(who)]
        if self.first in (1, 20):
            always = "succeeds" if self.first == 20 else "fails"
            steps.append(Step("PN-02", say(who, f"the d20 shows {self.first}, which always {always}.")))
        else:
            verdict = "over it, a success" if self.degree > 0 else "not over it, a failure"
            steps.append(Step("PN-02", say(who, f"{self.d20} against {self.d6}: {verdict}.")))
        degree = f"a degree of {degree_text(self.degree)}: {band_of(self.degree)}"
        steps.append(Step("PN-03", say(who, f"{plain(self.d20)} less {self.d6} is {degree}.")))
        return tuple(steps)

    def _opening(self, who: str) -> list[Step]:
        if self.second is None:
            return []
        more = "counts 0" if self.second == 20 else "is added" if self.first == 20 else "is taken off"
        text = f"a {self.first} opens the d20; the {self.second} after it {more}: {plain(self.d20)}."
        return [Step("PN-04", say(who, text))]

    def _extra(self, who: str) -> list[Step]:
        roll = self.roll
        if not (roll.penalty or roll.bonus):
            return []
        counted = f"{roll.penalty} penalty and {roll.bonus} bonus"
        if not roll.net:
            return [Step("PN-05", say(who, f"{counted} cancel: three dice, as usual."))]
        kind, which = ("bonus", "lowest") if roll.net > 0 else ("penalty", "highest")
        most = ", the most there can be" if abs(roll.bonus - roll.penalty) > MOST_EXTRA else ""
        dice = f"{abs(roll.net)} {kind} {'die' if abs(roll.net) == 1 else 'dice'}"
        kept = ", ".join(str(self.faces[i]) for i in self.kept)
        text = f"{counted} leave {dice}{most}; the {which} three of {roll.dice} count: {kept}."
        return [Step("PN-05", say(who, text))]


def opened(first: int, second: int | None) -> int:
    """A d20 and what followed it: a 20 adds, a 1 subtracts, a second 20 counts 0 (PN-04)."""
    if second is None:
        return first
    more = 0 if second == 20 else second
    return first + more if first == 20 else first - more


def result_of(first: int, d20: int, d6: int) -> dict[str, Value]:
    """The fields of a result from the first d20 as it fell, what the d20 came to and the three dice."""
    degree = d20 - d6
    critical = {20: "success", 1: "failure"}.get(first)
    success = degree > 0 if critical is None else critical == "success"
    return {"d20": d20, "d6": d6, "degree": degree, "band": band_of(degree), "success": success, "critical": critical}


def draw(roll: Roll, faces: Sequence[int]) -> tuple[Fallen, Sequence[int]] | Need:
    """The dice of a roll, off the front of `faces`, and the faces after it; or the dice it needs next.

    >>> draw(Roll(), [20])
    Need(sides=(20,))
    """
    if not faces:
        return Need((20,))
    first, rest = faces[0], faces[1:]
    second = None
    if roll.opens(first):
        if not rest:
            return Need((20,))
        second, rest = rest[0], rest[1:]
    if len(rest) < roll.dice:
        return Need((6,) * (roll.dice - len(rest)))
    return Fallen(first, second, tuple(rest[: roll.dice])), rest[roll.dice :]


def nothing_left(rest: Sequence[int], faces: Sequence[int]) -> None:
    """Raises `BadMove` where more dice were given than the move takes."""
    if rest:
        raise BadMove(f"Enter {len(faces) - len(rest)} dice; there are {len(faces)}.", "dice")


@lru_cache(maxsize=2)
def d20_ways(open_ended: bool) -> Mapping[tuple[int, int], int]:
    """In how many of 400 throws of two d20 each (first face, total) comes up; the second counts where it opens."""
    ways: Counter[tuple[int, int]] = Counter()
    for first in range(1, 21):
        for second in range(1, 21):
            opens = Roll(open_ended=open_ended).opens(first)
            ways[first, opened(first, second if opens else None)] += 1
    return dict(ways)


@lru_cache(maxsize=7)
def d6_ways(net: int) -> Mapping[int, int]:
    """In how many throws each sum of the three dice that count comes up, with `net` bonus (penalty) dice.

    >>> d6_ways(0)[3], d6_ways(1)[3], sum(d6_ways(1).values())
    (1, 21, 1296)
    """
    count = 3 + abs(net)
    ways: Counter[int] = Counter()
    for faces in combinations_with_replacement(range(1, 7), count):
        orders = factorial(count) // prod(factorial(times) for times in Counter(faces).values())
        ways[sum(faces[:3] if net > 0 else faces[-3:])] += orders
    return dict(ways)


def say(who: str, text: str) -> str:
    """A sentence, with whom it is about before it."""
    return f"{who}: {text}" if who else text[0].upper() + text[1:]


def plain(number: int) -> str:
    """A number as it is written: 4, −2."""
    return f"−{-number}" if number < 0 else str(number)


def degree_text(degree: int) -> str:
    """A degree as it is written: +4, −2, 0."""
    return signed(degree) if degree else "0"


def reading(degree: int) -> str:
    """A degree with its band: `+4, sufficient success` (PN-03)."""
    return f"{degree_text(degree)}, {band_of(degree)}"
