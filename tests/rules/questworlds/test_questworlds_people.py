"""People who stand with a character, or in the way (QW-75, QW-76)."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.sheet import Become, Gain, Lose, Raise, Sheet, Spend, Trait, TraitDraft
from rules.systems.questworlds import builder
from rules.systems.questworlds.growth import improving
from rules.systems.questworlds.system import QuestWorlds
from rules.systems.questworlds.traits import FLAWS, RELATIONSHIPS, flaws, score_of, usable
from rules.values import BadMove
from tests.rules.questworlds.growing import HESTER, THREE, UMBRELLA, WREN, advance, done, offered, text


def test_qw_76_people_who_help_are_used_as_abilities_are() -> None:
    for kind in RELATIONSHIPS:
        trait = Trait("x", kind, "Tam", 15)
        sheet = Sheet("h", "Hester", (trait,))
        assert score_of(trait, sheet) == 15 and usable(sheet) == (trait,) and not flaws(sheet)
    assert {kind.name for kind in QuestWorlds().sheet.trait_kinds} >= {*RELATIONSHIPS, *FLAWS}


def test_qw_76_a_dependent_and_an_adversary_are_flaws() -> None:
    for kind in ("dependent", "adversary"):
        trait = Trait("x", kind, "Tam", 15)
        sheet = Sheet("h", "Hester", (trait,))
        assert flaws(sheet) == (trait,) and not usable(sheet)
    drafts = [TraitDraft("keyword", "Ferrywoman", 19), TraitDraft("ability", "Boathook", 14),
              TraitDraft("flaw", "Proud", 0), TraitDraft("adversary", "The toll-man", 0),
              TraitDraft("dependent", "Pim", 0), TraitDraft("flaw", "Lame", 0)]
    assert [draft.value for draft in builder.finished(drafts, UMBRELLA)][2:] == [19, 14, 14, 14]
    assert any(line.label == "Flaws" and line.left == -1 for line in builder.budget(drafts, UMBRELLA).lines)


def test_qw_76_who_is_lost_takes_the_line_along() -> None:
    turn = done("lose", who="p", reason="Drowned at the weir.")
    assert turn.effects == (Lose("p"),)
    assert text(turn, "QW-76").startswith("Hester loses The lock-keeper, a patron: Drowned at the weir.")
    assert "flaw of 17 goes" in text(done("lose", who="d", reason="Sent away"), "QW-76")
    assert "Others can be found" in text(done("lose", who="r", reason="Hanged"), "QW-75")


def test_qw_76_only_people_are_lost_and_only_with_a_reason() -> None:
    with pytest.raises(BadMove) as bad:
        done("lose", who="a", reason="Broken")
    assert bad.value.field == "who"
    with pytest.raises(BadMove) as bad:
        done("lose", who="p", reason=" ")
    assert bad.value.field == "reason"
    nobody = Sheet("h", "Hester", HESTER.traits[:4])
    assert "lose" not in offered(nobody) and offered()["lose"].by == ""


def test_qw_75_a_lost_sidekick_goes_with_its_abilities_and_may_be_followed_by_another() -> None:
    assert "sidekick" not in offered(WREN) and "promote" not in offered(WREN)
    turn = done("lose", WREN, who="s", reason="Walked off")
    assert "With Old Wren go Reads the current 19, Sour 13." in text(turn, "QW-75")
    after = improving.applied(WREN, turn.effects)
    assert [trait.id for trait in after.traits] == ["a"]
    assert offered(after)["sidekick"].by == "h"


def test_qw_75_a_sidekick_has_three_abilities_and_fifteen_points() -> None:
    turn = done("sidekick", name="Old Wren", reason="She was pulled from the ice.", **THREE,
                first_score="1M", second_score="20", third_score="16")
    assert turn.effects == (Gain("h", "sidekick", "Old Wren", 0, lines=(
        TraitDraft("sidekick_ability", "Reads the current", 21), TraitDraft("sidekick_ability", "Sour", 20),
        TraitDraft("sidekick_ability", "Knots", 16))),)
    assert "Reads the current 1M, Sour 20, Knots 16: 15 of 15 points are spent." in text(turn, "QW-75")
    assert not any(isinstance(effect, Spend) for effect in turn.effects)


@pytest.mark.parametrize(("wrong", "field"), [
    ({"first_score": "15"}, "first_score"), ({"first_score": "7M"}, "first_score"), ({"second_score": "4M"},
     "second_score"), ({"first_score": "26", "second_score": "19"}, "third_score"), ({"third_name": "sour"},
     "third_name"), ({"name": "Boathook"}, "name"), ({"reason": ""}, "reason"), ({"second_name": ""}, "second_name"),
    ({"first_score": "many"}, "first_score"),
])
def test_qw_75_a_sidekick_is_refused_at_the_field_that_is_wrong(wrong: dict[str, str], field: str) -> None:
    with pytest.raises(BadMove) as bad:
        done("sidekick", **{"name": "Old Wren", "reason": "Ice", **THREE, **wrong})
    assert bad.value.field == field


@given(st.tuples(st.integers(10, 30), st.integers(10, 30), st.integers(10, 30)))
def test_qw_75_what_a_sidekick_may_have_is_what_the_points_buy(scores: tuple[int, int, int]) -> None:
    points = [score - start for score, start in zip(scores, (16, 13, 13), strict=True)]
    allowed = all(0 <= point <= 10 for point in points) and sum(points) <= 15
    values = {f"{which}_score": str(score) for which, score in zip(("first", "second", "third"), scores, strict=True)}
    try:
        done("sidekick", name="Old Wren", reason="Ice", **THREE, **values)
    except BadMove:
        assert not allowed
    else:
        assert allowed


def test_qw_75_a_sidekick_is_the_players_while_abilities_are_open_and_the_gms_after_that() -> None:
    many = tuple(Trait(f"x{n}", "ability", f"Knack {n}", 13) for n in range(11 - 6))
    for sheet, by in ((Sheet("h", "Hester", (*HESTER.traits, *many)), "h"),
                      (Sheet("h", "Hester", (*HESTER.traits, *many, Trait("y", "ability", "Songs", 13))), "")):
        offers = offered(sheet)
        assert (offers["sidekick"].by, offers["promote"].by) == (by, by)
        assert ("the GM’s to give" in offers["sidekick"].help) is not bool(by)


def test_qw_75_a_retainer_becomes_the_sidekick() -> None:
    turn = done("promote", retainer="r", name="Bram", reason="Stayed when the other ran", **THREE)
    assert turn.effects == (Gain("h", "sidekick", "Bram", 0, lines=(
        TraitDraft("sidekick_ability", "Reads the current", 16), TraitDraft("sidekick_ability", "Sour", 13),
        TraitDraft("sidekick_ability", "Knots", 13))),)
    assert "one of the retainers, Two oarsmen: Bram. The others stay." in text(turn, "QW-75")
    with pytest.raises(BadMove):
        done("promote", retainer="r", name="Two oarsmen", reason="x", **THREE)


def test_qw_75_the_last_retainer_becomes_the_sidekick() -> None:
    alone = {"retainer": "r", "stay": False, **THREE}
    turn = done("promote", **alone, name="Bram of the two oarsmen", reason="Stayed when the other ran")
    assert turn.effects[:2] == (Become("r", "sidekick", "Bram of the two oarsmen"), Raise("r", -14))
    assert [effect.parent for effect in turn.effects[2:]] == ["r", "r", "r"]
    after = improving.applied(HESTER, turn.effects)
    assert after.trait("r") == Trait("r", "sidekick", "Bram of the two oarsmen", 0)
    assert sorted(trait.value for trait in after.traits if trait.parent == "r") == [13, 13, 16]
    assert done("promote", **alone, name="Two oarsmen", reason="x")
    assert "promote" not in offered(Sheet("h", "Hester", HESTER.traits[:4]))


def test_qw_75_retainers_who_were_lost_are_found_anew() -> None:
    turn = done("retainers", name="Mud larks", score="1M", reason="They work for bread.")
    assert turn.effects == (Gain("h", "retainer", "Mud larks", 21),)
    assert text(turn, "QW-75") == "Hester finds new retainers, Mud larks 1M: They work for bread."
    for wrong, field in (({"reason": ""}, "reason"), ({"score": "0"}, "score"), ({"name": "two oarsmen"}, "name")):
        with pytest.raises(BadMove) as bad:
            done("retainers", **{"name": "Mud larks", "score": "13", "reason": "Bread", **wrong})
        assert bad.value.field == field


def test_qw_75_a_sidekicks_abilities_are_improved_by_advances() -> None:
    turn = advance(WREN, first="raise_more", first_on="s1")
    assert Raise("s1", 9) in turn.effects
    lines = dict(offered(WREN)["advance"].options["first_on"])
    assert lines["s1"] == "Old Wren: Reads the current · 19 (+9: 8M, +6: 5M)"
    with pytest.raises(BadMove, match="keyword"):
        advance(WREN, first="turn", first_on="s1", first_name="Deeps")
