"""Around play, in the rules alone: the base, the bank, downtime, and what lasts (QW-01, -03, -61, -77, -90)."""
from __future__ import annotations

from typing import Any

import pytest

from rules.procedure import CampaignContext, Casting, PastContest, Perspective, Placement
from rules.sheet import ChangeSetting, Lose, Raise, Refill, Sheet, Trait
from rules.systems.questworlds.bank import Situation, SituationsField, kinds, situations
from rules.systems.questworlds.downtime import Downtime
from rules.systems.questworlds.downtime import State as DowntimeState
from rules.systems.questworlds.lasting_review import LastingReview
from rules.systems.questworlds.lasting_review import State as ReviewState
from rules.systems.questworlds.plot_edit import PlotEdit
from rules.systems.questworlds.resistance import BaseField
from rules.systems.questworlds.session import full_pool
from rules.systems.questworlds.system import QuestWorlds
from rules.values import BadMove

GAME = QuestWorlds()
FIELD = SituationsField(name="situations", label="How hard it is")


def test_qw_01_the_base_is_read_in_both_forms_and_kept_as_a_number() -> None:
    base = BaseField(name="base", label="Base")
    assert [base.check(written) for written in ("14", "1M", 21, " 6 ", "20M3")] == [14, 21, 21, 6, 80]
    assert [base.show(score) for score in (14, 21, 80)] == ["14", "1M", "20M3"]
    assert BaseField(name="base", label="Base", symbol="W").show(21) == "1W"


@pytest.mark.parametrize("typed", ["5", "81", "1M4", "+3", "−M", "high", "", True])
def test_qw_01_no_other_base_is_taken(typed: Any) -> None:
    with pytest.raises(BadMove) as bad:
        GAME.read_settings({"base": typed})
    assert bad.value.field == "base" and bad.value.sentence.startswith("Enter")


def test_qw_01_the_sign_changes_together_with_the_base_that_is_written_in_it() -> None:
    weird = QuestWorlds("W")
    assert weird.read_settings({"symbol": "X", "base": "1W"})["base"] == 21
    assert weird.read_settings({"symbol": "X", "base": "1X"})["base"] == 21
    assert weird.read_settings({"symbol": "X", "base": "1M"})["base"] == 21
    with pytest.raises(BadMove):
        weird.read_settings({"symbol": "X", "base": "1Y"})
    with pytest.raises(BadMove):
        weird.read_settings({"symbol": "12", "base": "1Y"})


def test_qw_77_an_entry_holds_a_resistance_for_each_situation() -> None:
    spec = {"situations": FIELD.check("In a fight: high\n\n  Her  secret : +6\nAt 9:30: 1M")}
    assert situations(spec) == (
        Situation("In a fight", "high"), Situation("Her secret", "+6"), Situation("At 9:30", "1M"))
    assert situations({"situations": "17"}) == (Situation("", "17"),)


def test_qw_77_entries_from_before_are_read_on() -> None:
    old = {"resistance": "1M", "obstacle": "A wet wall", "stake": "An arm"}
    assert situations(old) == (Situation("A wet wall", "1M"),)
    assert situations({}) == situations({"situations": " \n"}) == (Situation("", ""),)
    kind, *_ = kinds("M")
    assert kind.current(old) == {"situations": "A wet wall: 1M", "stake": "An arm"}
    assert situations(kind.current(old)) == situations(old)
    assert kind.current({"resistance": "high"}) == {"situations": "high"}
    assert kind.current(kind.current(old)) == kind.current(old)


@pytest.mark.parametrize(("typed", "says"), [
    ("In a fight: high\nTalking: quite hard", "Line 2, “Talking: quite hard”: behind the colon"),
    ("Talking her round", "Line 1, “Talking her round”, has no resistance"),
    ("A: high\na : low", "Line 2, “a : low”: an earlier line has this situation"),
    ("A: 2000", "Line 1"),
    ("A: low\nIn a fight: +7", "Line 2, “In a fight: +7”: +7 is no rank. The ranks are +3, +6, +9, +M, +M2"),
    ("x" * 130 + ": high", "at most 120 characters"),
    ("\n".join(f"{number}.: high" for number in range(21)), "at most 20 situations"),
])
def test_qw_77_a_bad_line_is_named(typed: str, says: str) -> None:
    with pytest.raises(BadMove) as bad:
        FIELD.read({"situations": typed})
    assert says in bad.value.sentence and bad.value.field == "situations"


def test_qw_77_it_is_told_in_notation_and_in_words_and_players_read_no_situation() -> None:
    settings, (kind, *_) = {**GAME.read_settings({}), "base": 17}, kinds("W")
    spec = {"situations": "In a fight: high\nAsleep:\nA duel: 7W", "stake": "An ear"}
    assert kind.rows(spec, settings) == (
        ("In a fight", "3W", "high, the base +6"), ("Asleep", "17", "the base"), ("A duel", "7W", ""),
        ("At stake", "", "An ear"))
    assert kind.rows(spec, settings, players=True) == (("At stake", "", "An ear"),)
    assert kinds("M")[0].rows({"resistance": "7W"}, settings) == (("Resistance", "7W", "Write it again."),)


ILSE = Sheet("i", "Ilse", (
    Trait("a", "ability", "Maps", 17), Trait("c", "consequence", "A bruised name", 2, note="At court. From: The ball"),
    Trait("b", "benefit", "A favour", 1)))
TAM = Sheet("t", "Tam", (Trait("d", "consequence", "A cut", 1),))
SHEETS = {"i": ILSE, "t": TAM}
WHO = [{"sheet": "i", "player": True}, {"sheet": "t", "player": False}]


def played(kind: Any, state: Any, turn: Any) -> Any:
    """The state after a turn, by way of what is stored."""
    for event in turn.events:
        state = kind.evolve(state, kind.read(kind.write(event)))
    return state


def walked() -> ReviewState:
    return played(LastingReview(), LastingReview().blank(), LastingReview().start({"contestants": WHO}, SHEETS))


def test_qw_61_a_walk_needs_no_scene_and_is_of_everybody() -> None:
    kind = LastingReview()
    assert not kind.placement.needs_scene
    assert kind.casting == Casting("everyone", carrying=("consequence", "benefit", "adversity", "fortune"))
    drawn = kind.view(walked(), SHEETS, Perspective()).detail
    assert [(name, [(line.name, line.amount, line.rank) for line in lines]) for _, name, lines in drawn.rows] == [
        ("Ilse", [("A bruised name", "−6", 2), ("A favour", "+3", 1)]), ("Tam", [("A cut", "−3", 1)])]
    assert drawn.left == 3 and drawn.rows[0][2][0].note == "At court. From: The ball"


def test_qw_61_each_line_stays_falls_or_is_over() -> None:
    kind, state = LastingReview(), walked()
    for line, how, effects in (("c", "lower", (Raise("c", -1),)), ("b", "keep", ()), ("d", "lower", (Lose("d"),))):
        turn = kind.act(state, SHEETS, "", "look", {"line": line, "how": how})
        assert turn.effects == effects and turn.outcome.steps[0].rule == "QW-61"
        state = played(kind, state, turn)
        with pytest.raises(BadMove):
            kind.act(state, SHEETS, "", "look", {"line": line, "how": "gone"})
    assert [offer.action for offer in kind.offers(state, SHEETS)] == ["finish"]
    assert kind.is_over(played(kind, state, kind.act(state, SHEETS, "", "finish", {})))


def test_qw_61_all_that_is_left_is_cleared_in_one_act() -> None:
    kind, state = LastingReview(), walked()
    state = played(kind, state, kind.act(state, SHEETS, "", "look", {"line": "b", "how": "keep"}))
    turn = kind.act(state, SHEETS, "", "clear", {})
    assert turn.effects == (Lose("c"), Lose("d")) and len(turn.outcome.steps) == 3
    state = played(kind, state, turn)
    assert not kind.view(state, SHEETS, Perspective()).detail.left
    with pytest.raises(BadMove):
        kind.act(state, SHEETS, "", "clear", {})


def test_qw_03_a_walk_knows_how_the_base_rose() -> None:
    kind = LastingReview()
    turn = kind.start({"contestants": WHO, "season": "3", "base": 20, "symbol": "W"}, SHEETS)
    assert turn.effects == (ChangeSetting("base", 23),)
    assert turn.outcome.steps[1].text == "A new season: the base resistance rises by 3, from 20 to 3W."
    first = played(kind, kind.blank(), turn)
    past = (PastContest(7, "A winter", False, first), PastContest(9, "Again", False, walked()))
    later = kind.with_context(walked(), CampaignContext(past=past))
    assert kind.view(later, SHEETS, Perspective()).detail.seasons == ((7, "3M"),)
    with pytest.raises(BadMove, match="goes up to 20M3"):
        kind.start({"contestants": WHO, "season": "9", "base": 75}, SHEETS)


def rested(**setup: Any) -> DowntimeState:
    return played(Downtime(), DowntimeState(), Downtime().start({"contestants": WHO, **setup}, SHEETS))


def test_qw_90_in_a_downtime_each_says_how_the_time_is_spent() -> None:
    kind, state = Downtime(), rested()
    assert kind.casting.who == "everyone" and kind.placement == Placement(exclusive=False, needs_scene=False)
    assert [(offer.action, offer.by) for offer in kind.offers(state, SHEETS)] == [
        ("spend", "i"), ("spend", "t"), ("pass", ""), ("call_off", "")]
    for words in ("She sleeps.", "She  draws\nthe coast."):
        turn = kind.act(state, SHEETS, "i", "spend", {"words": words})
        state = played(kind, state, turn)
    assert turn.outcome.steps[0].text == "Ilse: She draws the coast."
    assert state.said == (("i", "She draws the coast."),)
    waits = kind.seen(state, SHEETS, Perspective(players={"t": "Bob"})).waits_for
    assert waits == "Waiting for Tam: say how the time is spent."
    assert kind.offers(state, SHEETS)[0].now == {"words": "She draws the coast."}
    with pytest.raises(BadMove, match="Enter how the time is spent"):
        kind.act(state, SHEETS, "t", "spend", {"words": " "})


@pytest.mark.parametrize(("refresh", "effects", "says"), [
    ("downtime", (Refill("story_points"),), "are back: two for each"), ("session", (), "stay as they are"),
    ("gm", (), "stay as they are")])
def test_qw_90_the_points_come_back_with_a_downtime_where_the_campaign_says_so(
    refresh: str, effects: Any, says: str
) -> None:
    kind, state = Downtime(), rested(refresh=refresh, points=2)
    turn = kind.act(state, SHEETS, "", "pass", {})
    assert turn.effects == effects and says in turn.outcome.steps[0].text and turn.outcome.steps[0].rule == "QW-90"
    state = played(kind, state, turn)
    assert kind.is_over(state) and not kind.offers(state, SHEETS)
    assert not kind.act(rested(refresh=refresh), SHEETS, "", "call_off", {}).effects


def test_qw_90_a_session_brings_the_points_back_only_where_the_campaign_says_so() -> None:
    for refresh, effects in (("session", (Refill("story_points"),)), ("downtime", ()), ("gm", ())):
        assert GAME.session.begin((ILSE,), GAME.read_settings({"refresh": refresh})).effects == effects


def test_qw_90_a_campaign_may_have_a_larger_pool() -> None:
    assert full_pool(3) == 3 and full_pool(3, 5) == 15
    assert GAME.session.shared_start("story_points", 4, GAME.read_settings({"points": 3})) == 12
    assert "three for each" in GAME.session.begin((ILSE,), GAME.read_settings({"points": 3})).steps[0].text
    with pytest.raises(BadMove):
        GAME.read_settings({"points": 6})


def test_qw_90_a_campaign_may_have_no_story_points() -> None:
    kind, state = Downtime(), rested(refresh="downtime", points=0)
    assert "tory point" not in str(kind.offers(state, SHEETS)) + str(kind.view(state, SHEETS, Perspective()))
    turn = kind.act(state, SHEETS, "", "pass", {})
    assert not turn.effects and [step.text for step in turn.steps] == ["The time has passed."]
    assert "tory point" not in kind.act(state, SHEETS, "", "call_off", {}).steps[0].text
    with pytest.raises(BadMove, match="no story points"):
        PlotEdit().start({"contestants": [{"sheet": "i"}], "title": "It rains", "points": 0}, SHEETS)
    assert full_pool(3, 0) == 0 and GAME.read_settings({"points": 0})["points"] == 0
