"""The ladder of five words, for what a character can do and for what the situation asks (PN-05, PN-10)."""
from __future__ import annotations

from enum import IntEnum

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


def rung_of_circumstance(word: str, reason: str) -> Rung:
    """The rung of a circumstance; raises `BadMove` for a word that is not on the ladder, and where no reason is given.
    """
    if word not in WORDS:
        raise BadMove(f"Choose one of: {', '.join(WORDS)}.", "rung")
    if not reason.strip():
        raise BadMove("Enter what makes it so.", "reason")
    return WORDS[word]
