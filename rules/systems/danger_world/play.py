"""Best play of a whole pool: which dice to keep of any throw, and what comes of it in the end (DW-17).

The chance to reach the difficulty comes first, always. While it is not reached, the mean height of the set used comes
next, which is also the bonus dice of a partial success, then the fewest botches. Once it is reached, botches are spared
first, and the height comes last. What is still equal keeps more dice, and high ones rather than low ones. Action dice
are kept before danger dice that show the same face. Threat dice change nothing here: they are never rolled again.

The set used is the highest one. Botches are counted under the lowest set that accomplishes, where there are several:
nobody has to break a set to be rid of what it makes botches.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, prod

from rules.systems.danger_world.pool import ROUNDS, SIDES, botches_under, height_of
from rules.values import BadMove

MOST_DICE = 16
MOST_COLOURED = 700_000  # states of two colours that are still worked out (some seconds)

Counts = tuple[int, ...]  # how many dice show 1, 2, .. 6


@dataclass(frozen=True)
class Throws:
    """Every multiset of up to `count` dice, smaller ones first. `more[i][f - 1]` is multiset i with one f more.

    `heights` are those of the highest set of each, 0 for none.
    """

    count: int
    counts: tuple[Counts, ...]
    heights: tuple[int, ...]
    more: tuple[tuple[int, ...], ...]
    first_full: int  # from here on all dice are there

    def find(self, counts: Counts) -> int:
        """The index of a multiset."""
        index = 0
        for face, number in enumerate(counts):
            for _ in range(number):
                index = self.more[index][face]
        return index


@lru_cache(maxsize=8)
def throws_of(count: int) -> Throws:
    """The multisets of up to so many dice."""
    # One size after the other, each from the size before by a face that is not under the highest one already there. A
    # multiset is looked up by its key: how many show each face, as the digits of one number.
    digits = tuple((count + 1) ** face for face in range(SIDES))
    keys, counts, heights, tops = [0], [(0,) * SIDES], [0], [0]
    start = 0
    for _ in range(count):
        end = len(keys)
        for index in range(start, end):
            key, shown, height = keys[index], counts[index], heights[index]
            for face in range(tops[index], SIDES):
                keys.append(key + digits[face])
                counts.append((*shown[:face], shown[face] + 1, *shown[face + 1 :]))
                heights.append(face + 1 if shown[face] >= face else height)
                tops.append(face)
        start = end
    number = dict(zip(keys, range(len(keys)), strict=True))
    more = tuple(tuple([number[key + digit] for digit in digits]) for key in keys[:start])
    return Throws(count, tuple(counts), tuple(heights), more, start)


@dataclass(frozen=True)
class Course:
    """Something that can be done with a throw: the multiset that is kept, and what best play makes of it on average.

    Botches are those among one's own dice.
    """

    keep: Counts
    chance: Fraction
    height: Fraction
    botches: Fraction


@dataclass(frozen=True)
class Round:
    """A round of re-rolls. `worth` is what keeping a multiset comes to; the others are what to keep of each multiset:
    to `reach` the difficulty and then high, to `spare` botches, and as it is `best`."""

    worth: tuple[int, ...]
    reach: tuple[int, ...]
    spare: tuple[int, ...]
    best: tuple[int, ...]


@dataclass(frozen=True)
class Aims:
    """One number holds all three aims, each so far over the next that no sum of lesser ones reaches it; scaled so that
    every division by six is exact."""

    scale: int
    over: int

    def of(self, chance: int, height: int, botches: int) -> int:
        """The chance, then the height, then the fewest botches."""
        return (chance * self.over + height) * self.over - botches

    def parts(self, worth: int) -> tuple[int, int, int]:
        """The three in a number."""
        botches = -worth % self.over
        chance, height = divmod((worth + botches) // self.over, self.over)
        return chance, height, botches

    def sparing(self, worth: int) -> int:
        """The same number with the botches before the height."""
        chance, height, botches = self.parts(worth)
        return (chance * self.over - botches) * self.over + height


def aims_of(count: int) -> Aims:
    """The numbers of this many dice."""
    scale = SIDES ** (ROUNDS * count)
    return Aims(scale, 2 * (count + SIDES + 1) * scale)


@lru_cache(maxsize=12)
def rounds_of(count: int, difficulty: int) -> tuple[Round, ...]:
    """The rounds of re-rolls, first to last. Raises `BadMove` over 16 dice."""
    if count > MOST_DICE:
        raise BadMove(f"This is worked out for up to {MOST_DICE} dice; ask for `accomplished` with more.", "of")
    throws, aims = throws_of(count), aims_of(count)
    full = range(throws.first_full, len(throws.counts))
    value = [_worth(throws.counts[index], throws.heights[index], difficulty, aims) for index in full]
    rounds: list[Round] = []
    for _ in range(ROUNDS):
        worth = [0] * throws.first_full + value
        for index in range(throws.first_full - 1, -1, -1):
            a, b, c, d, e, f = throws.more[index]
            worth[index] = (worth[a] + worth[b] + worth[c] + worth[d] + worth[e] + worth[f]) // SIDES
        reach, spare = _kept(throws, worth), _kept(throws, [aims.sparing(number) for number in worth])
        best = tuple(kept if height < difficulty else sparing
                     for kept, sparing, height in zip(reach, spare, throws.heights, strict=True))
        rounds.append(Round(tuple(worth), reach, spare, best))
        value = [worth[best[index]] for index in full]
    return tuple(reversed(rounds))


def _worth(counts: Counts, height: int, difficulty: int, aims: Aims) -> int:
    """What a throw comes to when it lies."""
    reached = [face for face in range(difficulty, height + 1) if counts[face - 1] >= face]
    botches = botches_under(counts, reached[0] if reached else height)
    return aims.of(aims.scale * bool(reached), height * aims.scale, botches * aims.scale)


def _kept(throws: Throws, worth: list[int]) -> tuple[int, ...]:
    """What to keep of each multiset where so much comes of keeping each."""
    worth, keep = list(worth), list(range(len(worth)))
    for index, more in enumerate(throws.more):
        # From a smaller multiset to those with one die more: what is best of it may be best of them too.
        best, kept = worth[index], keep[index]
        for following in more:
            if best > worth[following]:
                worth[following], keep[following] = best, kept
    return tuple(keep)


def keeps_of(count: int, difficulty: int) -> tuple[tuple[int, ...], ...]:
    """For each round of re-rolls, first to last: what to keep of each multiset. Raises `BadMove` over 16 dice."""
    return tuple(one_round.best for one_round in rounds_of(count, difficulty))


@lru_cache(maxsize=24)
def ends_of(count: int, difficulty: int) -> Mapping[Counts, int]:
    """In how many of equally likely ends of best play the dice show these counts."""
    throws = throws_of(count)
    weights = [0] * throws.first_full + [_orders(count) for count in throws.counts[throws.first_full :]]
    for keep in keeps_of(count, difficulty):
        kept = [0] * len(weights)
        for index in range(throws.first_full, len(weights)):
            kept[keep[index]] += weights[index] * SIDES**count
        for index, more in enumerate(throws.more):
            # All that came in here was kept of a throw of the same size or rolled since: it is a multiple of six.
            each_face = kept[index] // SIDES
            if each_face:
                for following in more:
                    kept[following] += each_face
        weights = [0] * throws.first_full + kept[throws.first_full :]
    return {count: weights[index] for index, count in enumerate(throws.counts) if weights[index]}


@lru_cache(maxsize=24)
def results_of(count: int, difficulty: int) -> Mapping[tuple[int, int], int]:
    """The same by what comes of it: in how many ways a set of this height, 0 for none, with so many botches."""
    results: Counter[tuple[int, int]] = Counter()
    for counts, ways in ends_of(count, difficulty).items():
        height = height_of(counts)
        results[height, botches_under(counts, height)] += ways
    return results


def colour_states(action: int, danger: int) -> int:
    """How many states have to be looked at where action and danger dice are told apart."""
    return comb(action + SIDES, SIDES) * comb(danger + SIDES, SIDES)


def danger_ways(action: int, danger: int, difficulty: int) -> Mapping[int, int]:
    """In how many of equally likely ends of best play so many danger dice are in the set used.

    Raises `BadMove` for pools that are too large.
    """
    count = action + danger
    if not danger:
        return {0: 1}
    if count > MOST_DICE or colour_states(action, danger) > MOST_COLOURED:
        raise BadMove("This pool is too large to work out the danger of it; ask for another field.", "of")
    throws, reds = throws_of(count), throws_of(danger)
    # A state is a multiset of all dice and the multiset of the danger dice among them.
    weights = _rolled(throws, reds, {(0, 0): SIDES**count})
    for keep in keeps_of(count, difficulty):
        kept: Counter[tuple[int, int]] = Counter()
        for (index, red), ways in weights.items():
            left = throws.counts[keep[index]]
            shown = reds.counts[red]
            # Action dice stay first; what of the kept dice they can't make up is danger dice.
            stay = tuple(max(0, n - (all_ - r))
                         for n, all_, r in zip(left, throws.counts[index], shown, strict=True))
            kept[keep[index], reds.find(stay)] += ways * SIDES**count
        weights = _rolled(throws, reds, kept)
    heights: Counter[int] = Counter()
    for (index, red), ways in weights.items():
        height = height_of(throws.counts[index])
        actions = throws.counts[index][height - 1] - reds.counts[red][height - 1] if height else 0
        heights[max(0, height - actions)] += ways
    return heights


def _rolled(throws: Throws, reds: Throws, kept: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """All ways to roll the dice that are missing: the danger dice first, then the action dice."""
    layers: list[Counter[tuple[int, int]]] = [Counter() for _ in range(throws.count + 1)]
    sizes, red_sizes = [sum(count) for count in throws.counts], [sum(count) for count in reds.counts]
    for (index, red), ways in kept.items():
        layers[sizes[index]][index, red] += ways
    for size in range(throws.count):
        following = layers[size + 1]
        # Within a layer some miss danger dice and some do not; either way one die is added.
        for (index, red), ways in layers[size].items():
            each_face = ways // SIDES
            nexts = reds.more[red] if red_sizes[red] < reds.count else (red,) * SIDES
            for more, red_more in zip(throws.more[index], nexts, strict=True):
                following[more, red_more] += each_face
    return dict(layers[throws.count])


def courses(faces: Sequence[int], difficulty: int, rounds_left: int) -> tuple[Course, Course, Course, Course]:
    """What can be done with these dice: what is best, then keeping all, sparing botches, reaching higher.

    Whoever keeps all ends the check's re-rolls, so that it is settled as the dice lie. What is best, and what reaches
    higher, never waits for a later round; what spares botches is chosen here among what can be done.
    Raises `BadMove` over 16 dice.
    """
    count = len(faces)
    throws, aims, plan = throws_of(count), aims_of(count), rounds_of(count, difficulty)[ROUNDS - rounds_left]
    lie = tuple(faces.count(face) for face in range(1, SIDES + 1))
    index = throws.find(lie)
    worth = {keep: plan.worth[keep] for keep in _among(throws, lie)}
    worth[index] = _worth(lie, throws.heights[index], difficulty, aims)
    spare = max(worth, key=lambda keep: (aims.sparing(worth[keep]), _most(throws.counts[keep])))
    best, kept, spared, reach = (
        Course(throws.counts[keep], *(Fraction(part, aims.scale) for part in aims.parts(worth[keep])))
        for keep in (plan.best[index], index, spare, plan.reach[index])
    )
    return best, kept, spared, reach


def _among(throws: Throws, counts: Counts) -> list[int]:
    """All multisets that are in this one, itself among them."""
    among = [0]
    for face, number in enumerate(counts):
        more = among
        for _ in range(number):
            more = [throws.more[index][face] for index in more]
            among = [*among, *more]
    return among


def _most(counts: Counts) -> tuple[int, Counts]:
    """By which more dice, and high ones rather than low ones, come first."""
    return sum(counts), counts[::-1]


def kept_of(faces: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """The indices of the dice that are kept where so many of 1, 2, .. 6 are; of equal faces the first ones."""
    left, kept = list(counts), []
    for index, face in enumerate(faces):
        if left[face - 1]:
            left[face - 1] -= 1
            kept.append(index)
    return tuple(kept)


def _orders(counts: Counts) -> int:
    return factorial(sum(counts)) // prod(factorial(count) for count in counts)
