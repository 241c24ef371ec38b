"""What Danger World refuses and no other test meets: what is said, at which field it is refused, in which words."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.contract import odds, resolve
from rules.systems.danger_world import DangerWorld
from rules.systems.danger_world.odds_page import calculators
from rules.values import BadMove
from tests.rules.danger_world.at_table import KIND, Played, a_sheet, with_line

GAME = DangerWorld()
SETTINGS = GAME.read_settings({})
POOL = {"action": 3}


@pytest.mark.parametrize(("request_", "field", "sentence"), [
    ({"given": {"pool": POOL, "difficulty": 4}, "of": "luck"}, "of",
     "Ask for accomplished, set, bonus_dice, botches or danger_increase."),
    ({"given": {"pool": {"action": 14, "danger": 10}, "difficulty": 4}, "of": "danger_increase"}, "of",
     "This pool is too large to work out the danger of it; ask for another field."),
    ({"given": {"pool": POOL, "difficulty": 4, "set": 7}}, "set",
     "Enter the height of a set from 1 to 6, or 0 to use none."),
])
def test_the_contract_refuses(request_: dict[str, Any], field: str, sentence: str) -> None:
    ask = odds if "of" in request_ else resolve
    with pytest.raises(BadMove) as bad:
        ask({"move": "danger_world.check", **request_})
    assert (bad.value.field, bad.value.sentence) == (field, sentence)


@pytest.mark.parametrize(("shown", "sentence"), [
    ({}, "Enter the dice that are there."),
    ({"show_3": 16, "show_4": 9}, "This is worked out for up to 24 dice."),
])
def test_dw_17_dice_that_nobody_can_advise_on(shown: dict[str, int], sentence: str) -> None:
    (keep,) = [calculator for calculator in calculators() if calculator.name == "keep"]
    values = {field.name: field.read(shown) for field in keep.fields}
    with pytest.raises(BadMove) as bad:
        keep.answer(values)
    assert bad.value.sentence == sentence


@pytest.mark.parametrize(("contestants", "more", "field", "sentence"), [
    (["mara", "mara"], {}, "who",
     "Choose a character for the check, and a different one if it is for someone else."),
    ([], {}, "who", "Choose a character for the check, and a different one if it is for someone else."),
    (["mara"], {"move": "own"}, "height_2", "Describe what it accomplishes."),
])
def test_a_check_that_cant_begin_so(contestants: list[str], more: dict[str, Any], field: str, sentence: str) -> None:
    setup = {"title": "Over the roofs", "difficulty": "3", "contestants": [{"sheet": who} for who in contestants]}
    with pytest.raises(BadMove) as bad:
        KIND.start({**setup, **more}, {"mara": a_sheet()})
    assert (bad.value.field, bad.value.sentence) == (field, sentence)


@pytest.mark.parametrize(("action", "given", "faces", "field", "sentence"), [
    ("fill", {"zone": "1"}, (), "zone", "All boxes of bashed are filled."),
    ("hit", {"how": "reduced"}, (4,), "dice", "Enter 0 dice; there are 1."),
])
def test_dw_14_a_sheet_refuses(
    action: str, given: dict[str, Any], faces: tuple[int, ...], field: str, sentence: str
) -> None:
    bashed = with_line(a_sheet(), "bashed", damage=3)
    with pytest.raises(BadMove) as bad:
        GAME.sheet.act(bashed, SETTINGS, action, given, faces)
    assert (bad.value.field, bad.value.sentence) == (field, sentence)


def test_dw_06_a_cost_without_dice_takes_none() -> None:
    play = Played(a_sheet("Mara, agility 4, speed 2"), difficulty="6")
    play.do("propose", stats=["agility", "speed"])
    play.do("roll", [1] * 6)
    play.do("stand")
    play.do("use", height="0")
    with pytest.raises(BadMove) as bad:
        KIND.act(play.state, play.sheets, "", "pay", {"cost": "danger"}, (3,))
    assert (bad.value.field, bad.value.sentence) == ("dice", "Enter 0 dice; there are 1.")


def test_dw_11_where_an_aspect_was_to_grow_is_closed_before_the_roll() -> None:
    play = Played(with_line(a_sheet(), "born on the roofs", value=2), difficulty="3")
    play.do("propose", stats=["agility", "speed"], name="Knows gutters", under="born on the roofs", new_points=1)
    play.sheets["mara"] = with_line(play.sheet, "born on the roofs", value=1)
    with pytest.raises(BadMove) as bad:
        play.do("roll")
    assert (bad.value.field, bad.value.sentence) == (
        "under", "Nothing can go there yet. Its parent has to be used twice first.")


def test_dw_02_a_stat_that_left_the_sheet_before_the_roll() -> None:
    play = Played(a_sheet(), difficulty="3")
    play.do("propose", stats=["agility", "speed"])
    play.sheets["mara"] = replace(play.sheet, traits=tuple(
        trait for trait in play.sheet.traits if trait.id != "speed"))
    with pytest.raises(BadMove) as bad:
        play.do("roll")
    assert (bad.value.field, bad.value.sentence) == ("stats", "This is no longer on the sheet. Choose again.")
