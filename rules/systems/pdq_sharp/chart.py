"""The master chart: ranks with their modifiers, and difficulties that go further than any rank (PS-01)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from rules.fields import Choice, ChoiceOrWhole, Listing, Word
from rules.values import Value

MODIFIERS = {"poor": -2, "average": 0, "good": 2, "expert": 4, "master": 6}
POOR, AVERAGE, GOOD, EXPERT, MASTER = -1, 0, 1, 2, 3  # a sheet's numbers: a step is a rank
WORDS = dict(zip(range(POOR, MASTER + 1), MODIFIERS, strict=True))
TARGETS = {
    "poor": 5, "average": 7, "good": 9, "expert": 11, "master": 13, "impressive": 15, "intimidating": 17,
    "impossible": 19, "inconceivable": 21,
}


def modifier(fortes: Sequence[str]) -> int:
    """What all the fortes add that bear on a roll; a foible counts as poor (PS-10, PS-13)."""
    return sum(MODIFIERS[forte] for forte in fortes)


def notation(rank: str) -> str:
    """A rank as a sheet writes it: `Good [+2]`."""
    number = MODIFIERS[rank]
    return f"{rank.capitalize()} [{'−' if number < 0 else '+' if number else ''}{abs(number)}]"


def notation_of(rank: int) -> str:
    """A sheet's number as it writes it; below Poor a forte is zeroed out (PS-31)."""
    return notation(WORDS[min(rank, MASTER)]) if rank >= POOR else "Zeroed out"


def fortes_field() -> Listing:
    """The ranks of every forte that bears on a roll."""
    rank = Choice(name="forte", label="Forte", options=tuple((word, notation(word)) for word in MODIFIERS))
    return Listing(name="fortes", label="Fortes", of=rank, default=(), most=20,
                   help="Every forte that applies; their modifiers add up.")


class DifficultyField(ChoiceOrWhole):
    """A difficulty: a word of the chart, or a target number as it stands. Answers the target number."""

    def check(self, value: Value) -> int:
        checked: Union[str, int] = super().check(value)
        return TARGETS[checked] if isinstance(checked, str) else checked


def difficulty_field() -> DifficultyField:
    """A field for a difficulty."""
    options = tuple((word, f"{word.capitalize()}, {target}") for word, target in TARGETS.items())
    return DifficultyField(name="difficulty", label="Difficulty", options=options, number_label="Target number",
                           word=Word.GM, help="Choose a word from the chart or enter a target number.")


def fortes_text(fortes: Sequence[str], who: str = "") -> str:
    """The fortes in a sentence."""
    start = f"{who}: " if who else ""
    if not fortes:
        return f"{start}no forte applies, which adds nothing."
    listed = ", ".join(notation(forte) for forte in fortes)
    return f"{start}{listed} {'adds' if len(fortes) == 1 else 'add'} {signed(modifier(fortes))}."


def signed(number: int) -> str:
    """A modifier as it is written: +4, −2, +0."""
    return f"−{-number}" if number < 0 else f"+{number}"
