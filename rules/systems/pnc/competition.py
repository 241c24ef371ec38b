"""A competition: two standard rolls compared by degree (PN-08)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Group
from rules.moves import Face, MoveKind, Need, Outcome, Step, field_of
from rules.odds import chances
from rules.systems.pnc.dice import Roll, d6_ways, d20_ways, degree_text, draw, nothing_left
from rules.systems.pnc.reckoning import by_number, settle
from rules.systems.pnc.standard_roll import EXTRA_DICE, OPEN_ENDED, StandardRoll
from rules.values import Value


@dataclass(frozen=True)
class Pair:
    """The rolls of the two who compete."""

    first: Roll
    second: Roll


class Competition(MoveKind[Pair]):
    """Two standard rolls; the higher degree wins, whether it is a success or not.

    >>> Competition().resolve(Pair(Roll(), Roll()), [12, 3, 3, 3, 9, 2, 2, 2]).result["outcome"]
    'tie'
    """

    name = "pnc.competition"
    title = "Competition"
    fields = (
        Group(name="first", label="The first one’s roll", fields=EXTRA_DICE, default={"penalty": 0, "bonus": 0}),
        Group(name="second", label="The second one’s roll", fields=EXTRA_DICE, default={"penalty": 0, "bonus": 0}),
        OPEN_ENDED,
    )

    def build(self, **values: Any) -> Pair:
        opens = values["open_ended"]
        return Pair(*(by_number(**values[side], open_ended=opens).roll for side in ("first", "second")))

    def resolve(self, move: Pair, faces: Sequence[int]) -> Outcome | Need:
        answer = draw(move.first, faces)
        if isinstance(answer, Need):
            return answer
        fallen, rest = answer
        first = settle(move.first, fallen)
        answer = draw(move.second, rest)
        if isinstance(answer, Need):
            return answer
        fallen, rest = answer
        second = settle(move.second, fallen)
        nothing_left(rest, faces)
        result = {**_compared(first.degree, second.degree), "first": first.result(), "second": second.result()}
        won = {"first": "the first one wins", "second": "the second one wins", "tie": "nobody wins"}
        degrees = f"{degree_text(first.degree)} and {degree_text(second.degree)}"
        step = Step("PN-08", f"The degrees are {degrees}: {won[str(result['outcome'])]}.")
        steps = (*first.steps("The first one"), *second.steps("The second one"), step)
        return Outcome(result, steps, first.drawn("first", "first") + second.drawn("second", "second"))

    def odds(self, move: Pair, of: str) -> dict[Face, Fraction]:
        side, _, field = of.partition(".")
        if side in ("first", "second") and field:
            return StandardRoll().odds(move.first if side == "first" else move.second, field)
        ways_of: Counter[Face] = Counter()
        seconds = degree_ways(move.second)
        for first, ways in degree_ways(move.first).items():
            for second, more in seconds.items():
                ways_of[field_of(_compared(first, second), of)] += ways * more
        return chances(ways_of)


def degree_ways(roll: Roll) -> Mapping[int, int]:
    """In how many equally likely throws each degree comes up."""
    ways: Counter[int] = Counter()
    for (_, d20), times in d20_ways(roll.open_ended).items():
        for d6, more in d6_ways(roll.net).items():
            ways[d20 - d6] += times * more
    return ways


def _compared(first: int, second: int) -> dict[str, Value]:
    outcome = "first" if first > second else "second" if second > first else "tie"
    return {"outcome": outcome, "margin": abs(first - second)}
