"""Sheets in prose: lines of a sheet as factors, NPCs from one line."""
from __future__ import annotations

import pytest

from rules.sheet import Trait, TraitDraft
from rules.systems.pnc import character
from rules.systems.pnc.ladder import Rung
from rules.values import BadMove
from tests.rules.pnc.playing import sheet


def read(line: str) -> list[tuple[str, int]]:
    """The features of an NPC from one line."""
    return [(draft.name, draft.value) for draft in character.quick(line)[1]]


@pytest.mark.parametrize(("part", "feature", "value"), [
    ("halberd good", "halberd", 1), ("thinking very hard", "thinking", -2), ("thinking: very poor", "thinking", -2),
    ("good with a halberd", "good with a halberd", 1), ("very bad at lying", "very bad at lying", -2),
    ("easy: jumping", "jumping", 1), ("very easy jumping", "jumping", 2), ("swims - fair", "swims", 0),
    ("Halberd Good", "Halberd", 1), ("climbing average", "climbing", 0),
])
def test_pn_10_a_feature_has_its_word_before_or_after_it(part: str, feature: str, value: int) -> None:
    assert read(f"Guard, {part}") == [(feature, value)]
    assert character.quick(f"Guard,  {part} ;")[0] == "Guard"


@pytest.mark.parametrize(("line", "sentence"), [
    ("Rapier seventeen", "“Rapier seventeen” reads like something that someone can do. Begin with a name"),
    ("Mara, Rapier seventeen", "Say how easy “Rapier seventeen” is for them: very hard, hard, average"),
    ("Mara, Rapier 17", "Say how easy “Rapier 17” is for them"),
    ("Mara, good", "Say what is good for them: jumping good."),
    ("Mara, very good", "Say what is very good for them"),
    ("Mara, : good", "Say how easy “: good” is for them"),
    ("Halberd good", "“Halberd good” reads like a feature. Begin with a name: guard, good with a halberd"),
    ("Guard good, thinking hard", "Put a comma after the name: Guard, good with a halberd"),
    ("2 squads of 5 guards good", "Put a comma after the name: Guards, good with a halberd"),
    ("", "Begin with a name"), (", jumping good", "Begin with a name"),
    ("Mara, jumping good, Jumping hard", "jumping is there more than once. Keep one of them."),
    (f"Mara, {'x' * 101} good", "Keep names to 100 characters."),
])
def test_pn_10_a_line_that_is_not_understood_asks(line: str, sentence: str) -> None:
    with pytest.raises(BadMove) as refused:
        character.quick(line)
    assert sentence in str(refused.value) and refused.value.field == "line"


def test_pn_10_a_name_may_look_like_a_word_of_the_ladder() -> None:
    assert character.quick("Robin Good, bow easy") == ("Robin Good", (TraitDraft("feature", "bow", 1),))
    assert character.quick(f"{'x' * 100}, {'y' * 100} good")[1][0].name == "y" * 100


def test_pn_10_squads() -> None:
    name, lines = character.quick("2 squads of 5 guards, good, halberds very good")
    assert name == "Guards"
    assert lines == (
        TraitDraft("feature", "Guards", 1, note="A squad of 5"), TraitDraft("feature", "halberds", 2))
    assert read("3 squads of 4 thieves, sneaking easy") == [("sneaking", 1), ("A squad of 4", 0)]
    assert read("2 squads of 1 guards, bow good") == [("bow", 1)]


@pytest.mark.parametrize(("degree", "rung"), [
    (1, Rung.AVERAGE), (2, Rung.HARD), (4, Rung.HARD), (5, Rung.VERY_HARD), (-5, Rung.VERY_HARD), (-4, Rung.HARD)])
def test_pn_10_a_wound_makes_things_harder_by_its_size(degree: int, rung: Rung) -> None:
    assert character.rung_of(Trait("a", "wound", "A cut", degree)) is rung


def test_pn_10_lines_as_factors_say_how_they_count() -> None:
    one = sheet("Ada", jumping=1, wounds={"A cut": 5})
    assert character.options(one) == (
        ("ada.jumping", "Jumping · easy"), ("ada.A cut", "A cut · wound, very hard"))
    assert character.options(one, ("ada.jumping",)) == (("ada.A cut", "A cut · wound, very hard"),)
    assert character.rung_of(Trait("a", "feature", "Strong", 9)) is Rung.VERY_EASY
    assert character.rung_of(Trait("a", "feature", "Weak", 1, damage=9)) is Rung.VERY_HARD


def test_pn_10_a_sheet_says_words_and_degrees() -> None:
    assert character.notation("feature", -1) == "hard"
    assert character.notation("wound", 4) == "+4, a wound"
    assert character.notation("wound", 0) == "0, a graze"
