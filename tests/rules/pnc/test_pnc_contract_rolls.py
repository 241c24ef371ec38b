"""Rolls as moves of the contract, in the acts of contests that they come from."""
from __future__ import annotations

from typing import Any

from rules.systems.pnc.contract_rolls import standard
from rules.systems.pnc.dice import Roll, Thrown
from rules.systems.pnc.fight import Fight, Opposed
from rules.systems.pnc.rolls import Race, StandardRollContest
from tests.rules.pnc.playing import Table, sheet


def rolls_of(table: Table) -> list[tuple[str, list[int]]]:
    """The rolls of the last act: which move, with which dice."""
    assert table.last is not None
    return [(roll.move, list(roll.dice)) for roll in table.last.outcome.rolls]


def duel(kind: Any, points: int = 1, **more: Any) -> Table:
    lines = [{"sheet": "ada", "side": "x", "player": True, **more}, {"sheet": "cy", "side": "y"}]
    return Table(kind, [sheet("Ada", points), sheet("Cy")], contestants=lines)


def ordered(**more: Any) -> Table:
    table = duel(Fight(), **more)
    table.act("ada", "initiative", [20, 5, 3, 3, 3])
    return table


def test_pn_07_the_order_is_told_by_whoever_comes_last_to_it() -> None:
    table = ordered()
    assert rolls_of(table) == [("pnc.standard_roll", [20, 5, 3, 3, 3])]
    table.act("", "roll_the_rest", [10, 4, 4, 4])
    assert rolls_of(table) == [
        ("pnc.standard_roll", [10, 4, 4, 4]), ("pnc.initiative", [20, 5, 3, 3, 3, 10, 4, 4, 4])]


def test_pn_07_an_order_by_d6_is_told_with_the_dice_of_those_who_were_level() -> None:
    lines = [{"sheet": name, "side": name, "caught": name == "bo"} for name in ("ada", "bo", "cy")]
    table = Table(Fight(), [sheet("Ada"), sheet("Bo"), sheet("Cy")], [4, 4, 2, 5], contestants=lines, initiative="d6")
    assert rolls_of(table) == [("pnc.initiative", [4, 4, 2, 5])]
    assert table.last is not None and table.last.outcome.rolls[0].result["places"] == [[1], [0]]
    table.act("", "ready", who="bo")
    table.act("bo", "initiative", [4])
    assert rolls_of(table) == [], "the contract has no word for who comes later"


def test_pn_07_a_crowd_is_told_as_well() -> None:
    names = [f"N{number}" for number in range(50)]
    lines = [{"sheet": name.lower(), "side": "xy"[number % 2]} for number, name in enumerate(names)]
    table = Table(Fight(), [sheet(name) for name in names], contestants=lines)
    table.act("", "roll_the_rest")
    assert [move for move, _ in rolls_of(table)] == ["pnc.standard_roll"] * 50 + ["pnc.initiative"]


def test_pn_05_more_dice_than_the_contract_takes_cancel_before_it_counts_them() -> None:
    told = standard(Thrown(Roll(32, 31), 10, None, (4, 4, 4, 4)))
    assert (told.given["penalty"], told.given["bonus"], told.dice) == (1, 0, (10, 4, 4, 4, 4))


def test_pn_06_an_attack_is_told_with_the_dice_that_fell_before_the_d20() -> None:
    table = ordered()
    table.act("", "roll_the_rest", [10, 4, 4, 4])
    table.act("ada", "attack", target="cy")
    table.act("cy", "defend", [1, 2, 3])
    assert rolls_of(table) == [], "half a roll"
    table.act("ada", "strike", [8])
    assert rolls_of(table) == [("pnc.attack_roll", [8, 1, 2, 3])]
    result = table.act("ada", "mulligan", [20, 4])
    assert rolls_of(table) == [("pnc.attack_roll", [20, 4, 1, 2, 3])]
    assert table.last is not None and table.last.outcome.rolls[0].result["damage"] == result["damage"] == "destroyed"


def test_pn_06_an_opposed_roll_has_no_damage_to_tell() -> None:
    table = duel(Opposed(), 0, leads=True)
    table.act("cy", "defend", [1, 2, 3])
    table.act("ada", "strike", [15])
    assert rolls_of(table) == [("pnc.standard_roll", [15, 1, 2, 3])]


def test_pn_08_each_is_compared_with_the_next_one_down_the_ranking() -> None:
    sheets = [sheet("Ada"), sheet("Bo"), sheet("Cy")]
    table = Table(Race(), sheets, contestants=[{"sheet": sheet.id} for sheet in sheets])
    table.act("ada", "roll", [9, 3, 3, 3])
    assert rolls_of(table) == [("pnc.standard_roll", [9, 3, 3, 3])]
    table.act("bo", "roll", [15, 3, 3, 3])
    table.act("cy", "roll", [12, 3, 3, 3])
    assert rolls_of(table)[1:] == [
        ("pnc.competition", [15, 3, 3, 3, 12, 3, 3, 3]), ("pnc.competition", [12, 3, 3, 3, 9, 3, 3, 3])]


def test_pn_09_a_roll_that_is_let_stand_is_told_again() -> None:
    table = Table(StandardRollContest(), [sheet("Ada", 2)], contestants=[{"sheet": "ada", "player": True}])
    table.act("ada", "roll", [9, 3, 3, 3])
    table.act("ada", "mulligan", [10, 4, 4, 4])
    table.act("ada", "stand")
    assert rolls_of(table) == [("pnc.standard_roll", [10, 4, 4, 4])]


def test_pn_05_more_dice_than_the_contract_takes_cancel() -> None:
    table = Table(StandardRollContest(), [sheet("Ada")], contestants=[{"sheet": "ada"}])
    for rungs in (["very hard"] * 5, ["very hard"] * 5, ["very hard"] * 5, ["very hard"] * 3 + ["easy"] * 2):
        table.act("", "judge", circumstances=[{"rung": rung, "reason": "Rain"} for rung in rungs])
    result = table.act("ada", "roll", [15, 1, 2, 3, 4, 5, 6])
    assert table.last is not None
    (roll,) = table.last.outcome.rolls
    assert roll.given == {"penalty": 30, "bonus": 0, "open_ended": True}
    assert roll.result["d6"] == result["d6"] == 15
