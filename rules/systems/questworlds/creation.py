"""What scores a new character has, and what they cost (QW-72, QW-74)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rules.sheet import Budget, BudgetLine
from rules.systems.questworlds.edition import FIRST, Creation
from rules.values import BadMove

# What each kind of ability is; a breakout's number is a bonus on its keyword.
DEFINING, CHARACTERISTIC, OTHER = "defining", "characteristic", "other"
BREAKOUT, CHARACTERISTIC_BREAKOUT, PACKAGED = "breakout", "characteristic breakout", "packaged"
ONE_OF_EACH = ((DEFINING,), (CHARACTERISTIC, CHARACTERISTIC_BREAKOUT))


def start_of(kind: str, rule: Creation = FIRST.creation) -> int:
    """Where an ability of this kind starts; raises `BadMove` for a kind that is not known."""
    starts = {DEFINING: rule.defining, CHARACTERISTIC: rule.characteristic, OTHER: rule.other,
              BREAKOUT: rule.breakout, CHARACTERISTIC_BREAKOUT: rule.characteristic_breakout, PACKAGED: 0}
    if kind not in starts:
        raise BadMove(f"Choose one of: {', '.join(starts)}.", "kind")
    return starts[kind]


@dataclass(frozen=True)
class Draft:
    """An ability that is being written: its name, the kind that says where it starts, and points spent on it."""

    name: str
    kind: str = OTHER
    points: int = 0


def budget(drafts: Sequence[Draft], rule: Creation = FIRST.creation) -> Budget:
    """What a builder says (QW-72): the points, the most on one, one defining ability and one characteristic."""
    remarks = [f"{draft.name} has {draft.points} points; {rule.most_on_one} is the most on one." for draft in drafts
               if draft.points > rule.most_on_one]
    remarks += [f"{draft.name} can’t start lower." for draft in drafts if draft.points < 0]
    kinds = Counter(draft.kind for draft in drafts)
    missing = {
        DEFINING: f"Choose the defining ability: it starts at {rule.defining}.",
        CHARACTERISTIC: "Enter their distinguishing characteristic in the first line.",
    }
    for alike in ONE_OF_EACH:
        count = sum(kinds[kind] for kind in alike)
        if count != 1:
            remarks.append(f"There is one {alike[0]} ability; here are {count}." if count else missing[alike[0]])
    spent = sum(max(0, draft.points) for draft in drafts)
    return Budget((BudgetLine("Points", spent, rule.points),), tuple(remarks))


def flaw_score(number: int, abilities: Sequence[int], rule: Creation = FIRST.creation) -> int:
    """The score of the first, second, third .. flaw from the scores of all abilities (QW-74); raises `BadMove`."""
    if number < 1 or not abilities:
        raise BadMove("A flaw takes its score from the abilities: write one first.", "flaws")
    return rule.flaw_score(number, tuple(abilities))
