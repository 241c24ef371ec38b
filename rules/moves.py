"""What a move is: something that a person does, resolved from faces alone.

A kind of move reads what was given, says which dice it needs, and answers an outcome:

    faces: list[int] = []
    while isinstance(answer := kind.resolve(move, faces), Need):
        faces += roll(answer.sides)

Nothing in here rolls; whoever calls stores the faces before asking again, so that nobody can fish for better ones.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar, Union

from rules.fields import Field, read_all
from rules.values import BadMove, Value

M = TypeVar("M")

# A field of a result as `odds` counts it: hashable, and what JSON can write as a key.
Face = Union[None, bool, int, str]


@dataclass(frozen=True, slots=True)
class Step:
    """One reason in an explanation: the rule's id (`PQ-03`) and what it did here, in a sentence."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Need:
    """Dice that a move still wants: the sides of each, in the order in which they are taken."""

    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it lies on the table. `kept` tells whether it counts; `role` is whose or which it is."""

    sides: int
    face: int
    role: str = ""
    kept: bool = True


@dataclass(frozen=True)
class Roll:
    """A move of the contract that was rolled inside something larger: whoever checks the trail resolves it anew."""

    move: str
    given: Mapping[str, Value]
    dice: tuple[int, ...]
    result: Mapping[str, Value]


@dataclass(frozen=True)
class Outcome:
    """What came of a move: `result` (codes and numbers, the contract's fields), `dice` as drawn, `steps` as told.

    An act of a contest names the `rolls` that it came to. Their dice fell in it, or earlier in the same contest.
    """

    result: Mapping[str, Value]
    steps: tuple[Step, ...]
    dice: tuple[Die, ...] = ()
    rolls: tuple[Roll, ...] = ()


class MoveKind(ABC, Generic[M]):
    """A kind of move of one game system."""

    name: str  # as in the contract: `pdq.test`
    title: str
    fields: tuple[Field, ...]

    def read(self, given: Mapping[str, Value]) -> M:
        """The move that `given` describes; raises `BadMove` with the field and a sentence."""
        return self.build(**read_all(self.fields, given))

    @abstractmethod
    def build(self, **values: object) -> M:
        """The move made of checked values; raises `BadMove` where they do not go together."""

    @abstractmethod
    def resolve(self, move: M, faces: Sequence[int]) -> Outcome | Need:
        """What comes of the move with these faces, or which dice it needs next."""

    @abstractmethod
    def odds(self, move: M, of: str) -> dict[Face, Fraction]:
        """The exact chance of each value of the result's field `of` (dots go inside: `damage.defender`)."""


def take(faces: Sequence[int], *wanted: int) -> Sequence[Sequence[int]] | None:
    """`faces` cut into runs of these lengths, or None while there are too few of them."""
    if len(faces) < sum(wanted):
        return None
    if len(faces) > sum(wanted):
        raise BadMove(f"Enter {sum(wanted)} dice; there are {len(faces)}.", "dice")
    runs, start = [], 0
    for length in wanted:
        runs.append(faces[start : start + length])
        start += length
    return runs


def field_of(result: Value, path: str) -> Face:
    """The value at `path` (`damage.defender`) in a result; raises `BadMove` where the result has none."""
    value: Value = result
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            raise BadMove(f"The result has no field {path!r}.", "of")
        value = value[name]
    if isinstance(value, (Mapping, list, tuple)):
        raise BadMove(f"Ask for one number or word inside {path!r}.", "of")
    return value  # type: ignore[return-value]
