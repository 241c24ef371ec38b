"""What the making of a sheet allows, and how growth stays apart from it (QW-70 to QW-76, QW-81)."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.sheet import Trait, TraitDraft
from rules.systems.questworlds import builder, from_text
from rules.systems.questworlds.notation import ScoreField
from rules.systems.questworlds.system import QuestWorlds
from rules.values import BadMove
from tests.rules.questworlds.growing import UMBRELLA

DOGGED, FERRY = TraitDraft("characteristic", "Dogged", 22), TraitDraft("keyword", "Ferrywoman", 27)


def counted(*drafts: TraitDraft, settings: Any = UMBRELLA) -> dict[str, int]:
    return {line.label: line.spent for line in builder.budget(drafts, settings).lines}


def remarks(*drafts: TraitDraft, settings: Any = UMBRELLA) -> str:
    return " ".join(builder.budget(drafts, settings).remarks)


def test_qw_81_what_growth_gave_is_charged_to_nothing() -> None:
    made = counted(DOGGED, FERRY)
    assert made == {"Abilities": 2, "Points": 15}
    raised = TraitDraft("keyword", "Ferrywoman", 33, grown=6)
    knots = TraitDraft("ability", "Knots", 22, grown=22, later=True)
    assert counted(DOGGED, raised, knots) == made
    assert builder.budget([DOGGED, raised], UMBRELLA).notes == ("Growth is not counted.",)
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
    return {(drafts[fault.place].name, fault.kind, fault.size) for fault in builder.budget(drafts, UMBRELLA).faults}


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
    game = QuestWorlds().with_settings({"symbol": "W"})
    drafts = game.sheet.from_line("Harbour guard, Halberd 17, Watchful 1W, Loud 2M, Old")[1]
    assert [(draft.name, draft.value) for draft in drafts] == [
        ("Halberd", 17), ("Watchful", 21), ("Loud", 22), ("Old", 13)]
    with pytest.raises(BadMove, match="Watchful 1W"):
        game.sheet.from_line("Harbour guard, Halberd 20W40")


def test_qw_01_a_score_is_asked_for_in_the_fields_own_notation() -> None:
    field = ScoreField(name="score", label="Score", symbol="W")
    for wrong in ("sharp", "", None, True):
        with pytest.raises(BadMove, match="17, 7W, 10W2, \\+W"):
            field.check(wrong)
    with pytest.raises(BadMove, match="Before W"):
        field.check("21W")


def test_qw_71_a_mark_that_is_too_long_is_refused() -> None:
    whole = "word " * 24 + "w"
    assert len(whole) == 121 and from_text.from_prose(f"Ilse is [{whole[1:]}].")[1][0].name == whole[1:]
    for marked in (f"[{whole}]", f"[[{whole}]]"):
        with pytest.raises(BadMove, match=r"120 characters at most\. “word word .*…” has 121") as bad:
            from_text.from_prose(f"Ilse, [a mapmaker], is {marked}.")
        assert bad.value.field == "text"


def test_qw_75_what_a_sidekick_lacks_is_remarked() -> None:
    wren = TraitDraft("sidekick", "Old Wren", 0)
    assert "three abilities; here are 0" in remarks(DOGGED, FERRY, wren)
    sour = TraitDraft("sidekick_ability", "Sour", 16, within="Old Wren")
    assert "here are 1" in remarks(DOGGED, FERRY, wren, sour) and "nobody’s" not in remarks(DOGGED, FERRY, wren, sour)
    assert "Sour belongs to no one" in remarks(DOGGED, FERRY, sour)
    three = [replace(sour, name=name, value=value) for name, value in (("Sour", 16), ("Knots", 13), ("Songs", 13))]
    assert "idekick" not in remarks(DOGGED, FERRY, wren, *three)


def test_qw_70_two_lines_of_one_name_are_remarked() -> None:
    knots = TraitDraft("ability", "Knots", 13)
    twice = remarks(DOGGED, FERRY, knots, TraitDraft("ally", "knots", 13))
    assert "Knots is there more than once." in twice
    assert "more than once" not in remarks(DOGGED, FERRY, knots, TraitDraft("flaw", "Knots", 27))


@pytest.mark.parametrize(("line", "asks"), [
    ("Mara, Rapier seventeen", "Rapier 17"), ("Mara, Rapier twenty-one", "Rapier 21"),
    ("Rapier seventeen", "Begin with"), ("Rapier 17", "Begin with a name"), ("Mara, Rapier 17X", "ends in no score"),
    ("Mara, Rapier 1W", "ends in no score"),
    ("Mara, Rapier 0", "with a score"), (", Rapier 17", "Begin with a name"), ("Mara, 17", "with a score"),
])
def test_qw_77_a_line_that_was_not_understood_asks(line: str, asks: str) -> None:
    with pytest.raises(BadMove, match=asks) as bad:
        QuestWorlds().sheet.from_line(line)
    assert bad.value.field == "line"


def test_qw_77_a_line_that_was_understood_is_kept() -> None:
    name, drafts = QuestWorlds().sheet.from_line("Agent Seven, Shooting: 17, Old, Watchful 1M")
    assert name == "Agent Seven"
    assert [(draft.name, draft.value) for draft in drafts] == [("Shooting", 17), ("Old", 13), ("Watchful", 21)]
    assert QuestWorlds().sheet.from_line("Harbour guard 2")[0] == "Harbour guard 2"


@pytest.mark.parametrize(("measure", "score"), [
    ("good", 17), ("17", 17), ("1M", 21), ("high", 20), ("low", 11), ("rock-bottom", 6)])
def test_qw_77_a_squad_is_one_sheet_with_a_score_of_its_own(measure: str, score: int) -> None:
    name, drafts = QuestWorlds().sheet.from_line(f"2 squads of 5 guards, {measure}, Loyal 13")
    assert name == "Guards"
    assert [(draft.name, draft.value, draft.note) for draft in drafts] == [
        ("Guards", score, "A squad of 5"), ("Loyal", 13, "")]


def test_qw_71_prose_has_no_limit_and_more_than_twelve_wait_for_the_gm() -> None:
    text = " ".join(f"She has [Knack {number}]." for number in range(20))
    story, drafts = from_text.from_prose(f"A [[smuggler]]. {text}")
    assert len(drafts) == 21 and from_text.words_in(story) == 2 + 4 * 20
    (line,) = [line for line in builder.budget(drafts, UMBRELLA).lines if line.label == "Abilities"]
    assert (line.spent, line.whole, line.for_gm) == (21, 12, True)
    assert line.todo == "9 abilities more than a list makes: the GM says whether they stay."
    assert not builder.budget(drafts, UMBRELLA).faults
    # The other lines are held to as ever.
    assert [line.for_gm for line in builder.budget(drafts, UMBRELLA).lines if line.label != "Abilities"] == [False]


def test_qw_70_the_twelve_are_counted_alike_in_a_builder_and_in_play() -> None:
    drafts = [DOGGED, FERRY, TraitDraft("sidekick", "Old Wren", 0), TraitDraft("ability", "Knots", 22, later=True),
              TraitDraft("sidekick_ability", "Sour", 16, within="Old Wren"), TraitDraft("flaw", "Proud", 17),
              TraitDraft("ability", "Redeemed", 17, began="flaw"), TraitDraft("consequence", "A cut", 1)]
    lines = [Trait(str(place), draft.kind, draft.name, draft.value, later=draft.later, began=draft.began)
             for place, draft in enumerate(drafts)]
    assert builder.abilities_made(drafts) == builder.abilities_made(lines) == counted(*drafts)["Abilities"] == 3


def test_qw_74_a_flaw_scored_by_rule_moves_with_the_ability_until_the_sheet_is_finished() -> None:
    proud, lame = TraitDraft("flaw", "Proud", 27), TraitDraft("flaw", "Lame", 20)
    before = [FERRY, DOGGED, proud, lame]  # the second stands at the GM's word
    after = [replace(FERRY, value=25), DOGGED, proud, lame]
    moved = builder.finished(after, UMBRELLA, before=before, places=range(4))
    assert [draft.value for draft in moved] == [25, 22, 25, 20]
    # What was set by hand now, and what is new, is another matter.
    typed = [replace(FERRY, value=25), DOGGED, replace(proud, value=13), lame]
    assert builder.finished(typed, UMBRELLA, before=before, places=range(4))[2].value == 13
    new = [*after[:2], TraitDraft("flaw", "Vain", 0)]
    assert builder.finished(new, UMBRELLA, before=before, places=[0, 1, None])[2].value == 25
    # A flaw that goes makes room for the next, and so does an ability.
    assert builder.finished([FERRY, replace(lame, value=22)], UMBRELLA, before=[FERRY, DOGGED, proud, replace(
        lame, value=22)], places=[0, 3])[1].value == 27
    # Without what stood before, nothing moves.
    assert [draft.value for draft in builder.finished(after, UMBRELLA)] == [25, 22, 27, 20]
    full = [DOGGED, FERRY, TraitDraft("ability", "Knots", 18), *(TraitDraft("ability", f"Knack {n}", 13)
                                                                 for n in range(9)), proud]
    assert builder.budget(full, UMBRELLA).settled
    grown = [DOGGED, replace(FERRY, value=33), *full[2:]]
    assert builder.finished(grown, UMBRELLA, before=full, places=range(len(full)))[-1].value == 27
