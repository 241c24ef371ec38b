"""Sheets, deeds and rests (DW-01, DW-10 to DW-15)."""
from __future__ import annotations

from typing import Any

import pytest

from rules.moves import Need
from rules.procedure import ActResult
from rules.sheet import Damage as Hurt
from rules.sheet import Sheet, Trait, TraitDraft
from rules.systems.danger_world import DangerWorld
from rules.systems.danger_world.damage import open_box
from rules.systems.danger_world.reading import level_of
from rules.systems.danger_world.track import INJURED
from rules.systems.danger_world.track_view import track
from rules.values import BadMove
from tests.rules.danger_world.at_table import a_sheet, applied, with_line

GAME = DangerWorld()
SETTINGS = GAME.read_settings({})


def done(sheet: Sheet, action: str, faces: tuple[int, ...] = (), **given: Any) -> Sheet:
    turn = GAME.sheet.act(sheet, SETTINGS, action, given, faces)
    assert isinstance(turn, ActResult), turn
    return applied(sheet, turn.effects)


def damage(sheet: Sheet) -> dict[str, int]:
    return {trait.id: trait.damage for trait in sheet.traits if trait.damage}


def test_dw_01_a_new_sheet_has_eight_stats_and_asks_for_eight_dice_and_three_aspects() -> None:
    lines = GAME.sheet.starting_lines()
    assert len([line for line in lines if line.kind == "stat"]) == 8
    budget = GAME.sheet.budget([line for line in lines if line.name], SETTINGS)
    assert [(line.label, line.left) for line in budget.lines] == [("Dice in stats", 8), ("Known aspects", 3)]
    assert not budget.remarks


def test_dw_01_from_one_line() -> None:
    name, drafts = GAME.sheet.from_line("Harbour guard, strength 3, Sleeps on watch")
    stats = {draft.name: draft.value for draft in drafts if draft.kind == "stat"}
    assert (name, stats["Strength"], stats["Cool"]) == ("Harbour guard", 3, 1)
    for line in ("Guard, luck 3", "Guard, speed 9", ", speed 2"):
        with pytest.raises(BadMove):
            GAME.sheet.from_line(line)


def test_dw_10_a_session_deals_out_points() -> None:
    sheet = a_sheet(points=1)
    begun = GAME.session.begin([sheet], SETTINGS)
    assert applied(sheet, begun.effects).pool("points") == 3
    assert done(a_sheet(points=5), "points").pool("points") == 3


def test_dw_11_the_builder_remarks_on_what_the_tree_does_not_hold() -> None:
    lines = [TraitDraft("primary", "Roofs", 1), TraitDraft("secondary", "Gutters", 0, "", "Roofs")]
    remarks = GAME.sheet.budget([*GAME.sheet.starting_lines(), *lines], SETTINGS).remarks
    assert any("Roofs has to be used twice" in remark for remark in remarks)


def test_dw_11_a_child_is_declared_between_checks_too() -> None:
    sheet = with_line(a_sheet(), "born on the roofs", value=2)
    sheet = done(sheet, "declare", name="Knows every gutter", under="born on the roofs")
    made = sheet.trait("knows every gutter")
    assert made and (made.kind, made.parent) == ("secondary", "born on the roofs")
    with pytest.raises(BadMove):
        done(sheet, "declare", name="Another", under="in debt")
    assert done(sheet, "declare", name="Heir of the isle", under="new").trait("heir of the isle")


def test_dw_12_the_danger_is_raised_and_never_sinks_under_1() -> None:
    sheet = done(a_sheet(), "danger", by=5)
    assert level_of(sheet) == 6
    assert level_of(done(sheet, "danger", by=-20)) == 1
    with pytest.raises(BadMove):
        done(a_sheet(), "danger", by=-1)


def test_dw_14_a_box_that_is_cleared_by_hand_raises_the_stat_that_comes_first() -> None:
    hurt = with_line(with_line(with_line(a_sheet(), "injured", damage=2), "speed", damage=1), "cool", damage=1)
    assert damage(done(hurt, "open", zone="3")) == {"cool": 1, "injured": 1}
    assert open_box(hurt, INJURED, "cool")[1] == Hurt("cool", -1)


def test_dw_12_the_track_shows_how_far_the_danger_has_come() -> None:
    drawn = track(with_line(a_sheet(), "danger level", value=7))
    levels = [level for zone in drawn.zones for level in zone.levels]
    assert [level.number for level in levels if level.reached] == [1, 2, 3, 4, 5, 6, 7]
    assert [level.number for level in levels if level.here] == [7]
    assert [zone.rank for zone in drawn.zones if zone.here] == [2]
    far = track(with_line(a_sheet(), "danger level", value=30))
    assert [level.number for level in far.zones[-1].levels] == [26, 27, 28, 29, 30]


def test_dw_05_dice_in_words() -> None:
    values = {kind.name: dict(kind.values) for kind in GAME.sheet.trait_kinds}
    assert (values["stat"][1], values["stat"][2]) == ("1 die", "2 dice")
    assert (GAME.sheet.notation("danger", 4), GAME.sheet.notation("boxes", 2)) == ("level 4", "2 clear")
    assert (values["bonus"][1], values["bonus"][6]) == ("1 die", "6 dice")


def test_dw_13_a_tap_fills_a_box_and_opens_it_again() -> None:
    sheet = done(a_sheet(), "fill", zone="2")
    assert damage(sheet) == {"stunned": 1}
    assert damage(done(sheet, "open", zone="2")) == {}
    with pytest.raises(BadMove):
        done(sheet, "open", zone="1")


def test_dw_14_an_injury_lowers_a_stat_and_healing_it_raises_one() -> None:
    assert GAME.sheet.act(a_sheet(), SETTINGS, "fill", {"zone": "3"}) == Need((8,))
    sheet = done(a_sheet(), "fill", (1,), zone="3")
    assert damage(sheet) == {"agility": 1, "injured": 1}
    assert damage(done(sheet, "open", zone="3")) == {}


@pytest.mark.parametrize(("how", "left", "level"), [
    ("none", {"bashed": 2, "injured": 1, "cool": 1, "knocked out": 1, "dead": 1}, 9),
    ("short", {"injured": 1, "cool": 1, "dead": 1}, 9), ("long", {"dead": 1}, 9), ("episode", {"dead": 1}, 1),
])
def test_dw_14_rests_clear_what_they_clear(how: str, left: dict[str, int], level: int) -> None:
    sheet = with_line(a_sheet(), "danger level", value=9)
    for line, number in (("bashed", 2), ("injured", 1), ("cool", 1), ("knocked out", 1), ("dead", 1)):
        sheet = with_line(sheet, line, damage=number)
    rested = applied(sheet, GAME.session.close_scene([sheet], {"rest": how}).effects)
    assert damage(rested) == left and level_of(rested) == level


def test_dw_13_a_hit_goes_past_a_zone_that_a_sheet_has_no_boxes_for() -> None:
    bare = Sheet("x", "X", tuple(trait for trait in a_sheet().traits if trait.id != "bashed"))
    assert damage(done(bare, "hit", how="reduced")) == {"stunned": 1}
    assert not GAME.sheet.detail(bare, SETTINGS).track.zones[0].boxes


def test_dw_15_what_stays_is_a_line_of_the_sheet() -> None:
    assert GAME.sheet.notation("lasting", 3) == "Permanent loss"
    acts = [TraitDraft("act", "The flood", 1), TraitDraft("act", "The fire", -1), TraitDraft("act", "The vote", 1)]
    sheet = a_sheet()
    more = tuple(Trait(act.name, act.kind, act.name, act.value) for act in acts)
    assert GAME.sheet.detail(Sheet(sheet.id, sheet.name, (*sheet.traits, *more)), SETTINGS).standing_words == "+1"


def test_dw_05_what_is_used_up_is_taken_off() -> None:
    held = a_sheet()
    held = Sheet(held.id, held.name, (*held.traits, Trait("rope", "bonus", "A rope", 2)))
    assert done(held, "drop", line="rope").trait("rope") is None


@pytest.mark.parametrize(("line", "asks"), [
    ("Guard, Rapier seventeen", "Write the number of “Rapier seventeen” in figures: Rapier 17."),
    ("Guard, Rapier 17", "There is no stat Rapier; there are agility, "),
    ("Guard, strength three", "Write the number of “strength three” in figures: strength 3."),
    ("Guard, strength", "Enter how many dice it has: strength 3."),
    ("Guard, strength 12", "Strength goes from 1 to 4."),
])
def test_dw_01_a_line_that_is_not_understood_asks(line: str, asks: str) -> None:
    with pytest.raises(BadMove) as asked:
        GAME.sheet.from_line(line)
    assert asked.value.sentence.startswith(asks)


def test_dw_01_squads_from_one_line() -> None:
    name, drafts = GAME.sheet.from_line("2 squads of 5 guards, good, strength 2")
    assert name == "Guards"
    assert [draft.name for draft in drafts if draft.kind == "primary"] == ["A squad of 5", "good"]
    assert next(draft.value for draft in drafts if draft.name == "Strength") == 2
