"""The page of odds: the two tables, and a calculator for each (PQ-21)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.fields import Field, Flag, Whole
from rules.systems.pdq.attack import Strike
from rules.systems.pdq.chart import TASKS, Rank, difficulty_field
from rules.systems.pdq.reckoning import chances_of, how_hard, odds_of_test, of_ranks, test_of
from rules.systems.pdq.roll import Shift, Side
from rules.systems.pdq.tables import Exchange, conflict_table, test_table
from rules.tables import Calculator, Cell, OddsAnswer, Table
from rules.wording import decimal

MOST = 9


def tables(settings: Mapping[str, Any]) -> tuple[Table, ...]:
    """The chance of success for each rank and difficulty, and of a hit for each two ranks, as the settings have it."""
    stands = settings["defence"] == "stand"
    tests, attacks = test_table(), conflict_table(static_defence=stands)
    return (
        Table(
            "Tests", "The chance to succeed with one quality, by difficulty.", "PQ-02", "Difficulty",
            tuple(f"{TASKS[hard].capitalize()} {hard.target}" for hard in Rank),
            tuple((rank.notation, tuple(Cell(tests[rank][hard]) for hard in Rank)) for rank in Rank),
        ),
        Table(
            "Attacks",
            "The chance that the attacker is higher, and the mean damage when so"
            + (", against a defender who uses a target number." if stands else ", when both roll."),
            "PQ-14", "Defender", tuple(rank.notation for rank in Rank),
            tuple((rank.notation, tuple(_hit(attacks[rank][foe]) for foe in Rank)) for rank in Rank),
        ),
    )


def calculators(settings: Mapping[str, Any]) -> tuple[Calculator, ...]:
    """Any combination of qualities and shifts, for a test and for an attack."""
    attack_fields = (
        *_side("attacker", "Attacker"), *_side("defender", "Defender"),
        Flag(name="stands", label="The defender uses a target number", default=settings["defence"] == "stand"),
        Flag(name="weapon", label="A weapon counts"),
        Flag(name="surprise", label="Complete surprise"),
        Flag(name="weakness", label="First damage of the scene, with a relevant weakness"),
    )
    return (
        Calculator("test", "Any test", "How many qualities of each rank apply, and how they shift.",
                   (*_side("side", ""), difficulty_field()), _test),
        Calculator("attack", "Any attack", "Both sides as they are now.", attack_fields, _attack),
    )


def _side(name: str, whose: str) -> tuple[Field, ...]:
    start = f"{whose}: " if whose else ""
    ranks = tuple(
        Whole(name=f"{name}_{rank.word}", label=f"{start}{rank.notation}", default=0, most=MOST) for rank in Rank
    )
    shifts = tuple(
        Whole(name=f"{name}_{shift}", label=f"{start}{shift}".capitalize(), default=0, most=MOST)
        for shift in ("upshifts", "downshifts")
    )
    return ranks + shifts


def _side_of(name: str, values: Mapping[str, Any]) -> Side:
    ranks = tuple(rank for rank in Rank for _ in range(values[f"{name}_{rank.word}"]))
    return of_ranks(ranks, (Shift(values[f"{name}_upshifts"]), Shift(-values[f"{name}_downshifts"])))


def _test(values: Mapping[str, Any]) -> OddsAnswer:
    task = test_of(_side_of("side", values), how_hard(values))
    rolled = f"{task.side.notation} against {task.target}."
    return odds_of_test(task, rolled if task.side.dice else "A downshift below Poor fails without a roll.")


def _attack(values: Mapping[str, Any]) -> OddsAnswer:
    first = values["weakness"]
    result = chances_of(Strike(
        _side_of("attacker", values), _side_of("defender", values), values["stands"], values["weapon"],
        values["surprise"], first, first,
    ))
    facts = (f"{decimal(result.mean_damage, 2)} damage on average when it hits.",) if result.mean_damage else ()
    outcomes = (
        ("Hit", result.higher, "good"), ("Tie, 1 damage each", result.tie, "fair"), ("No effect", result.lower, "bad"),
    )
    return OddsAnswer(outcomes, facts)


def _hit(result: Exchange) -> Cell:
    return Cell(result.higher, f"{decimal(result.mean_damage)} damage" if result.mean_damage is not None else "")
