"""What a group needs to begin with, of each game that is finished."""
from __future__ import annotations

import pytest

from rules.registry import SYSTEMS
from tests.games import FINISHED, ROLLED, SET


@pytest.mark.parametrize("slug", FINISHED)
def test_a_finished_game_has_what_a_group_begins_with(slug: str) -> None:
    game = SYSTEMS[slug]
    assert len(game.sheet.ready_made) >= 3 and game.sample
    assert len(game.starters) >= 12
    assert slug in ROLLED and slug in SET and any(kind.reads for kind in game.procedures)


def test_a_game_that_has_a_sample_has_people_for_it() -> None:
    assert all(game.sheet.ready_made for game in SYSTEMS.values() if game.sample)
