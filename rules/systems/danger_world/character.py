"""What a character starts with, and what goes into the pool of a check (DW-01, DW-02)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.moves import Step
from rules.sheet import Budget, BudgetLine
from rules.systems.danger_world.pool import Pool
from rules.systems.danger_world.track import BASHED, STUNNED, Damage, zone_of
from rules.values import BadMove

PHYSICAL = ("agility", "endurance", "speed", "strength")
MENTAL = ("perception", "reasoning", "charisma", "cool")
STATS = PHYSICAL + MENTAL
LOWEST, HIGHEST = 1, 4
DICE_TO_SPREAD = 8
KNOWN_ASPECTS = 3


def budget(stats: Mapping[str, int], known_aspects: int) -> Budget:
    """What a builder says: eight dice over one in each stat, each from 1 to 4, and three primary aspects (DW-01)."""
    spent = sum(stats.get(name, LOWEST) - LOWEST for name in STATS)
    remarks = tuple(f"{name.capitalize()} goes from {LOWEST} to {HIGHEST}." for name in STATS
                    if not LOWEST <= stats.get(name, LOWEST) <= HIGHEST)
    unknown = tuple(f"There is no stat {name!r}." for name in stats if name not in STATS)
    return Budget((
        BudgetLine("Dice in stats", spent, DICE_TO_SPREAD),
        BudgetLine("Known aspects", known_aspects, KNOWN_ASPECTS),
    ), remarks + unknown)


@dataclass(frozen=True)
class Attempt:
    """What a player brings to a check, before boxes and complications are counted."""

    stats: tuple[int, int]
    bonus: int = 0
    story_points: int = 0
    aspect_dice: int = 0
    danger: int = 0
    complications: int = 0


def pool_of(attempt: Attempt, damage: Damage, level: int) -> tuple[Pool, tuple[Step, ...]]:
    """The pool of a check and why (DW-02); raises `BadMove` for more danger dice than the zone's rank (DW-08)."""
    rank = zone_of(level).rank
    if attempt.danger > rank:
        raise BadMove(f"In zone {rank} there are at most {rank} danger dice.", "danger")
    bashed, stunned = damage.filled[BASHED.rank - 1], damage.filled[STUNNED.rank - 1]
    extra = attempt.bonus + attempt.story_points + attempt.aspect_dice
    action = max(0, sum(attempt.stats) + extra - stunned)
    steps = [Step("DW-02", f"Two stats give {sum(attempt.stats)} dice, all else {extra} more.")]
    if stunned:
        steps.append(Step("DW-14", f"Stunned boxes take {stunned} away."))
    if bashed or attempt.complications:
        steps.append(Step("DW-02", f"Threat dice: {bashed} for boxes, {attempt.complications} for complications."))
    return Pool(action, attempt.danger, bashed + attempt.complications), tuple(steps)
