"""The standard roll, and the attack roll that two people share (PN-02 to PN-06)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rules.fields import Field, Flag, Whole
from rules.moves import Face, MoveKind, Need, Outcome, Step, field_of
from rules.odds import chances
from rules.systems.pnc.dice import Roll, d6_ways, d20_ways, draw, nothing_left, result_of
from rules.systems.pnc.reckoning import by_number, settle
from rules.values import Value

# What a hit does, in a word: from the highest degree down, the lowest that still does it.
DAMAGE = ((11, "destroyed"), (8, "crippled"), (5, "badly hurt"), (2, "hurt"), (1, "grazed"))
BACKFIRES_FROM = -5

MOST_DICE = 30  # of either kind, before they cancel

EXTRA_DICE: tuple[Field, ...] = (
    Whole(name="penalty", label="Penalty dice", default=0, most=MOST_DICE, help="What makes it harder than usual."),
    Whole(name="bonus", label="Bonus dice", default=0, most=MOST_DICE, help="What makes it easier than usual."),
)
OPEN_ENDED = Flag(name="open_ended", label="Open-ended d20", default=True,
                  help="A 20 adds a second d20, a 1 takes it off; another 20 counts 0.")


class StandardRoll(MoveKind[Roll]):
    """A d20 over three six-sided dice.

    >>> StandardRoll().resolve(Roll(penalty=1), [15, 2, 6, 3, 1]).result["degree"]
    4
    """

    name = "pnc.standard_roll"
    title = "Standard roll"
    fields = (*EXTRA_DICE, OPEN_ENDED)

    def build(self, **values: Any) -> Roll:
        return by_number(**values).roll

    def resolve(self, move: Roll, faces: Sequence[int]) -> Outcome | Need:
        answer = draw(move, faces)
        if isinstance(answer, Need):
            return answer
        fallen, rest = answer
        nothing_left(rest, faces)
        thrown = settle(move, fallen)
        return Outcome(thrown.result(), thrown.steps(), thrown.drawn())

    def odds(self, move: Roll, of: str) -> dict[Face, Fraction]:
        ways_of: Counter[Face] = Counter()
        for (first, d20), ways in d20_ways(move.open_ended).items():
            for d6, more in d6_ways(move.net).items():
                ways_of[field_of(self.result_fields(first, d20, d6), of)] += ways * more
        return chances(ways_of)

    def result_fields(self, first: int, d20: int, d6: int) -> dict[str, Value]:
        """The result's fields; an attack roll has more of them."""
        return result_of(first, d20, d6)


class AttackRoll(StandardRoll):
    """The attacker's d20 against the defender's dice; penalty and bonus are the attacker's (PN-06).

    What helps the defender (armour, cover) is a penalty here, and what hinders the defender is a bonus.
    """

    name = "pnc.attack_roll"
    title = "Attack roll"

    def resolve(self, move: Roll, faces: Sequence[int]) -> Outcome | Need:
        answer = draw(move, faces)
        if isinstance(answer, Need):
            return answer
        fallen, rest = answer
        nothing_left(rest, faces)
        thrown = settle(move, fallen)
        result = self.result_fields(thrown.first, thrown.d20, thrown.d6)
        steps = (*thrown.steps(), *_consequence(result))
        return Outcome(result, steps, thrown.drawn("attacker", "defender"))

    def result_fields(self, first: int, d20: int, d6: int) -> dict[str, Value]:
        result = result_of(first, d20, d6)
        return {**result, "damage": damage_of(d20 - d6), "backfires": d20 - d6 <= BACKFIRES_FROM}


def damage_of(degree: int) -> str | None:
    """What a hit of this degree does, in a word; None where it misses (PN-06)."""
    return next((word for least, word in DAMAGE if degree >= least), None)


def _consequence(result: dict[str, Value]) -> tuple[Step, ...]:
    if result["damage"] is not None:
        return (Step("PN-06", f"The degree says how much it does: the defender is {result['damage']}. "
                              "The manner of the attack says how."),)
    if result["backfires"]:
        return (Step("PN-06", "A great failure or worse may hurt the attacker, or cost initiative, "
                              "the next attack, or give the defender a free one."),)
    return (Step("PN-06", "The attack does nothing."),)
