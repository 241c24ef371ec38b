"""Augments that are rolled for, and flaws, within each long contest: as outside one (QW-22 to QW-24)."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.procedure import Offer
from rules.sheet import Spend, SpendShared, Trait
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.simple_contest import FlawContest, SimpleContest
from rules.values import BadMove
from tests.rules.questworlds import framing
from tests.rules.questworlds.longing import ILSE, Table
from tests.rules.questworlds.test_counts_with_what import target

KINDS = (ScoredLong, ChainedLong, ExtendedLong)
each_kind = pytest.mark.parametrize("kind", KINDS)
CUT = Trait("c", "consequence", "Cut hand", 2, note="Knife")


def table(kind: Any, *lines: Trait, points: int = 0, **setup: Any) -> Table:
    made = Table(kind(), who=(("i", "The crew", True), ("o", "The crew", True)), points=points, **setup)
    made.sheets["i"] = replace(ILSE, traits=(*ILSE.traits, *lines))
    return made


def offer(table: Table, action: str, by: str) -> Offer | None:
    return next((offer for offer in table.kind.offers(table.state, table.sheets)
                 if (offer.action, offer.by) == (action, by)), None)


def asked(offer: Offer | None) -> list[tuple[str, str, Any]]:
    """What a form asks: each field with its words, and what there is to choose."""
    assert offer is not None
    return [(field.name, field.label, getattr(field, "options", ())) for field in offer.fields]


def offered_for(table: Table, bonus: str = "roll3", trait: str = "a") -> None:
    """Ilse offers an augment, and the GM has it rolled for."""
    table.act("i", "augment", trait=trait, whom="i", words="Cutting the ropes")
    table.act("", "answer", proposal="0", verdict=bonus)


def thrown(table: Table) -> Any:
    return next(event for event in reversed(table.events) if type(event).__name__ == "DiceFell")


@each_kind
def test_qw_22_the_gm_answers_with_the_words_of_a_framed_contest(kind: Any) -> None:
    made = table(kind)
    made.act("i", "augment", trait="a", whom="i", words="Cutting the ropes")
    state, _ = framing.act(framing.framed(ability="k"), "augment", "i", trait="a", whom="i", words="Cutting")
    outside = next(offer for offer in SimpleContest().offers(state, framing.SHEETS) if offer.action == "answer")
    inside = offer(made, "answer", "")
    assert inside is not None
    words, others = ([words for field in form.fields if field.name == "verdict"
                      for _, words in getattr(field, "options", ())] for form in (inside, outside))
    assert words == others and "Roll for +3" in words


@each_kind
@pytest.mark.parametrize(("verdict", "bonus"), [("roll3", 3), ("roll6", 6)])
def test_qw_22_an_augment_that_is_rolled_for_counts_where_it_is_won(kind: Any, verdict: str, bonus: int) -> None:
    made = table(kind, CUT)
    before = target(made, "k")
    offered_for(made, verdict)
    assert target(made, "k") == before and "roll_augment" in made.offered("i")
    made.act("i", "roll_augment", 5, 19)
    lies = thrown(made)
    assert (lies.choice.score, lies.modifiers, lies.resistance) == (14, (-6,), 14), "what touches it counts, too"
    assert (target(made, "k"), target(made, "a")) == (before + bonus, 14 - 6), "never for itself"
    assert "roll_augment" not in made.offered()


@each_kind
def test_qw_22_a_lost_one_is_not_tried_again_and_takes_nobodys_turn(kind: Any) -> None:
    made = table(kind)
    before, acted = target(made, "k"), made.state.entrant("i").acted
    offered_for(made)
    told = made.act("i", "roll_augment", 19, 5)
    assert target(made, "k") == before and made.state.entrant("i").acted == acted
    assert "An augment earns no experience." in [step.text for step in told.steps]
    with pytest.raises(BadMove, match="no second try"):
        made.act("i", "augment", trait="b", whom="i", words="")


@each_kind
def test_qw_22_augments_are_not_themselves_augmented(kind: Any) -> None:
    made = table(kind)
    made.act("o", "augment", trait="s", whom="i", words="")
    made.act("", "answer", proposal="0", verdict="6")
    made.act("i", "augment", trait="a", whom="i", words="")
    made.act("", "answer", proposal="1", verdict="roll3")
    made.act("i", "roll_augment", 5, 19)
    assert thrown(made).modifiers == ()


@each_kind
def test_qw_12_a_story_point_turns_an_augment_and_a_flaw_to_the_characters_good(kind: Any) -> None:
    made = table(kind, points=2)
    offered_for(made)
    made.act("i", "roll_augment", 19, 16)
    told = made.act("i", "spend")
    assert target(made, "k") == 17 + 3 and [type(effect) for effect in told.effects] == [SpendShared]
    made.act("", "hinder", 5, 19, trait="f", amount="-6", how="rolled", reason="A creditor")
    assert {"spend", "stand"} <= made.offered("i") and target(made, "k") == 20
    made.act("i", "spend")
    assert made.context.pool("story_points") == 0


@each_kind
def test_qw_22_by_degree_the_degree_says_how_much(kind: Any) -> None:
    made = table(kind, by_degree=True, degrees=True)
    offered_for(made)
    told = made.act("i", "roll_augment", 14, 20)
    steps = [step.text for step in told.steps if step.rule == "QW-A8"]
    (line,) = [line for line in made.state.lines if line.kind == "augment"]
    assert line.amount == 20 and steps == ["A complete victory comes to +M."]


@each_kind
def test_qw_23_the_forms_of_a_flaw_are_those_of_a_framed_contest(kind: Any) -> None:
    made = table(kind)
    state = framing.framed(ability="k")
    outside = {offer.by: offer for offer in SimpleContest().offers(state, framing.SHEETS) if offer.action == "hinder"}
    for by in ("", "i"):
        assert asked(offer(made, "hinder", by)) == asked(outside[by])
        assert offer(made, "hinder", by).title == outside[by].title  # type: ignore[union-attr]


@each_kind
def test_qw_23_whoever_has_a_flaw_lets_it_hinder_and_that_is_said(kind: Any) -> None:
    made = table(kind)
    told = made.act("i", "hinder", trait="f", reason="")
    assert (target(made, "a"), target(made, "k")) == (11, 14)
    (line,) = made.state.lines
    assert (line.said_by, line.reason) == ("i", "Ilse says so")
    assert any("It may be worth a point" in step.text for step in told.steps)
    assert offer(made, "hinder", "i") is None and offer(made, "hinder", "o") is None, "Otho has no flaw"
    made.act("", "dismiss", which="i f")
    assert target(made, "k") == 17


@each_kind
def test_qw_23_any_line_hinders_at_the_gms_word_and_once(kind: Any) -> None:
    made = table(kind)
    made.act("", "hinder", trait="w", amount="-6", reason="He slept")
    assert [line.label for line in made.state.lines if line.who == "o"] == ["Wakes late"]
    with pytest.raises(BadMove):
        made.act("", "hinder", trait="w", amount="-3", reason="")


@each_kind
def test_qw_23_a_flaw_rolls_against_the_base_and_is_overcome_once_for_all(kind: Any) -> None:
    made = table(kind)
    made.act("", "hinder", 19, 5, trait="f", amount="-6", how="rolled", reason="A creditor")
    lies = thrown(made)
    assert (lies.choice.score, lies.modifiers, lies.resistance) == (17, (), 14)
    assert target(made, "k") == 17 and "f" not in dict(offer(made, "hinder", "").options["trait"])  # type: ignore
    again = table(kind)
    again.act("", "hinder", 5, 19, trait="f", amount="-6", how="rolled", reason="A creditor")
    assert target(again, "k") == 17 - 6


@each_kind
def test_qw_24_acting_against_a_flaw_is_a_contest_with_it_and_teaches_once(kind: Any) -> None:
    made = table(kind)
    outside = FlawContest()
    begun: Any = outside.start({"contestants": [{"sheet": "i", "player": True}], "title": "A debt"}, made.sheets)
    state = outside.fold(outside.write(event) for event in begun.events)
    titles = {offer.title for offer in outside.offers(state, made.sheets)}
    assert offer(made, "act_against", "i").title in titles  # type: ignore[union-attr]
    assert offer(made, "compel", "").title in titles  # type: ignore[union-attr]
    told = made.act("i", "act_against", 5, 19, flaw="f", ability="k")
    lies = thrown(made)
    assert (lies.choice.name, lies.resistance) == ("Mapmaker", 17)
    assert told.effects == (Spend("i", "xp", 1),) and made.state.entrant("i").acted == 0
    assert offer(made, "act_against", "i") is None, "it has come up in this round"
    assert not dict(made.state.bouts_of("i")[0].chosen), "the round is still to come"


@each_kind
def test_qw_24_a_compelled_act_earns_a_point_and_no_die_falls(kind: Any) -> None:
    made = table(kind)
    told = made.act("", "compel", trait="f")
    assert told.effects == (Spend("i", "xp", 1),) and not told.dice
    assert told.steps[0].text == "Ilse acts as In debt dictates: no die falls."
    assert offer(made, "compel", "") is None and offer(made, "act_against", "i") is None
    assert {"round", "bid"} & made.offered("i"), "what else they do, they do as ever"


def test_what_was_kept_of_a_long_contest_before_is_read_as_it_was() -> None:
    made = table(ScoredLong)
    offered_for(made, "3")
    made.round(5, 19)
    for event in made.events:
        stored: Any = made.kind.write(event)
        for held in (stored, stored.get("line", {})):
            for new in ("degrees", "said_by", "won"):
                held.pop(new, None)
        assert made.kind.read(stored) == event


