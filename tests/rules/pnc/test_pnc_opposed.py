"""An attack roll that hurts nobody: two against each other."""
from __future__ import annotations

import pytest

from rules.systems.pnc.fight import Opposed
from rules.values import BadMove
from tests.rules.pnc.playing import Table, sheet


def opposed(**more):
    lines = [{"sheet": "ada", "side": "x", "player": True, "leads": True}, {"sheet": "cy", "side": "y", **more}]
    return Table(Opposed(), [sheet("Ada", 1, sneaking=1), sheet("Cy", ears=1)], contestants=lines)


def test_pn_06_an_opposed_roll_hurts_nobody():
    table = opposed()
    assert (table.offered("ada"), table.offered("cy")) == ({"weigh"}, {"defend"})
    table.act("ada", "weigh", features=["ada.sneaking"])
    table.act("cy", "defend", [4, 4, 4], features=["cy.ears"])
    (_, odds), = table.view().detail.attack.forecast
    assert [label for label, _, _ in odds.outcomes] == ["Success", "Failure"]
    table.act("ada", "strike", [5])
    assert table.offered("ada") == {"stand", "mulligan"}
    result = table.act("ada", "mulligan", [4])
    assert table.state.over and result["reading"] == "Cy prevails; Ada has −8, spectacular failure."
    assert table.state.outcome == "Cy prevails; Ada has −8, spectacular failure"
    assert len(table.sheets["ada"].traits) == 1 and table.replayed() == table.state


def test_pn_09_an_opposed_roll_waits_only_for_whom_it_goes_against():
    lines = [{"sheet": "ada", "side": "x", "player": True, "leads": True},
             {"sheet": "bo", "side": "y", "player": True}]

    def table(d20, ada=1, bo=1):
        made = Table(Opposed(), [sheet("Ada", ada), sheet("Bo", bo)], contestants=lines)
        made.act("bo", "defend", [3, 3, 3])
        made.act("ada", "strike", [d20])
        return made

    won = table(15)
    assert (won.offered("ada"), won.offered("bo")) == (set(), {"stand", "mulligan"})
    assert won.offer("bo", "stand").title == "Let it stand: +6, great success"
    assert won.view("bo").waits_for == "Your turn: let it stand (+6, great success) or roll again."
    assert won.view("ada").waits_for == "Waiting for Bo: let it stand (+6, great success) or roll again."
    assert won.act("bo", "stand")["reading"] == "Ada prevails: +6, great success."
    lost = table(5)
    assert (lost.offered("ada"), lost.offered("bo")) == ({"stand", "mulligan"}, set())
    lost.act("ada", "mulligan", [15])
    assert (lost.offered("ada"), lost.offered("bo")) == (set(), {"stand", "mulligan"}), "now it goes against Bo"
    lost.act("bo", "mulligan", [6, 6, 6])
    assert lost.state.over and lost.state.outcome == "Bo prevails; Ada has −3, sufficient failure"
    assert table(15, bo=0).state.over and table(5, ada=0).state.over
    assert lost.replayed() == lost.state


def test_pn_06_one_of_the_two_has_the_d20():
    with pytest.raises(BadMove, match="which one of them rolls the d20"):
        opposed(leads=True)
