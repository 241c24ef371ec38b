"""Exact chances: distributions as whole-number weights, by convolution, never by sampling."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm
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


def to_the_end(start: Hashable, moves: Callable[[Any], Mapping[Any, int]], most: int | None = None) -> Fraction | None:
    """The chance to win what only moves on, from a state: `moves` says which state follows in how many throws.

    What follows is a state, or True where it is won by then, False where it is lost. What changes nothing is left out
    by `moves`: it is thrown again. None where a state that is reached has no way out, or there are more than `most`.
    """
    after: dict[Any, Mapping[Any, int]] = {}
    rounds: dict[Any, int] = {True: 0, False: 0}  # how many may follow at most, of what all that follows is known
    stack = [start]
    while stack:
        state = stack[-1]
        if state in rounds:
            stack.pop()
        elif state in after:
            rounds[stack.pop()] = 1 + max([rounds[following] for following in after[state]])
        else:
            after[state] = ways_to = moves(state)
            if not ways_to or (most is not None and len(after) > most):
                return None
            stack += [following for following in ways_to if following not in rounds]
    return _weighed(start, rounds, after)


def _weighed(start: Hashable, rounds: Mapping[Any, int], after: Mapping[Any, Mapping[Any, int]]) -> Fraction:
    """The chance from the start, over one denominator that each round divides evenly: no fraction is ever reduced."""
    whole = lcm(*{sum(ways.values()) for ways in after.values()}) ** rounds[start]
    known: dict[Any, int] = {True: whole, False: 0}
    for state in rounds:  # the last ones first, as they became known
        if state in after:
            ways = after[state]
            known[state] = sum([many * known[following] for following, many in ways.items()]) // sum(ways.values())
    return Fraction(known[start], whole)


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
