"""One reckoning: the same roll by every door has the same target, the same chance and the same reasons."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.fields import read_all
from rules.procedure import ActResult
from rules.registry import SYSTEMS
from rules.sheet import Sheet, Trait
from rules.systems import pdq
from rules.systems.pdq.at_table import TestAtTable
from rules.systems.pdq.attack import AttackMove
from rules.systems.pdq.reckoning import by_word, how_hard, task_of, terms, tried, written
from rules.systems.pdq.roll import Side
from rules.systems.pdq.test import TestMove
from rules.tray import Around, Obstacle, in_one, rehearse
from tests.rules.one_place import said_in
from tests.rules.pdq.walking import KIND, Table, sheet

PDQ, TRAY = SYSTEMS["pdq"], TestAtTable()
ADA, BO = sheet("Ada", fists=1, rope=2, wits=3, slow=-1), sheet("Bo", sword=1)
UP, DOWN = ("upshift", 1, "High ground"), ("downshift", 1, "In the dark")
WORDS = {-1: "poor", 0: "average", 1: "good", 2: "expert", 3: "master"}

# Which lines, which of them leads, what is said, how hard, damage on the first line.
CASES: list[tuple[list[str], str, list[tuple[str, int, str]], Any, int]] = [
    ([], "", [], "average", 0),
    (["fists"], "", [], "good", 0),
    (["fists", "rope"], "", [], "master", 0),
    (["wits"], "", [UP], "master", 0),
    (["fists", "wits"], "fists", [UP, DOWN], "expert", 0),
    (["slow"], "", [DOWN], "poor", 0),
    (["rope"], "", [("upshift", 4, "")], 9, 1),
    (["fists", "slow"], "slow", [("downshift", 2, "Wounded"), UP], 11, 2),
]

CASES += [(lines, lead, said, hard, damage) for (lines, lead, damage), said, hard in product(
    [(["fists"], "", 1), (["rope", "slow"], "", 0), (["fists", "rope", "wits"], "", 2), (["wits", "slow"], "slow", 0)],
    [[], [UP], [DOWN, ("downshift", 1, "Wounded")], [("upshift", 3, "All night for it")]], ["average", 13])]


def hurt(damage: int, first: str) -> Sheet:
    lines = [replace(line, damage=damage) if line.id == f"ada.{first}" else line for line in ADA.traits]
    return replace(ADA, traits=tuple(lines))


def said_side(traits: list[Trait], lead: str, said: list[tuple[str, int, str]]) -> Side:
    lines = [{"kind": kind, "amount": amount, "reason": reason} for kind, amount, reason in said]
    ids = [line.id for line in traits]
    return terms(traits, by_word(lines, "Ada"), ids.index(f"ada.{lead}") if lead else None)


def chance_in(odds: Any) -> Fraction:
    return next(chance for word, chance, _ in odds.outcomes if word in ("Success", "Hit"))


@pytest.mark.parametrize(("lines", "lead", "said", "hard", "damage"), CASES)
def test_a_test_is_the_same_by_tray_conflict_and_page_of_odds(
    lines: list[str], lead: str, said: list[tuple[str, int, str]], hard: Any, damage: int
) -> None:
    ada = hurt(damage, lines[0] if lines else "")
    traits: list[Trait] = [line for name in lines if (line := ada.trait(f"ada.{name}"))]
    leads = {"lead": f"ada.{lead}"} if lead else {}
    side = said_side(traits, lead, said)
    task = task_of(tried(side, how_hard(read_all(PDQ.rolls.obstacle, {"difficulty": hard}))))
    by_tray = TestMove().odds(task, "success").get(True, Fraction(0))
    if not lead:  # as the tray lets the highest lead
        ticked = {"traits": [line.id for line in traits],
                  "lines": [{"kind": kind, "amount": amount, "reason": reason} for kind, amount, reason in said]}
        setup = {"contestants": [{"sheet": "ada"}]}
        roll = TRAY.from_tray(ada, setup, ticked, Around(against=Obstacle("It", {"difficulty": hard})))
        assert chance_in(rehearse(TRAY, roll, {"ada": ada}).odds[0][1]) == by_tray
        came = in_one(TRAY, roll, {"ada": ada}, (3,) * (0 if task.automatic else task.side.dice))
        assert isinstance(came, ActResult) and came.result["target"] == task.target
        assert {(step.rule, step.text) for step in side.steps()} <= {(step.rule, step.text) for step in came.steps}

    played = Table([ada, BO], contestants=[
        {"sheet": "ada", "side": "one", "player": True}, {"sheet": "bo", "side": "two"}])
    given = {"qualities": [line.id for line in traits], "difficulty": hard,
             "lines": [{"kind": kind, "amount": amount, "reason": reason} for kind, amount, reason in said], **leads}
    ((against, odds),) = KIND.forecast(played.state, played.sheets, "ada", "act", given)
    assert (against, chance_in(odds)) == (f"Against {task.target}", by_tray)
    result = played.act("ada", "act", **given)
    assert result["target"] == task.target
    reasons = [(step.rule, step.text) for step in side.steps()]
    assert played.last is not None
    told = {(step.rule, step.text) for step in played.last.outcome.steps}
    assert set(reasons) <= told, "each modifier with its reason"
    assert all(any(f"Ada says: {amount} {kind}" in text for _, text in reasons) for kind, amount, _ in said)

    page = next(calculator for calculator in PDQ.rolls.calculators(PDQ.read_settings({})) if calculator.name == "test")
    if not lead:  # the page lets the highest lead
        counted: dict[str, Any] = {f"side_{word}": 0 for word in WORDS.values()}
        for line in traits:
            counted[f"side_{WORDS[line.now]}"] += 1
        for way in ("upshift", "downshift"):
            counted[f"side_{way}s"] = sum(amount for kind, amount, _ in said if kind == way)
        assert chance_in(page.answer({**counted, "difficulty": task.difficulty})) == by_tray


@pytest.mark.parametrize(("lines", "lead", "said", "hard", "damage"), CASES)
def test_an_attack_is_the_same_by_the_contract_and_in_a_conflict(
    lines: list[str], lead: str, said: list[tuple[str, int, str]], hard: Any, damage: int
) -> None:
    ada = hurt(damage, lines[0] if lines else "")
    traits: list[Trait] = [line for name in lines if (line := ada.trait(f"ada.{name}"))]
    leads = {"lead": f"ada.{lead}"} if lead else {}
    move = AttackMove().read({"attacker": written(said_side(traits, lead, said)),
                              "defender": {"qualities": ["good"]}, "first_damage": True})

    played = Table([ada, BO], contestants=[
        {"sheet": "ada", "side": "one", "player": True, "surprises": True}, {"sheet": "bo", "side": "two"}])
    choice = {"targets": ["bo"], "qualities": [line.id for line in traits], **leads,
              "lines": [{"kind": kind, "amount": amount, "reason": reason} for kind, amount, reason in said]}
    ((_, odds),) = KIND.forecast(played.state, played.sheets, "ada", "attack", choice)
    assert {f"Ada says: {amount} {kind}" in " ".join(odds.facts) for kind, amount, _ in said} <= {True}
    played.act("ada", "attack", **choice)
    if not move.attacker.fails:
        ((_, exact),) = KIND.forecast(played.state, played.sheets, "bo", "defend", {"qualities": ["bo.sword"]})
        assert exact.outcomes == odds.outcomes, "whoever looks, and whenever"
        faces = (4,) * move.attacker.dice + (2,) * move.defence_dice
        result = played.act("bo", "defend", faces, qualities=["bo.sword"])
        told = AttackMove().resolve(move, faces)
        assert told.result["damage"] == result["hits"][0]["damage"]  # type: ignore[union-attr, index]


def test_pq_02_no_procedure_puts_a_side_together_or_reads_its_dice_by_itself() -> None:
    """Beside the contract's own moves and the table of chances, `reckoning` alone makes sides and tests and settles."""
    made = {path for path, _ in said_in(pdq, r"(?<![\w.])(Side|Task|strike|success|exchange)\(")}
    assert made == {"attack.py", "reckoning.py", "roll.py", "tables.py", "test.py"}
