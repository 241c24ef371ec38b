"""The ladder of five words, for what a character can do and for what the situation asks (PN-05, PN-10)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from rules.moves import Step
from rules.systems.pnc.dice import Roll, band_of, signed
from rules.values import BadMove


class Rung(IntEnum):
    """How easy something is for this character here: over 0 bonus dice, under 0 penalty dice."""

    VERY_HARD = -2
    HARD = -1
    AVERAGE = 0
    EASY = 1
    VERY_EASY = 2

    @property
    def word(self) -> str:
        """As a person says it: `very hard`."""
        return self.name.lower().replace("_", " ")


WORDS = {rung.word: rung for rung in Rung}


def word_of(value: int) -> str:
    """The ladder's word for a number, which is cut off at its ends."""
    return Rung(max(Rung.VERY_HARD, min(Rung.VERY_EASY, value))).word


@dataclass(frozen=True)
class Factor:
    """One thing that makes a roll easier or harder, and why. `feature` tells the character's own from the rest."""

    rung: Rung
    reason: str
    feature: bool = False


def factor(word: str, reason: str, feature: bool = False) -> Factor:
    """A factor from the ladder's word; raises `BadMove` for a word that is not on it, and where no reason is given."""
    if word not in WORDS:
        raise BadMove(f"Choose one of: {', '.join(WORDS)}.", "rung")
    if not reason.strip():
        raise BadMove("Say what makes it so.", "reason")
    return Factor(WORDS[word], reason, feature)


def dice_of(factors: Sequence[Factor], open_ended: bool = True) -> tuple[Roll, tuple[Step, ...]]:
    """The roll that all factors make together, each explained by its reason (PN-05)."""
    penalty = sum(-each.rung for each in factors if each.rung < 0)
    bonus = sum(int(each.rung) for each in factors if each.rung > 0)
    steps = tuple(
        Step("PN-05", f"{each.reason} ({'the character' if each.feature else 'the circumstances'}): {each.rung.word}.")
        for each in factors
    )
    return Roll(penalty, bonus, open_ended), steps


@dataclass(frozen=True)
class Wound:
    """A line on the sheet: what happened, and the degree of the hit that did it (PN-10)."""

    text: str
    degree: int

    @property
    def notation(self) -> str:
        """As a sheet writes it: `cut arm (+4, sufficient success)`."""
        return f"{self.text} ({signed(self.degree)}, {band_of(self.degree)})"
