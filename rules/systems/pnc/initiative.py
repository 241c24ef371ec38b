"""Who acts first (PN-07).

*Ruling*: where standard rolls give the same degree, those characters act at the same moment; with a d6 they roll on.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from rules.fields import Choice, Group, Listing
from rules.moves import Die, Face, MoveKind, Need, Outcome, Step
from rules.odds import chances
from rules.systems.pnc.competition import degree_ways
from rules.systems.pnc.dice import Roll, Thrown, degree_text, draw, nothing_left
from rules.systems.pnc.reckoning import by_number, settle
from rules.systems.pnc.standard_roll import EXTRA_DICE, OPEN_ENDED
from rules.values import BadMove

MOST_FIGHTERS = 50


@dataclass(frozen=True)
class Fighters:
    """Those who can act, each with the roll that would set the place; `by` is `degree` or `d6`."""

    rolls: tuple[Roll, ...]
    by: str = "degree"
    names: tuple[str, ...] = ()

    def name(self, index: int) -> str:
        """Who it is, for the explanation."""
        return self.names[index] if self.names else f"Fighter {index + 1}"


class Initiative(MoveKind[Fighters]):
    """Places from best to worst, as indices: `[[2], [0, 1]]` lets 0 and 1 act together after 2.

    >>> Initiative().resolve(Fighters((Roll(), Roll()), "d6"), [4, 4, 2, 5]).result["places"]
    [[1], [0]]
    """

    name = "pnc.initiative"
    title = "Initiative"
    fields = (
        Listing(name="fighters", label="Those who can act", most=MOST_FIGHTERS,
                help="Leave out anyone caught off guard.",
                of=Group(name="fighter", label="Fighter", fields=EXTRA_DICE)),
        Choice(name="by", label="Order", default="degree",
               options=(("degree", "By the degree of a standard roll"), ("d6", "By a d6, ties rolled off"))),
        OPEN_ENDED,
    )

    def build(self, **values: Any) -> Fighters:
        if not values["fighters"]:
            raise BadMove("Name at least one who can act.", "fighters")
        opens = values["open_ended"]
        rolls = tuple(by_number(**fighter, open_ended=opens).roll for fighter in values["fighters"])
        return Fighters(rolls, values["by"])

    def resolve(self, move: Fighters, faces: Sequence[int]) -> Outcome | Need:
        return _by_d6(move, faces) if move.by == "d6" else _by_degree(move, faces)

    def odds(self, move: Fighters, of: str) -> dict[Face, Fraction]:
        if of != "first":
            raise BadMove("Ask for first: nothing else has odds here.", "of")
        count = len(move.rolls)
        if move.by == "d6":
            # Nobody's die is better than another's, and ties never stay.
            return {index: Fraction(1, count) for index in range(count)}
        spreads = [chances(degree_ways(roll)) for roll in move.rolls]
        alone: dict[Face, Fraction] = {
            index: ahead(spread, [other for i, other in enumerate(spreads) if i != index])
            for index, spread in enumerate(spreads)
        }
        together = Fraction(1) - sum(alone.values(), Fraction(0))
        return {**alone, None: together} if together else alone


def ahead(spread: dict[int, Fraction], others: Sequence[dict[int, Fraction]]) -> Fraction:
    """The chance to have a higher degree than all the others."""
    def under(other: dict[int, Fraction], degree: int) -> Fraction:
        return sum((chance for likely, chance in other.items() if likely < degree), Fraction(0))

    return sum((chance * prod((under(other, degree) for other in others), start=Fraction(1))
                for degree, chance in spread.items()), Fraction(0))


def _by_degree(move: Fighters, faces: Sequence[int]) -> Outcome | Need:
    rest, thrown = faces, list[Thrown]()
    for roll in move.rolls:
        answer = draw(roll, rest)
        if isinstance(answer, Need):
            return answer
        fallen, rest = answer
        thrown.append(settle(roll, fallen))
    nothing_left(rest, faces)
    degrees = [throw.degree for throw in thrown]
    places = [[i for i, degree in enumerate(degrees) if degree == place]
              for place in sorted(set(degrees), reverse=True)]
    steps = [step for i, throw in enumerate(thrown) for step in throw.steps(move.name(i))]
    steps.append(Step("PN-07", f"The degrees set the order, highest first: {', '.join(map(degree_text, degrees))}."))
    if len(places) < len(thrown):
        steps.append(Step("PN-07", "Equal degrees act at the same moment."))
    dice = tuple(die for i, throw in enumerate(thrown) for die in throw.drawn(str(i), str(i)))
    return _outcome(places, steps, dice)


def _by_d6(move: Fighters, faces: Sequence[int]) -> Outcome | Need:
    # Groups are in order already; each pass splits those of more than one by a new die for each member.
    groups, rest = [list(range(len(move.rolls)))], faces
    dice: list[Die] = []
    steps: list[Step] = []
    rolling = True
    while rolling:
        tied = [i for group in groups for i in group if len(group) > 1 or not dice]
        if len(rest) < len(tied):
            return Need((6,) * (len(tied) - len(rest)))
        shown = dict(zip(tied, rest, strict=False))
        rest = rest[len(tied) :]
        dice += [Die(6, shown[i], str(i)) for i in tied]
        text = ", ".join(f"{move.name(i)} shows {face}" for i, face in shown.items())
        steps.append(Step("PN-07", f"{'Rolling on among equals' if len(steps) else 'A d6 each'}: {text}."))
        groups = [[i for i in group if shown.get(i, 0) == face]
                  for group in groups for face in sorted({shown.get(i, 0) for i in group}, reverse=True)]
        rolling = any(len(group) > 1 for group in groups)
    nothing_left(rest, faces)
    return _outcome(groups, steps, tuple(dice))


def _outcome(places: list[list[int]], steps: list[Step], dice: tuple[Die, ...]) -> Outcome:
    first = places[0][0] if len(places[0]) == 1 else None
    return Outcome({"places": places, "first": first}, tuple(steps), dice)
