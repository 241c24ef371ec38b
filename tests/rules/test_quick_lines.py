"""Quick lines of the library: in every game the starters are read whole, and what is not understood is said so."""
from __future__ import annotations

from typing import Any

import pytest

from rules import npc_lines, quick_lines
from rules.prep import NPC
from rules.registry import SYSTEMS
from tests.games import STOCKED


@pytest.mark.parametrize("slug", STOCKED)
def test_every_game_has_starters_that_are_read_whole(slug: str) -> None:
    rules = SYSTEMS[slug]
    kinds = {kind.name for kind in rules.library} | {NPC}
    assert kinds >= {NPC, "challenge", "place", "faction", "note"}
    for starter in rules.starters:
        said = quick_lines.read(starter.line, rules, starter.kind, text=starter.text)
        assert said.ready and said.kind in kinds, (starter.line, said)
    put = [kind.obstacles(said.name, dict(said.spec)) for starter in rules.starters for kind in rules.library
           if kind.name == starter.kind and (said := quick_lines.read(starter.line, rules, starter.kind))]
    assert sum(map(bool, put)) >= 4, "some of them can stand in the way"


@pytest.mark.parametrize(("slug", "line", "reads"), [
    ("pdq_sharp", "2 squads of 5 guards, good", ["", "", "Guards Good [+2]"]),
    ("pdq", "guard, Fighting good", ["Fighting Good [+2]"]),
    ("danger_world", "Mara, speed 3", ["Speed 3 dice"]),
    ("questworlds", "guard, Halberd 17", ["Halberd 17"]),
    ("pnc", "guard, fencing easy", ["fencing easy"]),
])
def test_what_was_understood_is_told_part_by_part(slug: str, line: str, reads: list[str]) -> None:
    said = quick_lines.read(line, SYSTEMS[slug], NPC)
    assert [part.reads for part in said.parts] == reads and said.ready


def test_what_is_not_understood_stays_with_its_reason_and_a_part_can_be_taken_out() -> None:
    rules = SYSTEMS["pdq"]
    said = quick_lines.read("Guard, Fighting good, rather tall, #Gate", rules, NPC)
    assert [part.words for part in said.parts if part.unread] == ["rather tall"]
    assert said.tags == ("gate",) and not said.ready
    again = quick_lines.read("Guard, Fighting good, rather tall", rules, NPC, without=["rather tall"])
    assert again.ready and again.line == "Guard, Fighting good"


@pytest.mark.parametrize(("instead", "without", "made"), [
    ({}, (), ("Guards", 2, 5)),
    ({"2 squads": "3 ×", "of 5": "squad of 5"}, (), ("Guards", 3, 5)),
    ({"2 squads": "2 ×", "of 5": "squad of seven"}, (), ("Guards", 2, 7)),
    ({}, ("2 squads",), ("Guards", 1, 5)),
])
def test_how_many_squads_of_how_many_is_changed_like_any_part(
    instead: dict[str, str], without: tuple[str, ...], made: tuple[str, int, int]
) -> None:
    rules, line = SYSTEMS["pdq_sharp"], "2 squads of 5 guards, good"
    said = quick_lines.read(line, rules, NPC, instead=instead, without=without)
    assert said.ready and (said.name, said.count, npc_lines.read(said.line, "").size) == made
    assert all(part.was in line for part in said.parts)
    assert [part.words for part in said.parts][-2:] == [f"squad of {made[2]}", "good"]


def test_a_number_of_squads_that_is_none_stays_to_be_written_again() -> None:
    said = quick_lines.read("2 squads of 5 guards, good", SYSTEMS["pdq_sharp"], NPC, instead={"2 squads": "a handful"})
    assert said.ready and said.count == 1, "a handful is one"
    said = quick_lines.read("2 squads of 5 guards, good", SYSTEMS["pdq_sharp"], NPC, instead={"2 squads": "some"})
    assert not said.ready and said.parts[0].was == "2 squads" and "number" in said.parts[0].unread


@pytest.mark.parametrize(("slug", "line", "values"), [
    ("pdq", "Resistance: A door, expert", {"difficulty": "expert"}),
    ("pdq", "Resistance: A door, 12", {"difficulty": 12}),
    ("pdq_sharp", "Resistance: A door, impressive", {"difficulty": "impressive"}),
    ("pnc", "Resistance: A door, very hard", {"rung": "very hard"}),
    ("danger_world", "Challenge: A door, major, rust", {"difficulty": "5", "keywords": "rust"}),
    ("questworlds", "Resistance: A door, In a hurry: high", {"resistance": "high"}),
])
def test_a_resistance_is_one_line_in_every_game(slug: str, line: str, values: dict[str, Any]) -> None:
    rules = SYSTEMS[slug]
    said = quick_lines.read(line, rules, NPC)
    kind = next(kind for kind in rules.library if kind.name == said.kind)
    obstacles = kind.obstacles(said.name, dict(said.spec))
    assert said.ready and [dict(obstacle.values) for obstacle in obstacles] == [values]
    assert rules.rolls.obstacle_words(values)
    assert dict(kind.with_obstacle(dict(said.spec), 0, values)) == dict(said.spec)
