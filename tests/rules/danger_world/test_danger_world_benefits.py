"""What a check accomplishes, what its excess is good for, and what a healing opens (DW-05, DW-07, DW-16)."""
from __future__ import annotations

import pytest

from rules.procedure import Perspective
from rules.sheet import Sheet, Trait
from rules.systems.danger_world.table.state import Phase
from tests.rules.danger_world.at_table import KIND, Played, a_sheet, detail_of, with_line
from tests.rules.danger_world.test_danger_world_table import STATS, kinds


def injured(sheet: Sheet, **low: int) -> Sheet:
    """The sheet with a box of injury for each die that these stats have lost."""
    mine = "" if sheet.id == "mara" else f"{sheet.id}’s "
    for name, lost in low.items():
        sheet = with_line(sheet, mine + name, damage=lost)
    return with_line(sheet, f"{mine}injured", damage=sum(low.values()))


def test_dw_16_the_healer_chooses_which_stat_rises_again() -> None:
    hurt = injured(a_sheet("Tamsin, agility 3, speed 3, cool 3"), agility=1, speed=1, cool=1)
    play = Played(a_sheet("Mara, agility 4, speed 1"), hurt, difficulty="5", move="healing")
    play.do("propose", stats=STATS)
    play.do("roll", [5, 5, 5, 5, 5])
    play.do("stand")
    play.do("use", height="5")
    (offer,) = [offer for offer in KIND.offers(play.state, play.sheets) if offer.action == "heal"]
    assert [words for _, words in (offer.options or {})["box"]] == [
        "An injury: Agility rises again", "An injury: Speed rises again", "An injury: Cool rises again"]
    turn = play.do("heal", box="3:tamsin’s speed")
    assert "a box of injured opens; Speed rises again." in turn.outcome.steps[0].text
    damage = {trait.name: trait.damage for trait in play.sheets["tamsin"].traits if trait.damage}
    assert damage == {"Agility": 1, "Cool": 1, "Injured": 2}


def test_dw_16_a_knocked_out_box_is_cleared_without_a_stat() -> None:
    hurt = with_line(injured(a_sheet("Tamsin, agility 3"), agility=1), "tamsin’s knocked out", damage=1)
    play = Played(a_sheet("Mara, agility 4, speed 1"), hurt, difficulty="5", move="healing")
    play.do("propose", stats=STATS)
    play.do("roll", [5, 5, 5, 5, 5])
    play.do("stand")
    play.do("use", height="5")
    turn = play.do("heal", box="4:")
    assert turn.outcome.steps[0].text.endswith("a box of knocked out opens.")
    damage = {trait.name: trait.damage for trait in play.sheets["tamsin"].traits if trait.damage}
    assert damage == {"Agility": 1, "Injured": 1}


@pytest.mark.parametrize(("keyword", "faces", "height", "row"), [
    ("helps", [3, 3, 3, 5, 6], 3, "4 significant: a leader"),
    ("hinders", [5, 5, 5, 5, 5], 5, "4 significant: a leader"),
])
def test_dw_05_keywords_change_the_height_and_not_what_is_accomplished(
    keyword: str, faces: list[int], height: int, row: str
) -> None:
    play = Played(a_sheet(), difficulty="4", move="fighting", keywords="dark")
    play.do("rate", gm=True, difficulty=4, **{keyword: ["dark"]})
    play.do("propose", stats=STATS)
    play.do("roll", faces)
    play.do("stand")
    turn = play.do("use", height=str(height))
    assert any(row in step.text for step in turn.outcome.steps)
    rows = {row.height: row for row in detail_of(play).rows}
    assert rows[height].goal and rows[height].does == "a leader or a foe with a name is beaten"


def test_dw_05_each_height_over_the_difficulty_is_one_further_row() -> None:
    play = Played(a_sheet("Mara, agility 4, speed 2"), difficulty="3", move="fighting", keywords="dark")
    play.do("rate", gm=True, difficulty=3, helps=["dark"])
    play.do("propose", stats=STATS)
    play.do("roll", [4, 4, 4, 4, 6, 6])
    play.do("stand")
    play.do("use", height="4")
    (offer,) = [offer for offer in KIND.offers(play.state, play.sheets) if offer.action == "benefit"]
    assert [row for row, _ in (offer.options or {})["row"]] == ["4", "5"]
    assert kinds(play, "bonus") == [("Over the roofs", 2)]


def test_dw_05_a_box_that_is_not_filled_is_no_benefit() -> None:
    hurt = with_line(a_sheet("Tamsin, cool 2"), "tamsin’s bashed", damage=1)
    play = Played(a_sheet("Mara, agility 4, speed 2"), hurt, difficulty="3", move="healing")
    play.do("propose", stats=STATS)
    play.do("roll", [4, 4, 4, 4, 6, 6])
    play.do("stand")
    play.do("use", height="4")
    (offer,) = [offer for offer in KIND.offers(play.state, play.sheets) if offer.action == "benefit"]
    assert not offer.options
    play.do("benefit", gm=True, words="They sleep well")
    assert play.state.phase is Phase.OVER


def test_dw_07_a_setback_is_undone_at_the_difficulty_that_keywords_left() -> None:
    sheet = a_sheet()
    trapped = Sheet(sheet.id, sheet.name, (*sheet.traits, Trait("t", "setback", "Trapped", 4)), sheet.pools)
    play = Played(trapped, difficulty="2", keywords="dark")
    play.do("propose", stats=STATS, undoes="t")
    play.do("rate", gm=True, difficulty=4, helps=["dark"])
    play.do("roll", [3, 3, 3, 5, 6])
    play.do("stand")
    play.do("use", height="3")
    assert not kinds(play, "setback")


def test_dw_06_who_is_asked_is_you() -> None:
    play = Played(a_sheet(), difficulty="3", agree=True)

    def words(*plays: str, runs: bool = False) -> str:
        players = {} if runs else {"mara": "Bob"}
        return KIND.seen(play.state, play.sheets, Perspective(frozenset(plays), runs, players)).waits_for

    assert (words("mara"), words("nell")) == (
        "Your turn: choose your dice.", "Waiting for Mara: choose your dice.")
    played = Perspective(runs=True, players={"mara": "Bob"})
    assert KIND.seen(play.state, play.sheets, played).waits_for == "Waiting for Mara: choose your dice."
    assert words(runs=True) == "Your turn for Mara: choose your dice.", "nobody else plays her"
    play.do("propose", stats=STATS)
    assert (words("mara"), words(runs=True)) == (
        "Waiting for the GM: agree to the pool.", "Your turn: agree to the pool.")
    assert detail_of(play).gm_first and not detail_of(play).yours
    play.do("agree", gm=True)
    play.do("roll", [1, 1, 2, 2, 6])
    assert words("mara") == "Your turn: keep all dice, or roll some again."
    play.do("stand")
    assert words() == "Waiting for Mara: choose a set."
    play.do("use", height="0")
    assert words() == "Waiting for the GM: spend 2 botches."
    play.do("let_go", gm=True)
    assert words("mara") == "The check is over."


def test_dw_04_only_the_dice_of_the_set_are_marked_action_dice_first() -> None:
    play = Played(a_sheet("Mara, agility 4, speed 1"), difficulty="2", hint=True)
    assert play.state.settings.hint and [now for _, now in detail_of(play).moments] == [True, False, False, False]
    play.do("propose", stats=STATS, danger=1)
    play.do("roll", [2, 5, 2, 6, 6, 2])
    play.do("stand")
    assert [now for _, now in detail_of(play).moments] == [False, False, True, False]
    assert [die.index for die in detail_of(play).dice if die.in_set] == [0, 2]
    play.do("use", height="2")
    assert [die.kind for die in detail_of(play).dice if die.in_set] == ["action", "action"]
    assert detail_of(play).dice[0].spoken == "2, in the set"
