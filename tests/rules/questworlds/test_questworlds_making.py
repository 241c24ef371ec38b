"""What the making of a sheet allows, and how growth stays apart from it (QW-70 to QW-76, QW-81)."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.sheet import TraitDraft
from rules.systems.questworlds import builder
from rules.systems.questworlds.notation import ScoreField
from rules.systems.questworlds.system import QuestWorlds
from rules.values import BadMove
from tests.rules.questworlds.growing import UMBRELLA

DOGGED, FERRY = TraitDraft("characteristic", "Dogged", 22), TraitDraft("keyword", "Ferrywoman", 27)


def counted(*drafts: TraitDraft, dials: Any = UMBRELLA) -> dict[str, int]:
    return {line.label: line.spent for line in builder.budget(drafts, dials).lines}


def remarks(*drafts: TraitDraft, dials: Any = UMBRELLA) -> str:
    return " ".join(builder.budget(drafts, dials).remarks)


def test_qw_81_what_growth_gave_is_charged_to_nothing() -> None:
    made = counted(DOGGED, FERRY)
    assert made == {"Abilities": 2, "Points": 15}
    raised = TraitDraft("keyword", "Ferrywoman", 33, grown=6)
    knots = TraitDraft("ability", "Knots", 22, grown=22, later=True)
    assert counted(DOGGED, raised, knots) == made
    assert builder.budget([DOGGED, raised], UMBRELLA).notes == ("What growth gave is not counted.",)
    assert not builder.budget([DOGGED, FERRY], UMBRELLA).notes
    # Points that were open go onto what came later, too.
    assert counted(DOGGED, raised, TraitDraft("ability", "Knots", 25, grown=22, later=True))["Points"] == 18
    # The highest line of the sheet as it was made is the defining one.
    assert "lower" not in remarks(DOGGED, FERRY, TraitDraft("ability", "Knots", 30, grown=16))


def test_qw_81_a_line_that_growth_turned_counts_as_what_it_was() -> None:
    turned = TraitDraft("keyword", "Dogged", 22, began="characteristic")
    assert counted(turned, FERRY) == {"Abilities": 2, "Points": 15} and not remarks(turned, FERRY)
    redeemed = TraitDraft("ability", "Proud", 17, began="flaw")
    assert counted(DOGGED, FERRY, redeemed) == {"Abilities": 2, "Points": 15}


def test_qw_75_a_sidekick_of_play_fills_an_open_ability_where_there_is_one() -> None:
    wren = TraitDraft("sidekick", "Old Wren", 0, later=True)
    sour = TraitDraft("sidekick_ability", "Sour", 25, within="Old Wren", grown=6, later=True)
    assert counted(DOGGED, FERRY, wren, sour) == {"Abilities": 3, "Points": 15, "The sidekick’s points": 3}
    full = [DOGGED, FERRY, *(TraitDraft("ability", f"Knack {n}", 13) for n in range(10))]
    assert counted(*full, wren)["Abilities"] == 12


def faults(*drafts: TraitDraft) -> set[tuple[str, str, int]]:
    return {(drafts[each.place].name, each.sort, each.size) for each in builder.budget(drafts, UMBRELLA).faults}


def test_qw_72_what_a_line_may_have_is_ten_above_its_start_and_no_less_than_that() -> None:
    assert not faults(DOGGED, FERRY, TraitDraft("breakout", "Weather", 11, within="Ferrywoman"))
    high = [TraitDraft("characteristic", "Dogged", 28), TraitDraft("keyword", "Ferrywoman", 30),
            TraitDraft("ability", "Knots", 24), TraitDraft("breakout", "Weather", 12, within="Ferrywoman")]
    assert faults(*high) == {("Dogged", "most", 1), ("Ferrywoman", "most", 3), ("Knots", "most", 1),
                             ("Weather", "most", 1)}
    low = [TraitDraft("characteristic", "Dogged", 16), TraitDraft("keyword", "Ferrywoman", 16),
           TraitDraft("ability", "Knots", 11)]
    assert faults(*low) == {("Dogged", "start", 1), ("Ferrywoman", "start", 1), ("Knots", "start", 2)}
    assert not faults(TraitDraft("ability", "Knots", 13))
    # Nothing comes back from a line that stands lower.
    assert counted(*low)["Points"] == 0
    assert not faults(DOGGED, TraitDraft("keyword", "Ferrywoman", 40, grown=13))
    assert builder.budget(high[:2], UMBRELLA).faults[1].sentence == "10 points are the most on one: 7M here."


def test_qw_75_what_a_sidekick_may_have() -> None:
    wren = TraitDraft("sidekick", "Old Wren", 0)
    three = [TraitDraft("sidekick_ability", name, score, within="Old Wren")
             for name, score in (("Sour", 13), ("Current", 16), ("Knots", 13))]
    assert not faults(FERRY, wren, *three)
    assert faults(FERRY, wren, TraitDraft("sidekick", "Young Wren", 0)) == {("Young Wren", "sidekick", 1)}
    risen = TraitDraft("sidekick", "Bram", 0, grown=-14, began="retainer")
    assert faults(FERRY, wren, risen) == {("Old Wren", "sidekick", 1)}
    assert faults(FERRY, wren, *three, TraitDraft("sidekick_ability", "Songs", 13)) == {
        ("Songs", "sidekick_ability", 1)}
    assert faults(FERRY, wren, TraitDraft("sidekick_ability", "Sour", 27), *three[1:]) == {("Sour", "most", 1)}
    assert faults(FERRY, wren, TraitDraft("sidekick_ability", "Sour", 14)) == {("Sour", "start", 2)}


def test_qw_74_a_flaw_scored_otherwise_than_by_rule_is_a_fault() -> None:
    assert not faults(DOGGED, FERRY, TraitDraft("flaw", "Proud", 27), TraitDraft("flaw", "Lame", 0))
    assert faults(DOGGED, FERRY, TraitDraft("flaw", "Proud", 13)) == {("Proud", "score", 14)}


def test_qw_77_a_line_is_read_in_the_campaigns_notation() -> None:
    game = QuestWorlds().under({"symbol": "W"})
    found = game.quick("Harbour guard, Halberd 17, Watchful 1W, Loud 2M, Old")[1]
    assert [(each.name, each.value) for each in found] == [
        ("Halberd", 17), ("Watchful", 21), ("Loud", 22), ("Old", 13)]
    with pytest.raises(BadMove, match="Watchful 1W"):
        game.quick("Harbour guard, Halberd 20W40")


def test_qw_01_a_score_is_asked_for_in_the_fields_own_notation() -> None:
    field = ScoreField(name="score", label="Score", symbol="W")
    for wrong in ("sharp", "", None, True):
        with pytest.raises(BadMove, match="17, 7W, 10W2, \\+W"):
            field.check(wrong)
    with pytest.raises(BadMove, match="Before W"):
        field.check("21W")


def test_qw_71_a_mark_that_is_too_long_is_refused() -> None:
    whole = "word " * 24 + "w"
    assert len(whole) == 121 and builder.from_prose(f"Ilse is [{whole[1:]}].")[1][0].name == whole[1:]
    for marked in (f"[{whole}]", f"[[{whole}]]"):
        with pytest.raises(BadMove, match=r"120 characters at most\. “word word .*…” has 121") as bad:
            builder.from_prose(f"Ilse, [a mapmaker], is {marked}.")
        assert bad.value.field == "text"


def test_qw_75_what_a_sidekick_lacks_is_remarked() -> None:
    wren = TraitDraft("sidekick", "Old Wren", 0)
    assert "three abilities; here are 0" in remarks(DOGGED, FERRY, wren)
    sour = TraitDraft("sidekick_ability", "Sour", 16, within="Old Wren")
    assert "here are 1" in remarks(DOGGED, FERRY, wren, sour) and "nobody’s" not in remarks(DOGGED, FERRY, wren, sour)
    assert "Sour is nobody’s yet" in remarks(DOGGED, FERRY, sour)
    three = [replace(sour, name=name, value=value) for name, value in (("Sour", 16), ("Knots", 13), ("Songs", 13))]
    assert "idekick" not in remarks(DOGGED, FERRY, wren, *three)


def test_qw_70_two_lines_of_one_name_are_remarked() -> None:
    knots = TraitDraft("ability", "Knots", 13)
    twice = remarks(DOGGED, FERRY, knots, TraitDraft("ally", "knots", 13))
    assert "Knots is there more than once." in twice
    assert "more than once" not in remarks(DOGGED, FERRY, knots, TraitDraft("flaw", "Knots", 27))
