"""What contests tell of what they taught and made so: QW-80, QW-91."""
from __future__ import annotations

from typing import Any

import pytest

from rules.contests import Around, Fact
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.experience import DEFEAT, FLAW
from rules.systems.questworlds.framed import Framed
from rules.systems.questworlds.framed.events import Begun, Learned, Settings
from rules.systems.questworlds.plot import PlotEdit
from rules.systems.questworlds.system import QuestWorlds

ILSE = Sheet("i", "Ilse", (Trait("k", "ability", "Knife", 13),))


def test_qw_80_a_contest_tells_its_lessons_in_their_order_with_the_verdict_and_why() -> None:
    kind = Framed()
    state = kind.blank()
    for event in (
        Begun(Settings(players=("i",)), (("i", "Ilse"),)),
        Learned("i", FLAW, "in debt", "hindrance", True, "1 point, for a flaw used against its owner."),
        Learned("i", FLAW, "proud", "compelled", True, "1 point, for a flaw used against its owner."),
        Learned("i", FLAW, "old wound", "something later", True, "1 point, for a flaw used against its owner."),
        Learned("i", DEFEAT, "knife", "augment", False, "Nothing is learned from an augment."),
    ):
        before = kind.lessons(state)
        state = kind.evolve(state, event)
        assert kind.lessons(state)[: len(before)] == before
    told = [(each.who, each.about, each.what, each.counts, each.why) for each in kind.lessons(state)]
    assert [each[2] for each in told] == [
        "it got in the way", "it had its way", "it was used against its owner", "a defeat"]
    assert told[3] == ("i", "knife", "a defeat", False, "Nothing is learned from an augment.")


def test_qw_80_the_game_says_which_pool_lessons_fill_and_how_many_count() -> None:
    teaches = QuestWorlds().teaches
    assert teaches is not None and (teaches.pool, teaches.most) == ("xp", 5)
    assert all(kind.teaches == teaches for kind in QuestWorlds().contests if isinstance(kind, Framed))


@pytest.mark.parametrize(("level", "told"), [
    ("marginal", "Marginal, for 1 story point"), ("minor", "Minor, for 2 story points"),
    ("major", "Major, for 3 story points"),
])
def test_qw_91_a_plot_edit_is_a_fact_once_it_is_accepted(level: str, told: str) -> None:
    kind: Any = PlotEdit()
    setup = {"contestants": [{"sheet": "i"}], "title": "The ferryman is an old friend", "level": level}
    turn = kind.start(setup, {"i": ILSE})
    asked = kind.placed(kind.evolve(kind.blank(), turn.events[0]), Around((("story_points", 3),)))
    assert kind.kept(kind.blank()) == ()
    assert kind.kept(asked) == (Fact("The ferryman is an old friend", told, "i", False),)
    for word, by, kept in (("accept", "", True), ("refuse", "", None), ("withdraw", "i", None)):
        answer = kind.act(asked, {"i": ILSE}, by, word, {})
        facts = kind.kept(kind.evolve(asked, answer.events[0]))
        assert facts == ((Fact("The ferryman is an old friend", told, "i", True),) if kept else ())
    # What makes a fact is what the page looks for.
    assert kind.keeps.by == ("accept",) and QuestWorlds().keeps_facts


@pytest.mark.parametrize(("level", "pool", "told"), [
    ("major", 1, "It takes 3 story points; there is 1. Until there are more it can't be accepted."),
    ("minor", 0, "It takes 2 story points; there is none. Until there are more it can't be accepted."),
    ("marginal", 0, "It takes 1 story point; there is none. Until there are more it can't be accepted."),
    ("major", 2, "It takes 3 story points; there are 2. Until there are more it can't be accepted."),
    ("major", 3, None),
])
def test_qw_91_an_edit_that_the_pool_cannot_pay_says_so_while_it_waits(level: str, pool: int, told: str | None) -> None:
    kind, around = PlotEdit(), Around((("story_points", pool),))
    setup: Any = {"contestants": [{"sheet": "i"}], "title": "The ferryman is an old friend", "level": level}
    turn: Any = kind.start(setup, {"i": ILSE})
    asked = kind.placed(kind.evolve(kind.blank(), turn.events[0]), around)
    assert [fact for fact in kind.board(asked, {"i": ILSE}).facts if "takes" in fact] == ([told] if told else [])
    refused: Any = kind.act(asked, {"i": ILSE}, "", "refuse", {})
    over = kind.placed(kind.evolve(asked, refused.events[0]), around)
    assert kind.board(over, {"i": ILSE}).facts == (f"Story points left: {pool}.",)
