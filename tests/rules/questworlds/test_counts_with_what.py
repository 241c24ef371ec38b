"""In a long contest each thing counts with what it touches, at every door: rolls, odds, targets (QW-22, QW-60)."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.sheet import Trait
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.long.dice import choice_of, rolled_with
from rules.values import BadMove
from tests.rules.questworlds.longing import ILSE, SHEETS, VEY, Table

KINDS = (ScoredLong, ChainedLong, ExtendedLong)
CUT = Trait("c", "consequence", "Cut hand", 2, note="Knife")
LUCK = Trait("l", "benefit", "In good hands", 1, note="everything she does")


def table(kind: Any, *lines: Trait) -> Table:
    made = Table(kind(), who=(("i", "The crew", True), ("o", "The crew", True)))
    made.sheets["i"] = replace(ILSE, traits=(*ILSE.traits, *lines))
    return made


def target(table: Table, ability: str) -> int:
    """The target number by all that tells of it: what is drawn, what is rolled, what is counted with."""
    state = table.state
    choice = choice_of(state, table.sheets, "i", {"ability": ability})
    rolled = rolled_with(state, "i", choice, "~0")
    assert rolled.score == state.target("i", choice)
    return rolled.score


@pytest.mark.parametrize("kind", KINDS)
def test_qw_60_what_touches_the_chosen_ability_counts_and_nothing_that_touches_another(kind: Any) -> None:
    made = table(kind, CUT)
    assert (target(made, "a"), target(made, "k")) == (14 - 6, 17)
    made.act("", "lasting", lines=["c"])
    assert (target(made, "a"), target(made, "k")) == (14 - 6, 17), "said by the GM too, it counts once"


@pytest.mark.parametrize("kind", KINDS)
def test_qw_61_what_touches_nothing_in_particular_counts_when_the_gm_says_so(kind: Any) -> None:
    made = table(kind, CUT, LUCK)
    assert target(made, "k") == 17
    made.act("", "lasting", lines=["l"])
    assert (target(made, "a"), target(made, "k")) == (14 - 3, 20), "rank 2 against rank 1 is one rank down"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("helps", "helped"), [("a", "k"), ("k", "a"), ("b", "a")])
def test_qw_22_an_ability_never_augments_itself_whichever_is_chosen_first(kind: Any, helps: str, helped: str) -> None:
    made = table(kind)
    before = {id_: target(made, id_) for id_ in ("a", "k", "b")}
    made.act("i", "augment", trait=helps, whom="i", words="")
    made.act("", "answer", proposal="0", verdict="3")
    akin = {"a": {"a"}, "k": {"k", "b"}, "b": {"k", "b"}}[helps]
    assert {id_: target(made, id_) - before[id_] for id_ in before} == {
        id_: 0 if id_ in akin else 3 for id_ in before}
    assert target(made, helped) == before[helped] + 3


@pytest.mark.parametrize("kind", KINDS)
def test_qw_22_the_ability_that_is_used_is_refused_as_its_own_augment(kind: Any) -> None:
    made = table(kind)
    act = {ExtendedLong: "bid"}.get(kind, "round")
    made.act("i", act, 2, 19, ability="a", **({"bid": 3, "whom": "~0"} if act == "bid" else {"bout": "0"}))
    with pytest.raises(BadMove, match="can’t augment itself"):
        made.act("i", "augment", trait="a", whom="i", words="")


@pytest.mark.parametrize("kind", KINDS)
def test_qw_23_a_flaw_takes_off_whatever_is_used(kind: Any) -> None:
    made = table(kind)
    made.act("", "hinder", trait="f", amount="-3", reason="A creditor")
    assert (target(made, "a"), target(made, "k")) == (11, 14)


def test_qw_60_the_dice_say_what_counted_and_keep_it() -> None:
    made = table(ScoredLong, CUT)
    number = str(made.state.bouts_of("i")[0].number)
    told = made.act("i", "round", 2, 19, bout=number, ability="a")
    thrown = next(event for event in told.events if type(event).__name__ == "DiceFell")
    assert thrown.modifiers == (-6,)
    made.sheets["i"] = ILSE
    assert made.kind.fold(made.kind.write(event) for event in made.events) == made.plain


STIFF = Trait("x", "consequence", "Stiff leg", 2, note="Sabre")


@pytest.mark.parametrize("kind", KINDS)
def test_qw_60_what_lasts_on_an_npcs_sheet_counts_with_what_it_touches(kind: Any, monkeypatch: Any) -> None:
    songs = Trait("y", "consequence", "Hoarse", 3, note="Songs")
    lines = (*VEY.traits, Trait("g", "ability", "Songs", 9), STIFF, songs)
    monkeypatch.setitem(SHEETS, "v", replace(VEY, traits=lines))
    made = Table(kind(), "", who=(("i", "The crew", True), ("v", "The toll", False)))
    state = made.state
    choice = choice_of(state, made.sheets, "i", {"ability": "k"})
    assert state.target("v") == 17 - 6
    assert sum(rolled_with(state, "i", choice, "v").resistance_modifiers) == -6
    assert "Stiff leg, −6" in made.view(runs=True).detail.pairs[0].theirs.notes
    assert not any(offer.action == "lasting" for offer in made.kind.offers(state, made.sheets)), "they count already"
    if kind is ExtendedLong:
        assert state.entrant("v").start == 17 - 6


def test_qw_60_who_is_brought_in_later_comes_with_what_lasts() -> None:
    made = Table()
    made.sheets["v"] = replace(VEY, traits=(*VEY.traits, STIFF))
    made.act("", "join", name="", resistance="", npc="v", side="1")
    assert made.state.target("v") == 17 - 6
