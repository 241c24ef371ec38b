"""What the making of a sheet allows, and how growth stays apart from it (QW-70 to QW-76, QW-81)."""
from __future__ import annotations

from typing import Any

from rules.sheet import TraitDraft
from rules.systems.questworlds import builder
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
