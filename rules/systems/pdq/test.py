"""A test: a task against a target number (PQ-02 to PQ-07)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Union

from rules.fields import Flag, Listing, Whole
from rules.moves import Die, Face, MoveKind, Need, Outcome, Step, field_of, take
from rules.odds import spread, sum_of_dice
from rules.systems.pdq.chart import Rank, difficulty_field, rank_field
from rules.systems.pdq.roll import Side, signed
from rules.values import BadMove, Value


@dataclass(frozen=True)
class Task:
    """A task: the side that tries it, how hard it is, whether it is simple, whether failing hurts."""

    side: Side
    difficulty: Union[Rank, int]
    simple: bool = False
    harm: bool = False

    @property
    def target(self) -> int:
        """The target number."""
        return self.difficulty.target if isinstance(self.difficulty, Rank) else self.difficulty


class TestMove(MoveKind[Task]):
    """2d6 and the modifiers of every quality applied, at or over the target number.

    >>> move = TestMove().read({"qualities": ["good", "expert"], "difficulty": "master"})
    >>> TestMove().resolve(move, [3, 4]).result["total"]
    13
    """

    name = "pdq.test"
    title = "Test"
    fields = (
        Listing(name="qualities", label="Qualities", of=rank_field("quality", "Quality"), default=(), most=20,
                help="Every quality that applies; their modifiers add up."),
        Whole(name="upshifts", label="Upshifts", default=0, most=20),
        Whole(name="downshifts", label="Downshifts", default=0, most=20),
        difficulty_field(),
        Whole(name="lead", label="Lead quality", default=None, most=19,
              help="Which of the qualities the shifts move; the highest one, where none is named."),
        Flag(name="simple", label="A simple situation", help="A rank above the difficulty succeeds without a roll."),
        Flag(name="harm", label="Failing hurts", help="What is missing to the target number is damage."),
    )

    asks = ("difficulty", "simple", "harm")

    def build(self, **values: Any) -> Task:
        qualities, lead = values["qualities"], values["lead"]
        if lead is not None and lead >= len(qualities):
            raise BadMove("Name one of the qualities that apply.", "lead")
        if values["simple"] and not isinstance(values["difficulty"], Rank):
            raise BadMove("A simple situation needs a rank as its difficulty.", "difficulty")
        side = Side(qualities, values["upshifts"], values["downshifts"], lead)
        return Task(side, values["difficulty"], values["simple"], values["harm"])

    def resolve(self, move: Task, faces: Sequence[int]) -> Outcome | Need:
        side, steps = move.side, move.side.steps()
        if side.fails:
            return _automatic(move, "failure", steps)
        if move.simple and isinstance(move.difficulty, Rank) and side.shifted > move.difficulty:
            told = f"The situation is simple and the rank is above {move.difficulty.word}: no roll is needed."
            return _automatic(move, "success", (*steps, Step("PQ-06", told)))
        runs = take(faces, side.dice)
        if runs is None:
            return Need((6,) * (side.dice - len(faces)))
        total = sum(faces) + side.modifier
        dice = tuple(Die(6, face) for face in faces)
        return Outcome(_result(move, total), (*steps, *_told(move, sum(faces), total)), dice)

    def odds(self, move: Task, of: str) -> dict[Face, Fraction]:
        settled = self.resolve(move, ()) if not self._rolls(move) else None
        if isinstance(settled, Outcome):
            return {field_of(settled.result, of): Fraction(1)}
        throws = sum_of_dice(move.side.dice, 6)
        return spread(throws, tell=lambda sum_: field_of(_result(move, sum_ + move.side.modifier), of))

    @staticmethod
    def _rolls(move: Task) -> bool:
        side = move.side
        easy = move.simple and isinstance(move.difficulty, Rank) and side.shifted > move.difficulty
        return not (side.fails or easy)


def _automatic(move: Task, how: str, steps: tuple[Step, ...]) -> Outcome:
    result: dict[str, Value] = {"automatic": how, "target": move.target, "success": how == "success"}
    if move.harm:
        result["damage"] = 0
    return Outcome(result, steps)


def _result(move: Task, total: int) -> dict[str, Value]:
    margin = total - move.target
    result: dict[str, Value] = {
        "modifier": move.side.modifier, "total": total, "target": move.target, "success": margin >= 0, "margin": margin,
    }
    if move.harm:
        result["damage"] = max(0, -margin)
    return result


def _told(move: Task, thrown: int, total: int) -> tuple[Step, ...]:
    margin = total - move.target
    verdict = "a success" if margin >= 0 else "a failure"
    steps = [Step("PQ-02", f"{thrown} {signed(move.side.modifier)} = {total} against {move.target}: {verdict}.")]
    if move.harm and margin < 0:
        steps.append(Step("PQ-07", f"Failing hurts: {-margin} damage, the difference."))
    return tuple(steps)
