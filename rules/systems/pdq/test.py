"""A test: a task against a target number (PQ-02 to PQ-09)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Union

from rules.fields import Flag, Listing, Text, Word
from rules.moves import Die, Face, MoveKind, Need, Outcome, Roll, Step, field_of, take
from rules.odds import spread, sum_of_dice
from rules.systems.pdq.chart import Rank, difficulty_field
from rules.systems.pdq.roll import Side, as_move, given_of, side_fields, side_of
from rules.values import BadMove, Value
from rules.wording import added


@dataclass(frozen=True)
class Task:
    """A task: the side that tries it, how hard it is, whether it is simple, whether failing hurts.

    `whose` names the target's quality that sets the difficulty, `team` those who join in; both only explain.
    """

    side: Side
    difficulty: Union[Rank, int]
    simple: bool = False
    harm: bool = False
    whose: str = ""
    team: tuple[str, ...] = ()

    @property
    def target(self) -> int:
        """The target number."""
        return self.difficulty.target if isinstance(self.difficulty, Rank) else self.difficulty

    @property
    def easy(self) -> bool:
        """Whether a simple situation is settled by a rank above the difficulty (PQ-06)."""
        return self.simple and isinstance(self.difficulty, Rank) and self.side.best > self.difficulty

    @property
    def automatic(self) -> str:
        """`success` or `failure` where no dice fall; "" where they do."""
        return "failure" if self.side.fails else "success" if self.easy else ""

    def steps(self) -> tuple[Step, ...]:
        """What is known before any dice fall."""
        steps = [*self.side.steps()]
        if len(self.team) > 1:
            steps.append(Step("PQ-08", f"{_listed(self.team)} team up: their qualities add up and one of them rolls."))
        if self.whose:
            steps.append(Step("PQ-09", f"The difficulty comes from the target’s own {self.whose}: {self.target}."))
        return tuple(steps)


class TestMove(MoveKind[Task]):
    """2d6 and the modifiers of every quality applied, at or over the target number.

    >>> move = TestMove().read({"qualities": ["good", "expert"], "difficulty": "master"})
    >>> TestMove().resolve(move, [3, 4]).result["total"]
    13
    """

    name = "pdq.test"
    title = "Test"
    fields = (
        *side_fields(),
        difficulty_field(),
        Flag(name="simple", label="A simple situation", help="A rank above the difficulty succeeds without a roll.",
             word=Word.GM),
        Flag(name="harm", label="Failing hurts",
             help="If you fail, you take damage equal to the amount you missed by.", word=Word.GM),
        Text(name="whose", label="The target’s quality", most=100,
             help="Where a quality of the target sets the difficulty: its name, for the explanation."),
        Listing(name="team", label="Team", of=Text(name="name", label="Name", most=100), default=(), most=20),
    )

    def build(self, **values: Any) -> Task:
        if values["simple"] and not isinstance(values["difficulty"], Rank):
            raise BadMove("A simple situation needs a rank as its difficulty.", "difficulty")
        return Task(
            side_of(values), values["difficulty"], values["simple"], values["harm"], values["whose"], values["team"],
        )

    def resolve(self, move: Task, faces: Sequence[int]) -> Outcome | Need:
        steps = move.steps()
        if move.automatic:
            take(faces, 0)
            return _automatic(move, steps)
        if take(faces, move.side.dice) is None:
            return Need((6,) * (move.side.dice - len(faces)))
        total = sum(faces) + move.side.modifier
        dice = tuple(Die(6, face) for face in faces)
        return Outcome(_result(move, total), (*steps, *_shown_steps(move, sum(faces), total)), dice)

    def odds(self, move: Task, of: str) -> dict[Face, Fraction]:
        if move.automatic:
            return {field_of(_automatic(move, ()).result, of): Fraction(1)}
        throws = sum_of_dice(move.side.dice, 6)
        return spread(throws, tell=lambda sum_: field_of(_result(move, sum_ + move.side.modifier), of))


def rolls_of(task: Task, dice: Sequence[int]) -> tuple[Roll, ...]:
    """A test with these dice as the contract tells it; none where its side is more than the contract takes."""
    side = given_of(task.side)
    if side is None:
        return ()
    hard = task.difficulty.word if isinstance(task.difficulty, Rank) else task.difficulty
    return as_move(TestMove(), {**side, "difficulty": hard, "simple": task.simple, "harm": task.harm}, dice)


def _automatic(move: Task, steps: tuple[Step, ...]) -> Outcome:
    result: dict[str, Value] = {
        "automatic": move.automatic, "target": move.target, "success": move.automatic == "success",
    }
    if move.automatic == "success":
        text = f"The situation is simple and a rank is above {Rank(move.difficulty).word}: no roll is needed."
        steps = (*steps, Step("PQ-06", text))
    if move.harm:
        result["damage"] = 0
        if move.automatic == "failure":
            steps = (*steps, Step("PQ-07", "No dice fell, so there is no difference and no damage."))
    return Outcome(result, steps)


def _result(move: Task, total: int) -> dict[str, Value]:
    margin = total - move.target
    result: dict[str, Value] = {
        "modifier": move.side.modifier, "total": total, "target": move.target, "success": margin >= 0, "margin": margin,
    }
    if move.harm:
        result["damage"] = max(0, -margin)
    return result


def _shown_steps(move: Task, thrown: int, total: int) -> tuple[Step, ...]:
    margin = total - move.target
    verdict = "a success" if margin >= 0 else "a failure"
    steps = [Step("PQ-02", f"{added(thrown, move.side.modifier)} against {move.target}: {verdict}.")]
    if move.harm and margin < 0:
        steps.append(Step("PQ-07", f"Failing hurts: {-margin} damage, the difference."))
    return tuple(steps)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
