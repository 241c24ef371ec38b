"""PDQ#'s builder: core elements, broken goods, techniques, people (PS-02 to PS-07)."""
from __future__ import annotations

from dataclasses import replace

import pytest

from rules.registry import system_of
from rules.sheet import Budget, ReadyMade, TraitDraft
from rules.systems.pdq_sharp.builder import budget
from rules.systems.pdq_sharp.chart import AVERAGE, EXPERT, GOOD, MASTER
from rules.systems.pdq_sharp.npc import STOCK, quick
from rules.values import BadMove
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE

SHARP = system_of("pdq_sharp")


def counted(*drafts: TraitDraft) -> Budget:
    return budget(drafts, {})


def line(budget: Budget, label: str) -> tuple[int, int]:
    row = next(line for line in budget.lines if line.label == label)
    return row.spent, row.whole


@pytest.mark.parametrize("who", [SERAFINE, JACKDAW], ids=["Serafine", "Jackdaw"])
def test_ps_02_whole_characters_come_out_even(who: tuple[TraitDraft, ...]) -> None:
    budget = counted(*who)
    assert budget.settled, [line for line in budget.lines if line.left or line.todo]
    assert line(budget, "Core elements") == (4, 4) and line(budget, "Points of additional fortes") == (8, 8)


@pytest.mark.parametrize("gone", ["foible", "motivation", "past", "swashbuckling"])
def test_ps_02_a_core_element_that_is_missing_is_named(gone: str) -> None:
    budget = counted(*(draft for draft in JACKDAW if draft.kind != gone))
    assert line(budget, "Core elements") == (3, 4)
    assert "Still missing: a " in budget.lines[0].todo and gone in budget.lines[0].todo


@pytest.mark.parametrize("kind", ["past", "motivation"])
def test_ps_02_a_past_that_is_the_swashbuckling_forte_leaves_a_fifth_good(kind: str) -> None:
    doubled = TraitDraft(f"swashbuckling_{kind}", "Once a corsair", GOOD)
    rest = [draft for draft in JACKDAW if draft.kind not in (kind, "swashbuckling", "technique")]
    budget = counted(*rest, doubled)
    assert line(budget, "Core elements") == (4, 4)
    assert line(budget, "Points of additional fortes") == (4, 10)
    apart = counted(*rest, doubled, TraitDraft("swashbuckling", "Fencing", GOOD))
    assert line(apart, "Points of additional fortes")[1] == 8 and apart.remarks


def test_ps_03_a_good_breaks_into_smaller_things() -> None:
    base = [TraitDraft("foible", "Proud", 0), TraitDraft("motivation", "Honour", GOOD),
            TraitDraft("past", "Page", GOOD), TraitDraft("swashbuckling", "Fencing", GOOD)]
    assert line(counted(*base), "Points of additional fortes") == (0, 8)
    costs = {
        TraitDraft("forte", "Alchemy", AVERAGE): 1, TraitDraft("forte", "Alchemy", GOOD): 2,
        TraitDraft("forte", "Alchemy", EXPERT): 4, TraitDraft("forte", "Alchemy", MASTER): 6,
        TraitDraft("foible", "Vain", 0): 1, TraitDraft("motivation", "Love", GOOD): 2,
        TraitDraft("wealthy", "Estates", GOOD): 2, TraitDraft("minions", "Crew", EXPERT): 4,
    }
    for extra, cost in costs.items():
        assert line(counted(*base, extra), "Points of additional fortes") == (cost, 8), extra
    raised = [replace(draft, value=EXPERT) if draft.kind == "past" else draft for draft in base]
    assert line(counted(*raised), "Points of additional fortes") == (2, 8)


def test_ps_04_techniques_cost_by_what_they_are_chained_to() -> None:
    base = [draft for draft in JACKDAW if draft.kind != "technique"]
    for within, cost in (("Fencing", 1), ("Bow", 2), ("", 3)):
        budget = counted(*base, TraitDraft("technique", "Dazzling", 1, within=within))
        assert line(budget, "Technique points") == (cost, 5)
    two = [TraitDraft("technique", name, 1) for name in ("Dazzling", "Grim")]
    budget = counted(*base, *two)
    assert line(budget, "Technique points") == (6, 6) and "come from broken fortes" in budget.notes[0]
    assert line(budget, "Points of additional fortes") == (7, 8)


def test_ps_04_a_technique_as_wide_as_its_forte_is_bad_form() -> None:
    budget = counted(*JACKDAW, TraitDraft("technique", "While fencing", 2, within="Fencing"))
    assert "bad form" in budget.remarks[0]


def test_ps_05_minions_are_as_many_as_the_target_number() -> None:
    for rank, many in ((AVERAGE, 7), (GOOD, 9), (EXPERT, 11), (MASTER, 13)):
        assert f"Crew: {many} minions" in counted(TraitDraft("minions", "Crew", rank)).notes[0]


def test_ps_05_a_sidekick_has_a_build_of_their_own() -> None:
    budget = counted(*SERAFINE)
    assert line(budget, "Ember the mare: fortes") == (5, 5) and line(budget, "Ember the mare: foible") == (1, 1)
    assert line(budget, "Ember the mare: techniques") == (2, 2)
    better = [replace(draft, value=EXPERT) if draft.kind == "sidekick" else draft for draft in SERAFINE]
    assert line(counted(*better), "Ember the mare: fortes") == (5, 7)
    twice = counted(*better, TraitDraft("sidekick_forte", "Surefooted", GOOD, within="Ember the mare"))
    assert line(twice, "Ember the mare: fortes") == (7, 7)


def test_ps_06_what_is_over_is_counted_and_never_refused() -> None:
    budget = counted(*JACKDAW, TraitDraft("forte", "Fast talk", MASTER))
    assert line(budget, "Points of additional fortes") == (14, 8)
    assert "6 points too many." in budget.lines[1].todo


def test_ps_06_growth_is_no_part_of_the_build() -> None:
    grown = [replace(draft, value=MASTER, grown=1) if draft.name == "Fencing" else draft for draft in JACKDAW]
    later = TraitDraft("forte", "Sailing", GOOD, grown=1, later=True)
    assert counted(*grown, later).settled


@pytest.mark.parametrize("level", ["lieutenant", "villain", "archvillain"])
def test_ps_07_the_stock_of_each_level_comes_out_even(level: str) -> None:
    name, drafts = quick(f"Corvin Ashgrove, {level}")
    assert name == "Corvin Ashgrove" and (drafts[0].kind, drafts[0].name) == ("threat", level.capitalize())
    budget = counted(*drafts)
    assert budget.settled, [line for line in budget.lines if line.left or line.todo]
    assert line(budget, "Points of additional fortes")[1] == (16 if level == "archvillain" else 8)


def test_ps_07_a_squad_from_a_line() -> None:
    name, drafts = quick("2 squads of 5 guards, good")
    assert name == "Guards" and [(draft.kind, draft.value) for draft in drafts] == [("squad", 5), ("forte", GOOD)]
    lout = TraitDraft("squad", "Lout", 1), TraitDraft("forte", "Cudgel", AVERAGE)
    assert quick("Lout, minion, Cudgel average")[1] == lout
    assert counted(*drafts).settled


def test_ps_07_a_line_says_core_and_techniques() -> None:
    _, drafts = quick("Marek, villain, Highwayman expert, Riding good, Past: Hussar good, Foible: Vain, Idiom: Fierce, "
                      "Weapon: Lance (Riding), vs. Travellers (unchained)")
    assert [(draft.kind, draft.name, draft.within) for draft in drafts[1:]] == [
        ("swashbuckling", "Highwayman", ""), ("forte", "Riding", ""), ("past", "Hussar", ""), ("foible", "Vain", ""),
        ("technique", "Fierce", "Highwayman"), ("technique", "Lance", "Riding"), ("technique", "Travellers", "")]


@pytest.mark.parametrize(("text", "sentence"), [
    ("Marek, Highwayman", "End “Highwayman” with a rank"), ("Marek, villain, minion", "Choose one of these"),
    ("Marek, expert", "Say what is “expert”: Fencing expert."), ("Marek, Slow poor", "make “Slow poor” a foible"),
    ("Marek, Riding good, Weapon: Lance (Jousting)", "There is no forte Jousting"), (", good", "Begin with a name"),
])
def test_ps_07_what_is_not_understood_is_asked(text: str, sentence: str) -> None:
    with pytest.raises(BadMove) as bad:
        quick(text)
    assert sentence in bad.value.sentence


def test_every_line_of_the_stock_is_a_line_of_the_game() -> None:
    for drafts in STOCK.values():
        for draft in drafts:
            assert draft.value in dict(SHARP.sheet.trait_kind(draft.kind).values)


@pytest.mark.parametrize("one", SHARP.sheet.ready_made, ids=lambda one: str(one.name))
def test_ps_02_ready_made_characters_spend_exactly_what_a_new_one_has(one: ReadyMade) -> None:
    budget = counted(*one.traits)
    assert budget.settled and one.concept and one.story
    kept = tuple(trait for trait in one.traits if trait.kind != "technique")
    assert not counted(*kept).settled
    hosts = {trait.name for trait in one.traits}
    assert all(trait.within in hosts for trait in one.traits if trait.within)
