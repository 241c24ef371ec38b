"""Challenges: against a target number (PS-10 to PS-14), and flashy ones against somebody (PS-16)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Field, Flag, Group, Whole
from rules.moves import Face, MoveKind, Need, Outcome, Step, field_of, take
from rules.odds import spread
from rules.systems.pdq_sharp.chart import difficulty_field, fortes_field, fortes_text, signed
from rules.systems.pdq_sharp.keep import best, drawn
from rules.systems.pdq_sharp.reckoning import KEEP, Terms, lead, settle, sums
from rules.values import Value
from rules.wording import added

MOST_BONUS = 20

BONUS = Whole(name="bonus_dice", label="Bonus dice", default=0, most=MOST_BONUS,
              help="From techniques and style dice; the best two of all are kept.")
FLAT = Whole(name="flat", label="Flat bonus", default=0, most=100, help="+1 for each technique or style die taken so.")


@dataclass(frozen=True)
class Side:
    """Somebody who rolls: fortes, bonus dice, flat bonus, and whether a player's character."""

    fortes: tuple[str, ...] = ()
    bonus_dice: int = 0
    flat: int = 0
    pc: bool = False

    @property
    def dice(self) -> int:
        """How many dice fall."""
        return KEEP + self.bonus_dice

    @property
    def adds(self) -> int:
        """What is added to the best two."""
        return self.terms.adds

    @property
    def terms(self) -> Terms:
        """It as it is reckoned."""
        return Terms(self.fortes, self.bonus_dice, self.flat)

    def total(self, faces: Sequence[int]) -> int:
        """What the roll comes to."""
        return settle(self.terms, faces).total

    def steps(self, faces: Sequence[int], who: str = "") -> tuple[Step, ...]:
        """Why it comes to that."""
        kept = best(faces, KEEP)
        start = f"{who}: " if who else ""
        steps = [Step("PS-10", fortes_text(self.fortes, who))]
        if self.bonus_dice or self.flat:
            steps.append(Step("PS-11", f"{start}{self.bonus_dice} bonus dice, and {signed(self.flat)} flat."))
        shown = " and ".join(map(str, kept))
        steps.append(Step("PS-10", f"{start}the best two are {shown}: {added(sum(kept), self.adds)}."))
        return tuple(steps)


@dataclass(frozen=True)
class Challenge:
    """A task: who tries it, and the target number."""

    side: Side
    target: int


class ChallengeMove(MoveKind[Challenge]):
    """2d6 and bonus dice, the best two kept, and all fortes that bear on it; equal to the target succeeds.

    >>> move = ChallengeMove().read({"fortes": ["good"], "bonus_dice": 1, "difficulty": "expert"})
    >>> ChallengeMove().resolve(move, [1, 4, 5]).result["total"]
    11
    """

    name = "pdq_sharp.challenge"
    title = "Challenge"
    fields = (fortes_field(), BONUS, FLAT, difficulty_field())

    def build(self, **values: Any) -> Challenge:
        return Challenge(Side(values["fortes"], values["bonus_dice"], values["flat"]), values["difficulty"])

    def resolve(self, move: Challenge, faces: Sequence[int]) -> Outcome | Need:
        if take(faces, move.side.dice) is None:
            return Need((6,) * (move.side.dice - len(faces)))
        total = move.side.total(faces)
        verdict = "a success" if total >= move.target else "a failure"
        steps = (*move.side.steps(faces), Step("PS-10", f"{total} against {move.target}: {verdict}."))
        if total < move.target:
            steps += (Step("PS-14", f"Failing earns a training point, and may hurt by {move.target - total}."),)
        kept: list[Value] = list(best(faces, KEEP))
        return Outcome({"kept": kept, **_result(move, total)}, steps, drawn(faces, KEEP))

    def odds(self, move: Challenge, of: str) -> dict[Face, Fraction]:
        return spread(sums(move.side.terms), tell=lambda total: field_of(_result(move, total), of))


def _result(move: Challenge, total: int) -> dict[str, Value]:
    short = max(0, move.target - total)
    return {
        "total": total, "target": move.target, "success": not short, "damage": short,
        "training_points": 1 if short else 0,
    }


@dataclass(frozen=True)
class Flashy:
    """Somebody challenges somebody before an audience."""

    challenger: Side
    challenged: Side


SIDE_FIELDS: tuple[Field, ...] = (
    fortes_field(), BONUS, FLAT, Flag(name="pc", label="A player’s character"),
)


class FlashyMove(MoveKind[Flashy]):
    """Both roll; the higher one wins. A tie goes to a player's character against an NPC, else to nobody."""

    name = "pdq_sharp.flashy_challenge"
    title = "Flashy challenge"
    fields = (
        Group(name="challenger", label="Challenger", fields=SIDE_FIELDS),
        Group(name="challenged", label="Opponent", fields=SIDE_FIELDS),
    )

    def build(self, **values: Any) -> Flashy:
        return Flashy(Side(**values["challenger"]), Side(**values["challenged"]))

    def resolve(self, move: Flashy, faces: Sequence[int]) -> Outcome | Need:
        wanted = move.challenger.dice, move.challenged.dice
        runs = take(faces, *wanted)
        if runs is None:
            return Need((6,) * (sum(wanted) - len(faces)))
        totals = move.challenger.total(runs[0]), move.challenged.total(runs[1])
        result = _flashy_result(move, *totals)
        steps = (
            *move.challenger.steps(runs[0], "Challenger"), *move.challenged.steps(runs[1], "Challenged"),
            Step("PS-16", f"{totals[0]} against {totals[1]}: {_verdict(result['winner'], totals)}"),
        )
        dice = (*drawn(runs[0], KEEP, "challenger"), *drawn(runs[1], KEEP, "challenged"))
        return Outcome(result, steps, dice)

    def odds(self, move: Flashy, of: str) -> dict[Face, Fraction]:
        def tell(first: int, second: int) -> Face:
            return field_of(_flashy_result(move, first, second), of)

        return spread(sums(move.challenger.terms), sums(move.challenged.terms), tell=tell)


def _flashy_result(move: Flashy, first: int, second: int) -> dict[str, Value]:
    has = lead(first, second, (move.challenger.pc, move.challenged.pc))
    winner = {1: "challenger", -1: "challenged"}.get(has)
    return {"challenger": first, "challenged": second, "winner": winner}


def _verdict(winner: Value, totals: tuple[int, int]) -> str:
    if winner is None:
        return "a tie, and nobody wins."
    tied = " by the tie that goes to a player’s character" if totals[0] == totals[1] else ""
    return f"the {winner} wins{tied}: a style die from the box, and a failure rank for the other."
