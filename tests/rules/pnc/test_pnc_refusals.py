"""What PnC refuses and no other test meets: what is said, at which field it is refused, and in which words."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.contract import resolve
from rules.engine import Procedure
from rules.systems.pnc.fight import Fight
from rules.systems.pnc.rolls import Race
from rules.values import BadMove
from tests.rules.pnc.playing import sheet

SHEETS = {"ada": sheet("Ada"), "bo": sheet("Bo"), "cy": replace(sheet("Cy"), dead=True)}


@pytest.mark.parametrize(("kind", "contestants", "refused"), [
    (Fight(), [{"sheet": "ada", "side": "us"}, {"sheet": "ada", "side": "them"}],
     ("contestants.0.sheet", "Ada is in the fight twice. Leave one out.")),
    (Fight(), [{"sheet": "ada", "side": "us"}, {"sheet": "bo", "side": ""}],
     ("contestants.1.side", "Choose a side for Bo.")),
    (Fight(), [{"sheet": "ada", "side": "us"}, {"sheet": "zed", "side": "them"}],
     ("contestants.1.sheet", "Choose a character of this campaign.")),
    (Fight(), [{"sheet": "ada", "side": "us"}, {"sheet": "cy", "side": "them"}],
     ("contestants.1.sheet", "Cy is dead. Leave them out.")),
    (Race(), [{"sheet": "bo"}, {"sheet": "bo"}], ("contestants.0.sheet", "Bo is in it twice. Leave one out.")),
])
def test_nothing_begins_so(kind: Procedure[Any], contestants: list[Any], refused: tuple[str, str]) -> None:
    with pytest.raises(BadMove) as bad:
        kind.start({"contestants": contestants}, SHEETS)
    assert (bad.value.field, bad.value.sentence) == refused


def test_pn_07_nobody_s_initiative() -> None:
    with pytest.raises(BadMove) as bad:
        resolve({"move": "pnc.initiative", "given": {"fighters": []}})
    assert (bad.value.field, bad.value.sentence) == ("fighters", "Name at least one who can act.")
