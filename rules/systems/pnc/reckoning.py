"""The one way to a roll: `terms` before the dice, each with its reason, `settle` after them (PN-02 to PN-05, PN-10).

    known = terms(sheet, values, by=sheet.id, open_ended=True)  # tray, page, fight and their odds
    ready(sheet, so_far, open_ended=True)                       # before its owner has chosen anything
    alone(sheet, feature, open_ended=True)                      # matrix, and an NPC's line in the way
    by_number(bonus=2, open_ended=True)                         # page of odds, and the contract's moves
    settle(known.roll, Fallen(12, None, (3, 4, 4)))             # what those faces come to

Nothing else makes a roll of dice, or reads one; `Kept` stands in the event of a roll.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.moves import Step
from rules.procedure import Options
from rules.sheet import Sheet, Trait
from rules.systems.pnc.character import WOUND, options, rung_of
from rules.systems.pnc.dice import Fallen, Roll, Thrown
from rules.systems.pnc.factors import (
    Weight,
    button,
    is_said,
    room_for,
    steps_of,
    used,
    weight_of,
    weights_of,
    without,
)
from rules.values import Value


@dataclass(frozen=True)
class Kept:
    """The terms of a roll as they are kept with its dice, so that nobody reckons them anew: every factor, and whether
    its d20 opens."""

    weights: tuple[Weight, ...] = ()
    open_ended: bool = True

    @property
    def roll(self) -> Roll:
        """What falls, with all factors together."""
        counts = [weight.counts for weight in self.weights]
        return Roll(sum(max(0, -count) for count in counts), sum(max(0, count) for count in counts), self.open_ended)

    @property
    def button(self) -> str:
        """`1d20 against 4d6, the lowest three`."""
        return button(self.roll)


def strikable(known: Kept, lying: int) -> tuple[int, ...]:
    """The places of what counts on a player's word, where so many six-sided dice lie: whatever takes no more of them
    without it."""
    return tuple(place for place, weight in enumerate(known.weights) if is_said(weight)
                 and Kept(without(known.weights, place), known.open_ended).roll.dice <= lying)


@dataclass(frozen=True)
class Terms:
    """What a roll is made of. `own` is what is put down now, after what was there before; `left_out` are wounds that
    would count and were not ticked: that is seen by all."""

    weights: tuple[Weight, ...]
    own: tuple[Weight, ...]
    left_out: tuple[Trait, ...]
    open_ended: bool
    who: str = ""
    against: bool = False  # what is put down now is turned to the other side

    @property
    def kept(self) -> Kept:
        """What is kept of them with the dice."""
        return Kept(self.weights, self.open_ended)

    @property
    def roll(self) -> Roll:
        """What falls."""
        return self.kept.roll

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
    left, name = (left_out(sheet, weights), sheet.name) if sheet else ((), "")
    return Terms(weights, own, left, open_ended, name, against)


def bearing(sheet: Sheet) -> tuple[Trait, ...]:
    """The wounds that bear on whatever their owner does: all but grazes (PN-10)."""
    return tuple(line for line in sheet.traits if line.kind == WOUND and rung_of(line) < 0)


def left_out(sheet: Sheet, weights: Iterable[Weight]) -> tuple[Trait, ...]:
    """The wounds that bear on a roll of theirs and don’t count in it."""
    counted = used(weights)
    return tuple(wound for wound in bearing(sheet) if wound.id not in counted)


def ticked(sheet: Sheet, so_far: Sequence[Weight] = ()) -> tuple[Options, dict[str, Value]]:
    """The lines that can be ticked, and what a form opens with: the wounds that bear on it, which come first, so that
    what counts is in sight."""
    lines = dict(options(sheet, used(so_far)))
    wounds: list[Value] = [wound.id for wound in bearing(sheet) if wound.id in lines]
    return tuple(sorted(lines.items(), key=lambda line: line[0] not in wounds)), {"features": wounds} if wounds else {}


def ready(sheet: Sheet, so_far: Sequence[Weight] = (), *, against: bool = False, open_ended: bool) -> Terms:
    """A roll as its form opens, or `against` one who has the d20: what counts so far, and the wounds that are ticked
    there (PN-10)."""
    own = weights_of(sheet, ticked(sheet, so_far)[1], by=sheet.id, against=against)
    weights = (*so_far, *own)
    return Terms(weights, own, left_out(sheet, weights), open_ended, sheet.name, against)


def alone(
    sheet: Sheet, feature: Trait | None, *, of_obstacle: int = 0, more: Iterable[Weight] = (), open_ended: bool
) -> Terms:
    """A roll with one feature, or none, and all wounds that bear on it, against the GM's word of an obstacle, with
    what else is said."""
    lines = (*((feature,) if feature else ()), *(wound for wound in bearing(sheet) if wound != feature))
    given = (Weight(of_obstacle, "the obstacle", False),) if of_obstacle else ()
    own = tuple(weight_of(line, sheet.id) for line in lines)
    return Terms((*given, *own, *more), own, (), open_ended)


def by_number(penalty: int = 0, bonus: int = 0, *, open_ended: bool) -> Kept:
    """A roll of which no more is known than its dice, before penalties and bonuses cancel."""
    worse, better = Weight(-1, "a penalty die", False), Weight(1, "a bonus die", False)
    return Kept((worse,) * penalty + (better,) * bonus, open_ended)


def settle(roll: Roll, fallen: Fallen) -> Thrown:
    """What these faces come to, of the six-sided dice as many as the roll takes. Of an attack the d20 and the other
    dice may be there one after the other."""
    return Thrown(roll, fallen.first, fallen.second, fallen.faces[:roll.dice])
