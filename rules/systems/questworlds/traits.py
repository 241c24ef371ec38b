"""What stands on a sheet: kinds of lines, the score that counts for each, what lasts after a contest (QW-60, QW-72)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.sheet import Sheet, Trait
from rules.systems.questworlds.notation import of_rank, rank_of

CHARACTERISTIC, KEYWORD, BREAKOUT, ABILITY = "characteristic", "keyword", "breakout", "ability"
CHARACTERISTIC_BREAKOUT = "characteristic_breakout"
RELATIONSHIP, RETAINER = "relationship", "retainer"
SIDEKICK, SIDEKICK_ABILITY = "sidekick", "sidekick_ability"
FLAW, CONSEQUENCE, BENEFIT = "flaw", "consequence", "benefit"

# Lines that are written with a score of their own.
SCORED = (CHARACTERISTIC, KEYWORD, ABILITY, RELATIONSHIP, RETAINER, SIDEKICK_ABILITY)
# Lines that are a bonus on the keyword that they stand in.
BONUSES = (BREAKOUT, CHARACTERISTIC_BREAKOUT)
LASTING = (CONSEQUENCE, BENEFIT)


def score_of(trait: Trait, sheet: Sheet) -> int | None:
    """What a line counts in a contest: a breakout with its keyword's score; None for what has no score."""
    if trait.kind in BONUSES:
        within = sheet.trait(trait.parent)
        return (within.value if within else 0) + trait.value
    return trait.value if trait.kind in SCORED or trait.kind == FLAW else None


def usable(sheet: Sheet) -> tuple[Trait, ...]:
    """The lines that one can frame a contest with."""
    return tuple(trait for trait in sheet.traits if trait.kind in SCORED or trait.kind in BONUSES)


def flaws(sheet: Sheet) -> tuple[Trait, ...]:
    """The flaws."""
    return tuple(trait for trait in sheet.traits if trait.kind == FLAW)


def lasting(sheet: Sheet) -> tuple[Trait, ...]:
    """Consequences and benefits that stand on a sheet."""
    return tuple(trait for trait in sheet.traits if trait.kind in LASTING)


def adds(trait: Trait) -> int:
    """What a consequence takes off, or a benefit adds."""
    value = of_rank(min(abs(trait.value), 5))
    return -value if trait.kind == CONSEQUENCE else value


def family(trait: Trait) -> str:
    """The id of the keyword that a line is, or stands in."""
    return trait.parent or trait.id


def together(lines: Sequence[Trait], by_value: bool = False) -> int:
    """What several consequences and benefits come to: added by rank, or by what each adds (QW-61).

    By rank, +2 against −1 is one rank up; past five ranks it stays at five.
    """
    if by_value:
        return sum(adds(trait) for trait in lines)
    ranks = sum(-trait.value if trait.kind == CONSEQUENCE else trait.value for trait in lines)
    return of_rank(max(-5, min(5, ranks)))


def rank_in_words(value: int) -> str:
    """`rank 2` for what a rank adds; "" for a number that is no rank."""
    rank = rank_of(value)
    return f"rank {rank}" if rank is not None else ""
