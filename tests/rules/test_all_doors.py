"""Each game’s table of rolls by all its doors has forty cases at least; what each comes to stands beside them."""
from __future__ import annotations

from collections.abc import Sized

import pytest

from tests.rules.danger_world import test_danger_world_reckoning
from tests.rules.pdq import test_pdq_reckoning
from tests.rules.pdq_sharp import test_sharp_doors
from tests.rules.pnc import test_pnc_reckoning
from tests.rules.questworlds import test_one_reckoning

CASES: dict[str, Sized] = {
    "danger_world": test_danger_world_reckoning.CASES, "pdq": test_pdq_reckoning.CASES,
    "pdq_sharp": test_sharp_doors.CASES, "pnc": test_pnc_reckoning.CASES, "questworlds": test_one_reckoning.CASES}


@pytest.mark.parametrize("game", sorted(CASES))
def test_each_game_has_forty_cases_by_all_its_doors(game: str) -> None:
    assert len(CASES[game]) >= 40
