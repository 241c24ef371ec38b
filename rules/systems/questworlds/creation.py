"""What scores a new character has, and what they cost (QW-72, QW-74)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rules.sheet import Budget, BudgetLine
from rules.values import BadMove

POINTS = 20
MOST_ON_ONE = 10

# Where each kind of ability starts; a breakout's number is a bonus on its keyword.
DEFINING, CHARACTERISTIC, OTHER = "defining", "characteristic", "other"
BREAKOUT, CHARACTERISTIC_BREAKOUT, PACKAGED = "breakout", "characteristic breakout", "packaged"
STARTS = {DEFINING: 17, CHARACTERISTIC: 17, OTHER: 13, BREAKOUT: 1, CHARACTERISTIC_BREAKOUT: 4, PACKAGED: 0}
MISSING = {
    DEFINING: "Say which ability is the defining one: it starts at 17.",
    CHARACTERISTIC: "Say what their distinguishing characteristic is, in the first line.",
}
ONE_OF_EACH = ((DEFINING,), (CHARACTERISTIC, CHARACTERISTIC_BREAKOUT))


@dataclass(frozen=True)
class Draft:
    """An ability that is being written: its name, the kind that says where it starts, and points spent on it."""

    name: str
    kind: str = OTHER
    points: int = 0

    @property
    def start(self) -> int:
        """Where it starts; raises `BadMove` for a kind that is not known."""
        if self.kind not in STARTS:
            raise BadMove(f"Choose one of: {', '.join(STARTS)}.", "kind")
        return STARTS[self.kind]

    @property
    def value(self) -> int:
        """Its score, or a breakout's bonus."""
        return self.start + self.points


def budget(drafts: Sequence[Draft]) -> Budget:
    """What a builder says (QW-72): twenty points, ten on one at most, one defining ability and one characteristic."""
    remarks = [f"{draft.name} has {draft.points} points; {MOST_ON_ONE} is the most on one." for draft in drafts
               if draft.points > MOST_ON_ONE]
    remarks += [f"{draft.name} can't start lower." for draft in drafts if draft.points < 0]
    kinds = Counter(draft.kind for draft in drafts)
    for alike in ONE_OF_EACH:
        count = sum(kinds[kind] for kind in alike)
        if count != 1:
            remarks.append(f"There is one {alike[0]} ability; here are {count}." if count
                           else MISSING[alike[0]])
    return Budget((BudgetLine("Points", sum(max(0, draft.points) for draft in drafts), POINTS),), tuple(remarks))


def flaw_score(number: int, abilities: Sequence[int]) -> int:
    """The score of the first, second, third .. flaw from the scores of all abilities (QW-74); raises `BadMove`.

    The first is as high as the highest, the second as the second highest, any later one as the lowest.
    """
    if number < 1 or not abilities:
        raise BadMove("A flaw takes its score from the abilities: write one first.", "flaws")
    ordered = sorted(abilities, reverse=True)
    return ordered[min(number, len(ordered)) - 1] if number <= 2 else ordered[-1]
