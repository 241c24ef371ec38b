"""Characters between contests: packages, flaws, advances, catch-ups, what the GM gives (QW-73 to QW-83)."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.sheet import Become, Gain, Lose, Raise, Sheet, Spend, Trait, TraitDraft
from rules.systems.questworlds import builder
from rules.systems.questworlds.growth import improving
from rules.systems.questworlds.notation import Score
from rules.systems.questworlds.system import QuestWorlds
from rules.systems.questworlds.traits import counted_flaws, flaws, score_of
from rules.values import BadMove
from tests.effort import tries
from tests.rules.questworlds.growing import (
    HESTER,
    MILESTONES,
    PACKAGE,
    UMBRELLA,
    WREN,
    advance,
    done,
    offered,
    text,
)

# Keywords as packages (QW-73) and their flaws (QW-74)

def test_qw_73_a_keyword_of_a_package_rises_alone_however_it_rises() -> None:
    was = score_of(HESTER.traits[2], HESTER)
    crossing = replace(HESTER, traits=(*HESTER.traits, Trait("x", "ability", "Poling", 38)))
    for turn, sheet in (
        (advance(HESTER, PACKAGE, first="raise_more", first_on="k"), HESTER),
        (done("improve", HESTER, PACKAGE, line="k", amount="9", reason="A flood"), HESTER),
        (advance(crossing, PACKAGE, first="raise", first_on="k", second="raise_more", second_on="x", second_name="",
                 catch_up=["k", "a"]), crossing),
    ):
        after = improving.applied(sheet, turn.effects)
        assert score_of(after.trait("b"), after) == was, turn.effects
        assert "River weather stays where it is" in text(turn, "QW-73")
    after = improving.applied(HESTER, advance(first="raise_more", first_on="k").effects)
    assert score_of(after.trait("b"), after) == was + 6


def test_qw_73_what_stands_in_a_package_sets_off_catch_ups_and_takes_part() -> None:
    turn = advance(HESTER, PACKAGE, first="raise_more", first_on="b", catch_up=["c", "a"])
    assert {Raise("b", 9), Raise("c", 3), Raise("a", 3)} <= set(turn.effects)
    with pytest.raises(BadMove, match="crosses a mastery"):
        advance(first="raise_more", first_on="b", catch_up=["c"])
    turn = advance(HESTER, PACKAGE, first="raise_more", first_on="c", catch_up=["b"])
    assert Raise("b", 3) in turn.effects
    assert "b" not in dict(offered()["advance"].options["catch_up"])


def test_qw_73_a_package_is_told_of_in_its_own_words() -> None:
    game = QuestWorlds().with_settings(PACKAGE)
    shown = game.sheet.display_value(HESTER.traits[2], HESTER)
    assert (shown, QuestWorlds().sheet.display_value(HESTER.traits[2], HESTER)) == ("20", "+3 = 20")
    words = " ".join(label for _, label in offered(HESTER, PACKAGE)["advance"].fields[0].options)
    assert "breakout" not in words and "breakout" in " ".join(
        label for _, label in offered()["advance"].fields[0].options)
    kinds = " ".join(kind.label + kind.plural + kind.help for kind in game.sheet.trait_kinds)
    assert "reakout" not in kinds
    turn = advance(HESTER, PACKAGE, first="break_out", first_on="k", first_name="Hidden landings")
    after = improving.applied(HESTER, turn.effects)
    new = next(trait for trait in after.traits if trait.name == "Hidden landings")
    assert score_of(new, after) == 13 and new.parent == "k"


def test_qw_73_while_it_is_built_a_package_rises_together() -> None:
    drafts = [TraitDraft("characteristic", "Dogged", 17), TraitDraft("keyword", "Ferrywoman", 20),
              TraitDraft("breakout", "River weather", 2, within="Ferrywoman")]
    assert [builder.budget(drafts, kind).lines[1].spent for kind in (PACKAGE, UMBRELLA)] == [5, 4]
    # What a keyword gained in play gives no points back.
    risen = [*drafts[:1], replace(drafts[1], value=26), replace(drafts[2], value=-4)]
    assert builder.budget(risen, PACKAGE).lines[1].spent == 9


def test_qw_74_flaws_of_a_keyword_do_not_count_against_three() -> None:
    assert [trait.id for trait in counted_flaws(HESTER)] == ["f", "d"] and len(flaws(HESTER)) == 3
    assert "flaw" in {field.name for field in offered()["advance"].fields}
    full = replace(HESTER, traits=(*HESTER.traits, Trait("g", "adversary", "The toll-man", 13)))
    assert "flaw" not in {field.name for field in offered(full)["advance"].fields}
    drafts = [TraitDraft("flaw", f"Flaw {n}", 13, within="" if n else "Ferrywoman") for n in range(4)]
    assert "Flaws" not in {line.label for line in builder.budget(drafts, UMBRELLA).lines}


def test_qw_74_a_new_flaw_has_the_score_of_its_place() -> None:
    bare = Sheet("h", "Hester", HESTER.traits[:4], (("xp", 10),))
    turn = advance(bare, first="raise_more", first_on="c", flaw="Proud", flaw_kind="flaw")
    assert turn.effects[-1] == Gain("h", "flaw", "Proud", 26)
    assert "the first flaw, as high as the best ability: 6M" in text(turn, "QW-74")
    one = replace(bare, traits=(*bare.traits, Trait("f", "flaw", "Owes the toll", 20)))
    assert advance(one, first="raise_more", first_on="c", flaw="Pim", flaw_kind="dependent").effects[-1] == Gain(
        "h", "dependent", "Pim", 20)
    assert advance(flaw="Lame", first="raise", first_on="c").effects[-1] == Gain("h", "flaw", "Lame", 13)
    assert done("improve", one, name="Wanted", kind="adversary", reason="The fire").effects == (
        Gain("h", "adversary", "Wanted", 17),)


# Advances (QW-81)

PICKS = ("raise_more", "raise", "break_out", "new", "turn", "drop")


def test_qw_81_there_are_six_picks_and_none_is_taken_twice() -> None:
    assert [word for word, _ in offered()["advance"].fields[0].options] == list(PICKS)
    for pick in PICKS:
        with pytest.raises(BadMove) as bad:
            done("advance", first=pick, second=pick)
        assert bad.value.field == "second"


@pytest.mark.parametrize(("values", "effects"), [
    ({"first": "raise_more", "first_on": "a"}, (Raise("a", 9),)),
    ({"first": "raise_more", "first_on": "b"}, (Raise("b", 9),)),
    ({"first": "raise_more", "first_on": "k"}, (Raise("k", 6),)),
    ({"first": "raise", "first_on": "p"}, (Raise("p", 6),)),
    ({"first": "raise", "first_on": "k"}, (Raise("k", 3),)),
    ({"first": "break_out", "first_name": "Poling"}, (Gain("h", "ability", "Poling", 13),)),
    ({"first": "break_out", "first_on": "k", "first_name": "Poling"},
     (Gain("h", "breakout", "Poling", 1, parent="k"),)),
    ({"first": "break_out", "first_name": "Tam", "first_kind": "ally"}, (Gain("h", "ally", "Tam", 13),)),
    ({"first": "turn", "first_on": "a", "first_name": "Gaffs"},
     (Become("a", "keyword"), Gain("h", "breakout", "Gaffs", 1, parent="a"))),
    ({"first": "drop", "first_on": "f"}, (Lose("f"),)),
    ({"first": "drop", "first_on": "f", "first_name": "Knows the toll"}, (Become("f", "ability", "Knows the toll"),)),
    ({"first": "drop", "first_on": "d", "first_name": "Love for Pim"}, (Become("d", "relationship", "Love for Pim"),)),
    ({"first": "drop", "first_on": "e", "first_name": "Guild ways"},
     (Lose("e"), Gain("h", "ability", "Guild ways", 13))),
])
def test_qw_81_what_each_pick_does(values: dict[str, str], effects: tuple[Any, ...]) -> None:
    turn = advance(**values)
    assert turn.effects == (Spend("h", "xp", -10), *effects, Gain("h", "ability", "Ropes", 13))


@pytest.mark.parametrize(("values", "field"), [
    ({"first": "raise_more"}, "first_on"), ({"first": "raise_more", "first_on": "f"}, "first_on"),
    ({"first": "raise", "first_on": "a", "first_name": "Gaff"}, "first_name"), ({"first": "break_out"}, "first_name"),
    ({"first": "break_out", "first_name": "boathook"}, "first_name"),
    ({"first": "break_out", "first_name": "ROPES"}, "second_name"),
    ({"first": "break_out", "first_on": "a", "first_name": "Gaff"}, "first_on"),
    ({"first": "break_out", "first_on": "k", "first_name": "Tam", "first_kind": "ally"}, "first_kind"),
    ({"first": "turn", "first_on": "k", "first_name": "Gaff"}, "first_on"),
    ({"first": "turn", "first_on": "p", "first_name": "Gaff"}, "first_on"), ({"first": "drop"}, "first_on"),
    ({"first": "drop", "first_on": "a"}, "first_on"),
    ({"first": "raise", "first_on": "a", "second_on": "k"}, "second_on"),
    ({"first": "raise", "first_on": "a", "flaw": "owes the toll"}, "flaw"),
])
def test_qw_81_a_pick_is_refused_at_its_field(values: dict[str, str], field: str) -> None:
    with pytest.raises(BadMove) as bad:
        advance(**values)
    assert bad.value.field == field


def test_qw_81_a_flaw_may_have_an_abilitys_name() -> None:
    assert advance(first="raise", first_on="a", flaw="Boathook").effects[-1].kind == "flaw"


def test_qw_81_what_a_pick_would_make_of_a_line_is_said_before() -> None:
    lines = dict(offered()["advance"].options["first_on"])
    assert lines["a"] == "Boathook · 13 (+9: 2M, +6: 19)" and lines["k"] == "Ferrywoman · 17 (+6: 3M, +3: 20)"
    assert lines["b"] == "River weather · +3 = 20 (+9: 9M, +6: 6M)" and lines["f"] == "Owes the toll · flaw 17"
    assert dict(offered(HESTER, PACKAGE)["advance"].options["first_on"])["b"] == "River weather · 20 (+9: 9M, +6: 6M)"


# Catch-ups (QW-82)

def test_qw_82_lines_five_or_more_below_follow_one_that_crosses_a_mastery() -> None:
    turn = advance(first="raise_more", first_on="k", catch_up=["a", "c", "p"])
    assert {Raise("a", 3), Raise("c", 3), Raise("p", 3)} <= set(turn.effects)
    assert "Boathook catches up: +3, 16." in text(turn, "QW-82")
    near = replace(HESTER, traits=(*HESTER.traits, Trait("x", "ability", "Poling", 19)))
    with pytest.raises(BadMove, match="Poling is not 5 below 3M"):
        advance(near, first="raise_more", first_on="k", catch_up=["x"])
    assert "might have caught up" in text(advance(first="raise_more", first_on="k"), "QW-82")


def test_qw_82_three_at_most_follow_each_mastery() -> None:
    with pytest.raises(BadMove, match="At most 3"):
        advance(first="raise_more", first_on="k", catch_up=["a", "c", "p", "r"])
    both = advance(first="raise_more", first_on="k", second="raise", second_on="c", second_name="",
                   catch_up=["a", "p", "r"])
    assert sum(isinstance(effect, Raise) for effect in both.effects) == 5
    more = replace(HESTER, traits=(*HESTER.traits, *(Trait(f"x{n}", "ability", f"Knack {n}", 12) for n in range(5))))
    six = ["a", "p", "r", "x0", "x1", "x2"]
    assert advance(more, first="raise_more", first_on="k", second="raise", second_on="c", second_name="", catch_up=six)
    with pytest.raises(BadMove, match="At most 3"):
        advance(more, first="raise_more", first_on="k", second="raise", second_on="c", second_name="",
                catch_up=[*six, "x3"])


def test_qw_82_breakouts_and_sidekicks_neither_set_it_off_nor_take_part() -> None:
    assert set(dict(offered()["advance"].options["catch_up"])) == {"c", "k", "a", "p", "r"}
    with pytest.raises(BadMove, match="crosses a mastery"):
        advance(WREN, first="raise_more", first_on="s1", catch_up=["a"])
    assert "catch_up" not in offered(Sheet("h", "Hester", (Trait("b", "breakout", "x", 19),), (("xp", 10),)))[
        "advance"].options


def test_qw_82_nothing_is_asked_where_no_mastery_is_in_reach() -> None:
    low = Sheet("h", "Hester", (Trait("a", "ability", "Boathook", 5), Trait("x", "ability", "Poling", 0)),
                (("xp", 10),))
    assert "catch_up" not in {field.name for field in offered(low)["advance"].fields}


SCORES = st.lists(st.integers(6, 66), min_size=3, max_size=9)


@settings(max_examples=tries(60, 2000))
@given(SCORES, st.data())
def test_qw_82_whoever_catches_up_is_five_below_a_line_that_crossed(scores: list[int], data: Any) -> None:
    sheet = Sheet("h", "Hester", tuple(Trait(f"t{n}", "ability", f"Knack {n}", score)
                                       for n, score in enumerate(scores)), (("xp", 10),))
    names = st.sampled_from([trait.id for trait in sheet.traits])
    first, second = data.draw(names), data.draw(names)
    field = next((field for field in offered(sheet)["advance"].fields if field.name == "catch_up"), None)
    if field is None:
        return
    can = [pk for pk, _ in offered(sheet)["advance"].options["catch_up"]]
    chosen = data.draw(st.lists(st.sampled_from(can), unique=True, min_size=1, max_size=7))
    after = {trait.id: trait.value + 9 * (trait.id == first) + 6 * (trait.id == second) for trait in sheet.traits}
    crossed = [after[t.id] for t in sheet.traits if Score(after[t.id]).masteries > Score(t.value).masteries]
    try:
        turn = done("advance", sheet, first="raise_more", first_on=first, second="raise", second_on=second,
                    catch_up=chosen)
    except BadMove:
        fits = [[after[pk] <= new - 5 for new in crossed] for pk in chosen]
        # Refused only where it has to be: by Hall, so many lines find no place among so many masteries.
        one = sum(row == [True] for row in fits) if len(crossed) == 1 else 0
        assert not crossed or not all(any(row) for row in fits) or one > 3 or (len(crossed) == 2 and (
            len(chosen) > 6 or sum(sum(row) == 1 for row in fits) > 3))
    else:
        raises = [effect.trait for effect in turn.effects if isinstance(effect, Raise)]
        assert sorted(raises) == sorted([first, second, *chosen])
        assert all(after[pk] <= max(crossed) - 5 for pk in chosen) and len(chosen) <= 3 * len(crossed)


@settings(max_examples=tries(40, 2000))
@given(st.integers(1, 60), st.integers(0, 12), st.sampled_from(["raise_more", "raise"]))
def test_qw_73_raising_a_keyword_never_moves_a_package(score: int, bonus: int, pick: str) -> None:
    sheet = Sheet("h", "Hester", (Trait("k", "keyword", "Ferrywoman", score),
                                  Trait("b", "breakout", "River weather", bonus, parent="k")), (("xp", 10),))
    after = improving.applied(sheet, advance(sheet, PACKAGE, first=pick, first_on="k").effects)
    assert score_of(after.trait("b"), after) == score + bonus
    assert after.trait("k").value > score


# What the GM gives (QW-83)

def test_qw_83_the_gm_raises_a_line_by_three_six_or_nine() -> None:
    for amount in ("3", "6", "9"):
        turn = done("improve", line="a", amount=amount, reason="The flood.")
        assert turn.effects == (Raise("a", int(amount)),)
    assert text(turn, "QW-83") == "Hester: Boathook +9, now 2M: The flood."
    with pytest.raises(BadMove):
        done("improve", line="a", amount="4", reason="The flood")
    assert offered()["improve"].by == ""


def test_qw_83_the_gm_gives_something_new() -> None:
    assert done("improve", name="Tam", kind="ally", reason="Saved him").effects == (Gain("h", "ally", "Tam", 13),)
    for wrong, field in (
        ({"name": "Boathook"}, "name"), ({"name": "Tam", "line": "a"}, "name"), ({}, "line"),
        ({"name": "Tam", "reason": ""}, "reason"), ({"name": "Tam", "catch_up": ["a"]}, "catch_up"),
    ):
        with pytest.raises(BadMove) as bad:
            done("improve", **{"reason": "Saved him", **wrong})
        assert bad.value.field == field


def test_qw_83_with_three_flaws_one_may_give_way_to_a_new_one() -> None:
    assert "drops" not in {field.name for field in offered()["improve"].fields}
    full = replace(HESTER, traits=(*HESTER.traits, Trait("g", "flaw", "Lame", 13)))
    assert set(dict(offered(full)["improve"].options["drops"])) == {"f", "d", "g"}
    turn = done("improve", full, name="Scarred", kind="flaw", drops="g", reason="The fire")
    assert turn.effects == (Lose("g"), Gain("h", "flaw", "Scarred", 13))
    assert "Lame is replaced by it." in text(turn, "QW-83")
    for wrong in ({"kind": "ability"}, {"name": "", "line": "a"}):
        with pytest.raises(BadMove):
            done("improve", full, **{"name": "Scarred", "kind": "flaw", "drops": "g", "reason": "x", **wrong})
    assert done("improve", full, name="Scarred", kind="flaw", reason="The fire").effects[0].kind == "flaw"


def test_qw_83_a_directed_improvement_lets_others_catch_up_too() -> None:
    turn = done("improve", line="k", amount="6", catch_up=["a"], reason="The flood")
    assert turn.effects == (Raise("k", 6), Raise("a", 3))
    assert "Boathook catches up" in text(turn, "QW-82")


def test_qw_83_milestones_only_with_their_setting_and_in_the_place_of_experience() -> None:
    assert "milestone" not in offered() and "milestone" in offered(HESTER, MILESTONES)
    with pytest.raises(BadMove):
        done("milestone", reason="The dam")
    turn = done("milestone", HESTER, MILESTONES, reason="The dam holds.")
    assert turn.effects == (Spend("h", "xp", 10),)
    assert "experience" in offered()["advance"].title
    assert "experience" not in offered(HESTER, MILESTONES)["advance"].title
    assert text(advance(HESTER, MILESTONES, first="drop", first_on="f"), "QW-81").startswith(
        "Hester takes an advance. ")
