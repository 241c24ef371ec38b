"""Factors as people give them and as contests keep them: a word of the ladder and a reason each (PN-05)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.fields import Choice, Field, Group, Listing, Text, Word
from rules.moves import Step
from rules.procedure import Options
from rules.sheet import Sheet, Trait
from rules.systems.pnc.character import WOUND, rung_of
from rules.systems.pnc.dice import Roll
from rules.systems.pnc.ladder import Rung, rung_of_circumstance
from rules.values import BadMove

MOST = 20
# What is said of a roll where words can’t follow what is ticked in its form: the die that falls whatever counts.
D20 = "1d20"

FEATURES = Listing(
    name="features", label="Features", of=Text(name="id", label="Feature", most=100), default=(),
    help="Tick what makes it easier or harder.",
)
RUNG = Choice(name="rung", label="It makes things", options=tuple(
    (rung.word, rung.word) for rung in reversed(Rung) if rung != Rung.AVERAGE
))
HOW_HARD = replace(RUNG, default="", options=tuple(
    ("" if rung == Rung.AVERAGE else rung.word, rung.word) for rung in reversed(Rung)
))
CIRCUMSTANCES = Listing(
    name="circumstances", label="Circumstances", default=(), most=5, word=Word.SAID,
    of=Group(name="circumstance", label="Circumstance", fields=(
        RUNG,
        Text(name="reason", label="Reason", most=200),
    )),
)
FIELDS: tuple[Field, ...] = (FEATURES, CIRCUMSTANCES)


def fields_for(lines: Options) -> tuple[Field, ...]:
    """What asks for factors, of somebody with these lines to tick; without any, for circumstances alone."""
    return FIELDS if lines else (CIRCUMSTANCES,)


@dataclass(frozen=True)
class Weight:
    """A factor that was put down. `rung` is as its giver means it; `against` says that it helps the other side."""

    rung: int
    reason: str
    feature: bool
    line: str = ""  # the line of a sheet that it is, "" where it is a circumstance
    by: str = ""  # whose sheet it came from, or who gave it; "" for the GM
    against: bool = False
    ticked: bool = False  # a feature that counts on its player's word; a wound binds

    @property
    def counts(self) -> int:
        """Bonus dice for whoever rolls the d20; under 0 penalty dice."""
        return -self.rung if self.against else self.rung

    @property
    def word(self) -> str:
        """The ladder's word."""
        return Rung(self.rung).word

    @property
    def dice(self) -> str:
        """What it does, as a person reads it: `2 penalty dice`."""
        return dice_in_words(self.counts)

    @property
    def sign(self) -> str:
        """Before the reason, in a list: a plus or a minus for each die."""
        return "+" * self.counts or "−" * -self.counts or "±"


def weights_of(
    sheet: Sheet | None, values: Mapping[str, Any], *, by: str = "", against: bool = False
) -> tuple[Weight, ...]:
    """The factors that checked values of `FIELDS` give; raises `BadMove` where a circumstance has no reason."""
    lines = {line.id: line for line in sheet.traits} if sheet else {}
    player = sheet is not None and not sheet.npc
    weights = [replace(weight_of(lines[feature], by, against=against), ticked=player and lines[feature].kind != WOUND)
               for feature in values.get("features", ())]
    for index, circumstance in enumerate(values.get("circumstances", ())):
        try:
            rung = rung_of_circumstance(circumstance["rung"], circumstance["reason"])
        except BadMove as bad:
            raise bad.inside(index).inside("circumstances") from None
        weights.append(Weight(int(rung), circumstance["reason"], False, "", by, against))
    return tuple(weights)


def weight_of(line: Trait, by: str, *, against: bool = False) -> Weight:
    """A line of a sheet as a factor."""
    return Weight(int(rung_of(line)), line.name, True, line.id, by, against)


def steps_of(weights: Sequence[Weight], names: Mapping[str, str]) -> tuple[Step, ...]:
    """Each factor with its reason and what it does; `names` say whose features they are."""
    return tuple(
        Step("PN-05", f"{weight.reason} ({whose(weight, names)}): {weight.word}, {weight.dice}.") for weight in weights
    )


def used(weights: Iterable[Weight]) -> tuple[str, ...]:
    """The lines of sheets that are factors already."""
    return tuple(weight.line for weight in weights if weight.line)


def is_said(weight: Weight) -> bool:
    """Whether a factor counts on a player's word: a circumstance, or that a feature applies. A wound does not, nor what
    the GM says."""
    return weight.ticked if weight.feature else bool(weight.by)


def in_words(weight: Weight, names: Mapping[str, str]) -> str:
    """A factor as the GM takes it off: `Ada says: “Smoke”, 2 penalty dice.`; of what nobody said the reason alone."""
    if not is_said(weight):
        return weight.reason
    return f"{names.get(weight.by, 'The player')} says: “{weight.reason}”, {weight.dice}."


def without(weights: Sequence[Weight], place: int) -> tuple[Weight, ...]:
    """The factors without one of them, by its place."""
    return (*weights[:place], *weights[place + 1:])


def room_for(weights: Sequence[Weight]) -> None:
    """Raises `BadMove` where there are more factors than anybody can weigh."""
    if len(weights) > MOST:
        raise BadMove(f"Weigh {MOST} factors at most. Take one off first.", "circumstances")


def dice_in_words(net: int) -> str:
    """`2 penalty dice`, `1 bonus die`, `no dice`."""
    if not net:
        return "no dice"
    return f"{abs(net)} {'bonus' if net > 0 else 'penalty'} {'die' if abs(net) == 1 else 'dice'}"


def button(roll: Roll) -> str:
    """What falls, as a button says it: `1d20 against 5d6, the lowest three`."""
    kept = "" if not roll.net else ", the lowest three" if roll.net > 0 else ", the highest three"
    return f"{D20} against {roll.dice}d6{kept}"


def come_to(roll: Roll) -> str:
    """What factors come to before the dice, when what is ticked in the form may still follow: `the factors so far make
    it 1d20 against 3d6`."""
    return f"the factors so far make it {button(roll)}"


def whose(weight: Weight, names: Mapping[str, str]) -> str:
    """Where a factor comes from: whose feature it is, who says so, or the circumstances."""
    if weight.feature:
        return names.get(weight.by, "the character")
    return f"{names.get(weight.by, 'the player')} says" if weight.by else "the circumstances"
