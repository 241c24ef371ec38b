"""The page of odds: challenges by rank, what more dice are worth, and calculators (PS-10, PS-11, PS-16)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rules.fields import Field, Whole
from rules.systems.pdq_sharp.challenge_roll import MOST_BONUS, Challenge, ChallengeMove, Flashy, FlashyMove, Side
from rules.systems.pdq_sharp.chart import MODIFIERS, TARGETS, difficulty_field, notation, signed
from rules.systems.pdq_sharp.reckoning import KEEP, many_dice
from rules.tables import Calculator, Cell, OddsAnswer, Table

MOST = 9  # of one rank
MORE, BEST = range(5), 12  # dice beyond the two that count, and what those can come to


def tables() -> tuple[Table, ...]:
    """The chance of success for each rank and difficulty; and with an average forte, for each number of dice."""
    heads = tuple(f"{word.capitalize()} {target}" for word, target in TARGETS.items())
    reached = tuple(target for target in TARGETS.values() if target <= BEST)
    return (
        Table(
            "Challenges", "The chance to succeed with one forte, by difficulty.", "PS-10", "Difficulty", heads,
            tuple((notation(rank), _row(Side((rank,)), TARGETS.values())) for rank in MODIFIERS),
        ),
        Table(
            "More dice", "What techniques and style dice are worth as dice, with an average forte. The best two count.",
            "PS-11", "Difficulty", heads[:len(reached)],
            tuple((many_dice(KEEP + more), _row(Side(bonus_dice=more), reached)) for more in MORE),
        ),
    )


def calculators() -> tuple[Calculator, ...]:
    """Any fortes and any dice, against a difficulty and against somebody."""
    flashy = (*_fields("challenger", "Challenger"), *_fields("challenged", "Opponent"))
    return (
        Calculator("challenge", "Any challenge", "How many fortes of each rank count, and what techniques add.",
                   (*_fields("side", ""), difficulty_field()), _challenge),
        Calculator("flashy", "Any flashy challenge", "Both sides as they are now; the higher total wins.", flashy,
                   _flashy),
    )


def _row(side: Side, targets: Iterable[int]) -> tuple[Cell, ...]:
    return tuple(Cell(_success(Challenge(side, target))) for target in targets)


def _success(challenge: Challenge) -> Fraction:
    return ChallengeMove().odds(challenge, "success").get(True, Fraction(0))


def _fields(name: str, whose: str) -> tuple[Field, ...]:
    start = f"{whose}: " if whose else ""
    ranks = (Whole(name=f"{name}_{rank}", label=f"{start}{notation(rank)}", default=0, most=MOST) for rank in MODIFIERS)
    return (*ranks, Whole(name=f"{name}_bonus_dice", label=f"{start}Bonus dice", default=0, most=MOST_BONUS),
            Whole(name=f"{name}_flat", label=f"{start}Flat bonus", default=0, most=MOST_BONUS))


def _side(name: str, values: Mapping[str, Any]) -> Side:
    fortes = tuple(rank for rank in MODIFIERS for _ in range(values[f"{name}_{rank}"]))
    return Side(fortes, values[f"{name}_bonus_dice"], values[f"{name}_flat"])


def _challenge(values: Mapping[str, Any]) -> OddsAnswer:
    side, target = _side("side", values), values["difficulty"]
    chance = _success(Challenge(side, target))
    rolled = f"{many_dice(side.dice)}, the best two {signed(side.adds)} against {target}."
    return OddsAnswer((("Success", chance, "good"), ("Failure", 1 - chance, "bad")), (rolled,))


def _flashy(values: Mapping[str, Any]) -> OddsAnswer:
    odds = FlashyMove().odds(Flashy(_side("challenger", values), _side("challenged", values)), "winner")
    named = (("The challenger wins", "challenger", "good"), ("A tie", None, "fair"),
             ("The challenged wins", "challenged", "bad"))
    return OddsAnswer(tuple((label, odds.get(winner, Fraction(0)), tone) for label, winner, tone in named),
                      ("A tie goes to a player’s character against an NPC.",))
