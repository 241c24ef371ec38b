"""Recovery at the end of a scene (PQ-18)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Listing
from rules.moves import Die, Face, MoveKind, Need, Outcome, Step, field_of, take
from rules.odds import spread, sum_of_dice
from rules.sheet import Damage, Sheet
from rules.systems.pdq.chart import Rank, rank_field
from rules.values import BadMove
from rules.wording import added


@dataclass(frozen=True)
class Healing:
    """A recovery roll: the ranks of every quality that applies to healing, weaknesses too."""

    qualities: tuple[Rank, ...] = ()

    @property
    def modifier(self) -> int:
        """What is added to the die."""
        return sum(rank.modifier for rank in self.qualities)

    def recovered(self, thrown: int) -> int:
        """How many ranks come back: never fewer than none."""
        return max(0, thrown + self.modifier)


class RecoveryMove(MoveKind[Healing]):
    """1d6 and the modifiers of the qualities that bear on healing: so many ranks come back.

    >>> RecoveryMove().resolve(RecoveryMove().read({"qualities": ["good"]}), [3]).result["recovered"]
    5
    """

    name = "pdq.recovery"
    title = "Recovery"
    fields = (
        Listing(name="qualities", label="Qualities", of=rank_field("quality", "Quality"), default=(), most=20,
                help="Every quality that applies to healing, weaknesses too."),
    )

    def build(self, **values: Any) -> Healing:
        return Healing(values["qualities"])

    def resolve(self, move: Healing, faces: Sequence[int]) -> Outcome | Need:
        if take(faces, 1) is None:
            return Need((6,))
        thrown, recovered = faces[0], move.recovered(faces[0])
        floor = ", which counts as 0" if thrown + move.modifier < 0 else ""
        came = f"{added(thrown, move.modifier)}{floor}"
        step = Step("PQ-18", f"{came}: {recovered} damage recovers, where the player chooses.")
        return Outcome({"modifier": move.modifier, "recovered": recovered}, (step,), (Die(6, thrown),))

    def odds(self, move: Healing, of: str) -> dict[Face, Fraction]:
        def result(thrown: int) -> Face:
            return field_of({"modifier": move.modifier, "recovered": move.recovered(thrown)}, of)

        return spread(sum_of_dice(1, 6), tell=result)


def recover_all(sheet: Sheet) -> tuple[Damage, ...]:
    """After a momentary danger: everything that takes all damage away."""
    return tuple(Damage(trait.id, -trait.damage) for trait in sheet.traits if trait.damage > 0)


def recover(sheet: Sheet, recovered: int, spread: Mapping[str, int]) -> tuple[Damage, ...]:
    """After a continuing danger: so many ranks come back where the player chose (`shares`, by trait id).

    Raises `BadMove` unless all that can recover does, and none more than it was damaged.
    """
    for trait_id, ranks in spread.items():
        trait = sheet.trait(trait_id)
        if trait is None or ranks < 0:
            raise BadMove("Choose among the damaged qualities of this sheet.", trait_id)
        if ranks > trait.damage:
            raise BadMove(f"{trait.name} has {trait.damage} damage; more can’t recover.", trait_id)
    to_place = min(recovered, sum(trait.damage for trait in sheet.traits))
    if sum(spread.values()) != to_place:
        raise BadMove(f"Assign {to_place} in all; you have assigned {sum(spread.values())}.", "shares")
    return tuple(Damage(trait_id, -ranks) for trait_id, ranks in spread.items() if ranks)
