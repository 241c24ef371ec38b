"""What contests tell of what they taught and made so: QW-80, QW-91."""
from __future__ import annotations

from typing import Any

import pytest

from rules.procedure import CampaignContext, Fact, Perspective
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.experience import DEFEAT, FLAW
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.plot_edit import PlotEdit
from rules.systems.questworlds.simple_contest import SimpleContest
from rules.systems.questworlds.simple_contest.framing import Begun
from rules.systems.questworlds.simple_contest.resolution import TookLesson
from rules.systems.questworlds.simple_contest.values import ContestOptions
from rules.systems.questworlds.system import QuestWorlds

ILSE = Sheet("i", "Ilse", (Trait("k", "ability", "Knife", 13),))


def test_qw_80_a_contest_tells_its_lessons_in_their_order_with_the_verdict_and_why() -> None:
    kind = SimpleContest()
    state = kind.blank()
    for event in (
        Begun(ContestOptions(players=("i",)), (("i", "Ilse"),)),
        TookLesson("i", FLAW, "in debt", "hindrance", True, "1 point, for a flaw used against its owner."),
        TookLesson("i", FLAW, "proud", "compelled", True, "1 point, for a flaw used against its owner."),
        TookLesson("i", FLAW, "old wound", "something later", True, "1 point, for a flaw used against its owner."),
        TookLesson("i", DEFEAT, "knife", "augment", False, "Nothing is learned from an augment."),
    ):
        before = kind.awards(state)
        state = kind.evolve(state, event)
        assert kind.awards(state)[: len(before)] == before
    awards = [(award.who, award.about, award.what, award.counts, award.why) for award in kind.awards(state)]
    assert [award[2] for award in awards] == [
        "it got in the way", "it had its way", "it was used against its owner", "a defeat"]
    assert awards[3] == ("i", "knife", "a defeat", False, "Nothing is learned from an augment.")


def test_qw_80_the_game_says_which_pool_lessons_fill_and_how_many_count() -> None:
    teaches = QuestWorlds().experience_rule
    assert teaches is not None and (teaches.pool, teaches.most) == ("xp", 5)
    assert all(kind.experience_rule == teaches for kind in QuestWorlds().procedures if isinstance(kind, SimpleContest))


@pytest.mark.parametrize(("level", "terms"), [
    ("marginal", "Marginal, for 1 story point"), ("minor", "Minor, for 2 story points"),
    ("major", "Major, for 3 story points"),
])
def test_qw_91_a_plot_edit_is_a_fact_once_it_is_accepted(level: str, terms: str) -> None:
    kind: Any = PlotEdit()
    setup = {"contestants": [{"sheet": "i"}], "title": "The ferryman is an old friend", "level": level}
    turn = kind.start(setup, {"i": ILSE})
    asked = kind.with_context(kind.evolve(kind.blank(), turn.events[0]), CampaignContext((("story_points", 3),)))
    assert kind.facts(kind.blank()) == ()
    assert kind.facts(asked) == (Fact("The ferryman is an old friend", terms, "i", False),)
    for word, by, kept in (("accept", "", True), ("refuse", "", None), ("withdraw", "i", None)):
        answer = kind.act(asked, {"i": ILSE}, by, word, {})
        facts = kind.facts(kind.evolve(asked, answer.events[0]))
        assert facts == ((Fact("The ferryman is an old friend", terms, "i", True),) if kept else ())
    # What makes a fact is what the page looks for.
    assert kind.fact_rule.by == ("accept",) and QuestWorlds().has_facts


@pytest.mark.parametrize(("level", "pool", "terms"), [
    ("major", 1, "It takes 3 story points; there is 1. Until there are more it can’t be accepted."),
    ("minor", 0, "It takes 2 story points; there is none. Until there are more it can’t be accepted."),
    ("marginal", 0, "It takes 1 story point; there is none. Until there are more it can’t be accepted."),
    ("major", 2, "It takes 3 story points; there are 2. Until there are more it can’t be accepted."),
    ("major", 3, None),
])
def test_qw_91_an_edit_that_the_pool_cannot_pay_says_so_while_it_waits(
    level: str, pool: int, terms: str | None
) -> None:
    kind, around = PlotEdit(), CampaignContext((("story_points", pool),))
    setup: Any = {"contestants": [{"sheet": "i"}], "title": "The ferryman is an old friend", "level": level}
    turn: Any = kind.start(setup, {"i": ILSE})
    asked = kind.with_context(kind.evolve(kind.blank(), turn.events[0]), around)
    assert kind.view(asked, {"i": ILSE}, Perspective()).facts == ((terms,) if terms else ())
    refused: Any = kind.act(asked, {"i": ILSE}, "", "refuse", {})
    over = kind.with_context(kind.evolve(asked, refused.events[0]), around)
    assert kind.view(over, {"i": ILSE}, Perspective()).detail.points == pool


def test_qw_80_a_flaw_and_an_ability_of_one_name_are_two() -> None:
    sheet = Sheet("i", "Ilse", (Trait("k", "ability", "Proud", 13), Trait("f", "flaw", "Proud", 17)))
    plain = Sheet("i", "Ilse", sheet.traits[:1])
    state = SimpleContest().blank()
    state = SimpleContest().evolve(state, Begun(ContestOptions(players=("i",)), (("i", "Ilse"),)))

    def after(state: Any, sheet: Sheet, kind: str) -> Any:
        ((event,), _, _) = learned(state, sheet, kind, "Proud", "simple" if kind == DEFEAT else "hindrance")
        return SimpleContest().evolve(state, SimpleContest().read(SimpleContest().write(event)))

    both = after(after(state, sheet, FLAW), sheet, DEFEAT)
    assert [(occasion.trait, occasion.counts) for occasion in both.learned] == [("proud", True), ("proud", True)]
    again = after(after(both, sheet, FLAW), sheet, DEFEAT)
    assert [occasion.counts for occasion in again.learned] == [True, True, False, False]
    # An ability that hindered is still that ability, and what was written before knew flaws by how they taught.
    one = after(after(state, plain, FLAW), plain, DEFEAT)
    assert [occasion.counts for occasion in one.learned] == [True, False]
    old = SimpleContest().evolve(state, TookLesson("i", FLAW, "proud", "hindrance", True, ""))
    assert [after(old, sheet, kind).learned[-1].counts for kind in (FLAW, DEFEAT)] == [False, True]
