"""Aid and healing at the table, moment by moment (DW-16)."""
from __future__ import annotations

from rules.systems.danger_world.table.state import Phase
from tests.rules.danger_world.at_table import MARA, Played, a_sheet, with_line
from tests.rules.danger_world.test_danger_world_table import STATS, kinds


def test_dw_16_aid_goes_to_the_other_one() -> None:
    play = Played(a_sheet(), a_sheet("Tamsin, reasoning 4"), difficulty="2", move="aid_another")
    play.do("propose", stats=STATS)
    play.do("roll", [3, 3, 3, 5, 6])
    play.do("stand")
    play.do("use", height="3")
    assert ("Aid from Mara", 3) in [(trait.name, trait.value) for trait in play.sheets["tamsin"].traits]
    assert kinds(play, "bonus") == []


def test_dw_16_healing_opens_a_box_of_the_height_that_was_tried_for() -> None:
    hurt = with_line(with_line(a_sheet("Tamsin, reasoning 4"), "tamsin’s bashed", damage=2), "tamsin’s stunned",
                     damage=1)
    play = Played(a_sheet(), hurt, difficulty="3", move="healing")
    play.do("propose", stats=STATS)
    play.do("roll", [3, 3, 3, 5, 6])
    play.do("stand")
    play.do("use", height="3")
    boxes = {trait.name: trait.damage for trait in play.sheets["tamsin"].traits if trait.damage}
    assert boxes == {"Bashed": 1, "Stunned": 1}
    assert play.state.phase is Phase.OVER


def test_dw_16_which_box_opens_is_asked_where_there_are_several() -> None:
    hurt = with_line(with_line(a_sheet("Tamsin, reasoning 4"), "tamsin’s injured", damage=1), "tamsin’s knocked out",
                     damage=1)
    play = Played(a_sheet(f"{MARA}, cool 4"), hurt, difficulty="5", move="healing")
    play.do("propose", stats=["cool", "agility"])
    play.do("roll", [5] * 7)
    play.do("stand", height="5")
    assert play.state.phase is Phase.HEAL
    play.do("heal", box="4:")
    assert {trait.name: trait.damage for trait in play.sheets["tamsin"].traits if trait.damage} == {"Injured": 1}
