"""What PDQ refuses and no other test meets: what is said, at which field it is refused, and in which words."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.contract import resolve
from rules.registry import SYSTEMS
from rules.values import BadMove
from tests.rules.pdq.walking import KIND, sheet

ADA, BO = sheet("Ada", fists=3), sheet("Bo", sword=2)
SIDES = [{"sheet": "ada", "side": "heroes"}, {"sheet": "bo", "side": "foes"}]


@pytest.mark.parametrize(("contestants", "faces", "bo", "refused"), [
    ([SIDES[0], {"sheet": "zed", "side": "foes"}], (), BO,
     ("contestants.1.sheet", "Choose a character of this campaign.")),
    (SIDES, (), replace(BO, retired=True), ("contestants.1.sheet", "Bo is retired. Leave them out.")),
    (SIDES, (4,), BO, ("dice", "Enter 0 dice; there are 1.")),
])
def test_a_conflict_that_cant_begin_so(contestants: list[Any], faces: tuple[int, ...], bo: Any, refused: Any) -> None:
    with pytest.raises(BadMove) as bad:
        KIND.start({"contestants": contestants}, {"ada": ADA, "bo": bo}, faces)
    assert (bad.value.field, bad.value.sentence) == refused


def test_pq_03_more_shifts_than_a_roll_can_bear() -> None:
    lines = [{"kind": "upshift", "amount": 20}, {"kind": "downshift", "amount": 20}]
    given = {"qualities": ["good"], "difficulty": "good"}
    assert resolve({"move": "pdq.test", "given": {**given, "lines": lines}})["result"]["modifier"] == 2
    with pytest.raises(BadMove) as bad:
        resolve({"move": "pdq.test", "given": {**given, "lines": [*lines, {"kind": "badass"}]}})
    assert (bad.value.field, bad.value.sentence) == ("lines", "Take at most 40 shifts in all.")


def test_a_rank_of_nothing_in_a_quick_line() -> None:
    with pytest.raises(BadMove) as bad:
        SYSTEMS["pdq"].sheet.from_line("Guard, = good")
    assert (bad.value.field, bad.value.sentence) == ("line", "Say what has the rank in “= good”.")
