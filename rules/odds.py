"""Exact chances: distributions as whole-number weights, by convolution, never by sampling."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import gcd, lcm
from typing import Any, TypeVar

from rules.moves import Face, MoveKind, Need, field_of
from rules.values import Value

T = TypeVar("T")
Weights = Mapping[int, int]


@lru_cache(maxsize=256)
def sum_of_dice(count: int, sides: int) -> Weights:
    """In how many of the `sides ** count` equally likely throws each sum comes up.

    >>> sum_of_dice(2, 6)[7]
    6
    """
    weights: Weights = {0: 1}
    for _ in range(count):
        following: Counter[int] = Counter()
        for total, ways in weights.items():
            for face in range(1, sides + 1):
                following[total + face] += ways
        weights = following
    return dict(weights)


def chances(weights: Mapping[T, int]) -> dict[T, Fraction]:
    """Weights as fractions that add up to one."""
    whole = sum(weights.values())
    return {value: Fraction(ways, whole) for value, ways in weights.items() if ways}


def spread(*parts: Weights, tell: Callable[..., Face]) -> dict[Face, Fraction]:
    """The chance of each `tell(total, ...)` over independent totals, one for each of `parts`."""
    counts: Counter[Face] = Counter()
    for combined in product(*(part.items() for part in parts)):
        ways = 1
        for _, weight in combined:
            ways *= weight
        counts[tell(*(total for total, _ in combined))] += ways
    return chances(counts)


def to_the_end(start: Hashable, moves: Callable[[Any], Mapping[Any, int]], most: int) -> Fraction | None:
    """The chance to win what only moves on, from a state: `moves` says which state follows in how many throws.

    What follows is a state, or True where it is won by then, False where it is lost. What changes nothing is left out
    by `moves`: it is thrown again. None where a state that is reached has no way out, or there are more than `most`.
    """
    after: dict[Any, Mapping[Any, int]] = {}
    known: dict[Any, tuple[int, int]] = {True: (1, 1), False: (0, 1)}
    stack = [start]
    while stack:
        state = stack[-1]
        if state in known:
            stack.pop()
        elif state in after:  # all that follows it is known by now
            known[stack.pop()] = _weighed([known[following] for following in after[state]], after.pop(state).values())
        else:
            after[state] = ways_to = moves(state)
            if not ways_to or len(known) + len(after) > most:
                return None
            stack += [following for following in ways_to if following not in known]
    return Fraction(*known[start])


def _weighed(chances_: Sequence[tuple[int, int]], ways: Collection[int]) -> tuple[int, int]:
    """The mean of chances, as numerator and denominator without a common factor, each as often as `ways` say."""
    whole = lcm(*[below for _, below in chances_])
    above = sum([many * over * (whole // below) for (over, below), many in zip(chances_, ways, strict=True)])
    below = whole * sum(ways)
    common = gcd(above, below)
    return above // common, below // common


def mean(odds: Mapping[Face, Fraction]) -> Fraction:
    """The mean of a distribution of numbers."""
    return sum((int(value or 0) * chance for value, chance in odds.items()), Fraction(0))


def by_brute_force(kind: MoveKind[T], move: T, of: str) -> dict[Face, Fraction]:
    """What `kind.odds` must answer, by throwing every throw: slow, plain, and the tests' measure of the fast way."""
    odds: dict[Face, Fraction] = {}
    for faces, chance in every_throw(kind, move):
        value = field_of(kind_result(kind, move, faces), of)
        odds[value] = odds.get(value, Fraction(0)) + chance
    return odds


def kind_result(kind: MoveKind[T], move: T, faces: tuple[int, ...]) -> Mapping[str, Value]:
    """The result of a throw that needs no further dice."""
    answer = kind.resolve(move, faces)
    if isinstance(answer, Need):
        raise ValueError("This throw is not complete.")
    return answer.result


def every_throw(kind: MoveKind[T], move: T) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every complete throw of a move with its chance, following what each one needs."""
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        answer = kind.resolve(move, faces)
        if not isinstance(answer, Need):
            yield faces, chance
            continue
        way = chance
        for sides in answer.sides:
            way /= sides
        for more in product(*(range(1, sides + 1) for sides in answer.sides)):
            waiting.append((faces + more, way))
