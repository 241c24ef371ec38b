"""The one way to a roll: what counts in it, with each reason, whatever door it is made at (PN-02 to PN-05, PN-10).

    terms(sheet, values, by=sheet.id, open_ended=True).roll     # tray, page, fight and their odds
    alone(sheet, feature, open_ended=True).roll                 # matrix, and an NPC's line in the way

What the dice come to `dice.Thrown` reads, from the roll and the faces.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.moves import Step
from rules.procedure import Options
from rules.sheet import Sheet, Trait
from rules.systems.pnc.character import WOUND, options, rung_of
from rules.systems.pnc.dice import Roll
from rules.systems.pnc.factors import Weight, roll_of, room_for, steps_of, used, weight_of, weights_of
from rules.values import Value


@dataclass(frozen=True)
class Terms:
    """What a roll is made of. `own` is what is put down now, after what was there before; `left_out` are wounds that
    would count and were not ticked: that is seen by all."""

    weights: tuple[Weight, ...]
    own: tuple[Weight, ...]
    left_out: tuple[Trait, ...]
    open_ended: bool
    who: str = ""

    @property
    def roll(self) -> Roll:
        """What falls."""
        return roll_of(self.weights, open_ended=self.open_ended)

    def steps(self, names: Mapping[str, str]) -> tuple[Step, ...]:
        """What is put down now, each with its reason; `names` say whose features they are."""
        return steps_of(self.own, names)

    @property
    def omissions(self) -> tuple[Step, ...]:
        """The wounds that were left out, as the roll tells them; before it nothing is left out yet."""
        return tuple(
            Step("PN-10", f"{self.who} says that “{wound.name}” doesn’t count here.") for wound in self.left_out)


def terms(
    sheet: Sheet | None, values: Mapping[str, Any], *, by: str = "", against: bool = False,
    so_far: Sequence[Weight] = (), open_ended: bool,
) -> Terms:
    """From whose sheet it is (None for the GM's word alone), what was ticked and said, and what counted before.

    `against` turns it to the other side: what helps a defender is harder for whoever has the d20. Raises `BadMove`.
    """
    own = weights_of(sheet, values, by=by, against=against)
    weights = (*so_far, *own)
    room_for(weights)
    left_out = tuple(wound for wound in bearing(sheet) if wound.id not in used(weights)) if sheet else ()
    return Terms(weights, own, left_out, open_ended, sheet.name if sheet else "")


def bearing(sheet: Sheet) -> tuple[Trait, ...]:
    """The wounds that bear on whatever their owner does: all but grazes (PN-10)."""
    return tuple(line for line in sheet.traits if line.kind == WOUND and rung_of(line) < 0)


def ticked(sheet: Sheet, so_far: Sequence[Weight] = ()) -> tuple[Options, dict[str, Value]]:
    """The lines that can be ticked, and what a form opens with: the wounds that bear on it."""
    lines = options(sheet, used(so_far))
    wounds: list[Value] = [wound.id for wound in bearing(sheet) if wound.id in dict(lines)]
    return lines, {"features": wounds} if wounds else {}


def alone(
    sheet: Sheet, feature: Trait | None, *, of_obstacle: int = 0, more: Iterable[Weight] = (), open_ended: bool
) -> Terms:
    """A roll with one feature, or none, and all wounds that bear on it, against the GM's word of an obstacle, with
    what else is said."""
    lines = (*((feature,) if feature else ()), *(wound for wound in bearing(sheet) if wound != feature))
    given = (Weight(of_obstacle, "the obstacle", False),) if of_obstacle else ()
    own = tuple(weight_of(line, sheet.id) for line in lines)
    return Terms((*given, *own, *more), own, (), open_ended)
