"""Characters to take as they are, of every game: they can be made, spend their budget, and one rolls in the sample."""
from __future__ import annotations

import pytest

from rules.fields import read_all
from rules.registry import SYSTEMS
from rules.sheet import TraitDraft
from rules.system import System
from tests.games import SAMPLED

GAMES = pytest.mark.parametrize("game", SYSTEMS.values(), ids=SYSTEMS)


def lines_are_of_the_game(game: System, drafts: tuple[TraitDraft, ...]) -> None:
    for draft in drafts:
        assert draft.name and draft.value in dict(game.sheet.trait_kind(draft.kind).values), draft


@GAMES
def test_ready_made_characters_are_finished(game: System) -> None:
    for ready in game.sheet.ready_made:
        lines_are_of_the_game(game, ready.traits)
        budget = game.sheet.budget(ready.traits, game.read_settings({}))
        assert ready.concept and ready.story and budget.settled, (ready.name, budget)


@pytest.mark.parametrize("slug", SAMPLED)
def test_the_sample_says_what_the_game_reads(slug: str) -> None:
    game = SYSTEMS[slug]
    assert game.sample
    read_all(game.rolls.obstacle, game.sample.obstacle.values)
    name, traits = game.sheet.from_line(game.sample.npc)
    assert name and traits


@GAMES
def test_what_somebody_is_good_at_makes_lines_of_the_game(game: System) -> None:
    drafts = game.sheet.good_at(("Old maps", "Short knife"))
    named = [draft for draft in drafts if draft.name in ("Old maps", "Short knife")]
    assert [draft.name for draft in named] == ["Old maps", "Short knife"]
    lines_are_of_the_game(game, drafts)
    budget = game.sheet.budget(drafts, game.read_settings({}))
    assert all(line.left >= 0 for line in budget.lines)


def test_stats_by_their_names_share_the_dice() -> None:
    game = next(system for system in SYSTEMS.values() if any(kind.fixed for kind in system.sheet.trait_kinds))
    drafts = {draft.name: draft.value for draft in game.sheet.good_at(("speed", "Cool", "Born on the roofs"))}
    assert (drafts["Speed"], drafts["Cool"], drafts["Strength"]) == (4, 4, 1)
