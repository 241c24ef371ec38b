"""Standard rolls on a page of their own, competitions, and questions that the story answers."""
from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rules.systems.pnc import Pnc
from rules.systems.pnc.dice import Roll
from rules.systems.pnc.roll_odds import spread
from rules.systems.pnc.rolls import Answer, Race, StandardRollContest
from rules.systems.pnc.standard_roll import StandardRoll
from rules.values import BadMove
from rules.wording import percent
from tests.rules.pnc.playing import Table, sheet


def alone(mulligans=0, player=True, features=None, wounds=None, **setup):
    one = sheet("Ada", mulligans, wounds, **(features or {"jumping": 1}))
    return Table(StandardRollContest(), [one], contestants=[{"sheet": "ada", "player": player}], **setup)


def test_pn_01_the_story_decides_and_it_is_kept_like_a_roll():
    table = alone()
    result = table.act("", "settle", verdict="partly", words="She gets over, her hat does not")
    assert (result["verdict"], result["over"]) == ("partly", True)
    assert table.text("PN-01") == "It succeeds in part: She gets over, her hat does not"
    assert table.state.over and table.replayed() == table.state
    assert not table.kind.offers(table.state, table.sheets)


def test_pn_01_a_question_that_needs_no_roll_is_over_at_once():
    table = Table(Answer(), [sheet("Ada")], contestants=[{"sheet": "ada"}], verdict="failure", words="Nobody could")
    assert table.state.over and table.state.words == "Nobody could"
    assert table.last.outcome.steps[0].rule == "PN-01"
    with pytest.raises(BadMove, match="few words"):
        Table(Answer(), [sheet("Ada")], contestants=[{"sheet": "ada"}], verdict="failure", words=" ")


def test_pn_01_nothing_is_settled_in_words_once_dice_fell():
    table = alone(mulligans=1)
    table.act("ada", "roll", [10, 3, 3, 3])
    assert "settle" not in table.offered("")


def test_pn_03_both_readings_are_told():
    table = alone(features={"jumping": 0})
    result = table.act("ada", "roll", [10, 3, 3, 3])
    assert (result["success"], result["band"], result["degree"]) == (True, "partial success", 1)
    assert table.last.outcome.steps[0].text == "Ada rolls: success, +1, partial success."
    assert table.state.over


def test_pn_03_what_the_gm_wrote_is_read_out():
    table = alone()
    table.act("", "mean", band_3="The door opens", band_4="The bolt is stuck halfway")
    assert table.state.meaning("partial success") == "The bolt is stuck halfway"
    assert table.offer("", "mean").now["band_4"] == "The bolt is stuck halfway"
    table.act("", "mean", band_4="It creaks")
    assert table.state.meaning("sufficient success") == ""
    result = table.act("ada", "roll", [10, 3, 3, 3])
    assert result["meaning"] == "It creaks"
    assert table.last.outcome.steps[-1].text == "Partial success: It creaks"
    assert [row.band for row in table.view().detail.bands if row.came] == ["partial success"]


def test_pn_03_the_nine_bands_are_listed_with_their_degrees():
    bands = alone().view().detail.bands
    assert [row.span for row in bands] == [
        "+11 and more", "+8 to +10", "+5 to +7", "+2 to +4", "−1 to +1", "−4 to −2", "−7 to −5", "−10 to −8",
        "−11 and less"]


def test_pn_04_open_ended_or_not():
    table = alone()
    assert table.act("ada", "roll", [20, 7, 3, 3, 3])["d20"] == 27
    closed = alone(open_ended=False)
    assert closed.act("ada", "roll", [20, 3, 3, 3])["d20"] == 20


def test_pn_05_features_and_circumstances_make_the_dice():
    table = alone()
    table.act("ada", "weigh", features=["ada.jumping"])
    table.act("", "judge", circumstances=[{"rung": "very hard", "reason": "A very wide gap"}])
    assert table.state.roller("ada").button == "1d20 against 4d6, the highest three"
    counted = [(weight.reason, weight.counts) for weight in table.state.roller("ada").weights]
    assert counted == [("Jumping", 1), ("A very wide gap", -2)]
    assert "A very wide gap (the circumstances): very hard, 2 penalty dice." in table.text("PN-05")
    table.act("ada", "roll", [12, 1, 6, 2, 3])
    assert table.state.roller("ada").thrown.d6 == 11
    roles = [(die.role, die.kept) for die in table.state.roller("ada").drawn]
    assert roles == [("d20", True), ("3d6", False), ("3d6", True), ("3d6", True), ("penalty", True)]


def test_pn_05_what_is_added_with_the_roll_counts():
    table = alone(features={"jumping": 2})
    table.act("ada", "roll", [10, 5, 5, 1, 1, 1], features=["ada.jumping"])
    assert table.state.roller("ada").thrown.d6 == 3


def test_pn_05_the_gm_has_the_last_word():
    table = alone()
    table.act("ada", "weigh", circumstances=[{"rung": "very easy", "reason": "I am so good at it"}])
    table.act("", "judge", circumstances=[{"rung": "hard", "reason": "Rain"}])
    assert table.offer("ada", "drop").options["which"] == (("0", "I am so good at it"),)
    table.act("", "dismiss", which="ada 0")
    assert [weight.reason for weight in table.state.roller("ada").weights] == ["Rain"]
    assert "drop" not in table.offered("ada")


def test_pn_05_that_a_feature_applies_is_the_players_word_and_a_wound_binds():
    table = alone(features={"jumping": 2}, wounds={"cut arm": 3})
    table.act("ada", "roll", [10, 1, 1, 1, 6], features=["ada.jumping", "ada.cut arm"])
    assert table.state.roller("ada").thrown.d6 == 3, "a bonus die is left: the lowest three"
    assert table.offer("", "dismiss").options["which"] == (("ada 0", "Ada says: “Jumping”, 2 bonus dice."),)
    table.act("", "dismiss", which="ada 0")
    assert table.state.roller("ada").thrown.d6 == 8, "the wound's penalty die: the highest three"
    assert [weight.reason for weight in table.state.roller("ada").weights] == ["cut arm"]
    assert "dismiss" not in table.offered("") and table.replayed() == table.state


def test_pn_05_every_circumstance_has_a_reason():
    with pytest.raises(BadMove) as bad:
        alone().act("ada", "weigh", circumstances=[{"rung": "hard", "reason": " "}])
    assert (bad.value.field, bad.value.sentence) == ("circumstances.0.reason", "Enter what makes it so.")


@pytest.mark.parametrize(("degree", "counts"), [(1, 0), (3, -1), (6, -2), (-6, -2)])
def test_pn_10_a_wound_counts_as_its_degree_says(degree, counts):
    table = alone(wounds={"cut arm": degree})
    table.act("ada", "weigh", features=["ada.cut arm"])
    assert table.state.roller("ada").weights[0].counts == counts


def test_pn_09_a_mulligan_is_spent_before_the_new_dice():
    table = alone(mulligans=2)
    table.act("ada", "roll", [5, 3, 3, 3])
    assert table.offered("ada") == {"stand", "mulligan"} and not table.state.over
    table.act("ada", "mulligan", [15, 3, 3, 3])
    assert table.points("ada") == 1
    assert table.state.roller("ada").thrown.degree == 6
    table.act("ada", "stand")
    assert table.state.over and table.replayed() == table.state


def test_pn_09_without_a_point_the_roll_stands_as_it_fell():
    table = alone(mulligans=1)
    table.act("ada", "roll", [5, 3, 3, 3])
    table.act("ada", "mulligan", [4, 3, 3, 3])
    assert table.points("ada") == 0 and table.state.over


def test_pn_09_a_twenty_earns_and_a_one_takes():
    table = alone(mulligans=1)
    table.act("ada", "roll", [20, 1, 3, 3, 3])
    assert table.points("ada") == 2
    poor = alone(mulligans=1)
    poor.act("ada", "roll", [1, 1, 3, 3, 3])
    assert poor.points("ada") == 0 and poor.state.over
    none = alone()
    none.act("ada", "roll", [1, 1, 3, 3, 3])
    assert none.points("ada") == 0


def test_pn_09_points_stay_where_the_setting_says_so():
    table = alone(mulligans=1, swing=False)
    table.act("ada", "roll", [20, 1, 3, 3, 3])
    assert table.points("ada") == 1


def test_pn_09_npcs_have_no_mulligans():
    table = alone(mulligans=3, player=False)
    table.act("ada", "roll", [20, 1, 3, 3, 3])
    assert table.state.over and table.points("ada") == 3


def test_pn_08_a_competition_compares_degrees():
    table = Table(Race(), [sheet("Ada"), sheet("Bo")], contestants=[
        {"sheet": "ada", "player": True}, {"sheet": "bo", "player": True}])
    table.act("bo", "roll", [5, 3, 3, 3])
    assert not table.state.over
    result = table.act("ada", "roll", [4, 3, 3, 3])
    assert result["ranking"] == [["Bo"], ["Ada"]]
    assert table.text("PN-08") == "Bo wins: Bo −4, Ada −5."
    assert table.replayed() == table.state


def race(*points):
    made = [sheet(name, left) for name, left in zip(("Ada", "Bo", "Cy"), points, strict=False)]
    return Table(Race(), made, contestants=[{"sheet": sheet.id, "player": True} for sheet in made])


def test_pn_09_in_a_competition_only_those_behind_are_asked_and_only_when_all_have_rolled():
    table = race(1, 1, 0)
    table.act("ada", "roll", [10, 3, 3, 3])
    assert table.offered("ada") == {"mulligan"}, "there is nothing to let stand yet"
    assert table.view("ada").waits_for == "Waiting for Bo and Cy: roll 1d20."
    table.act("bo", "roll", [5, 3, 3, 3])
    table.act("cy", "roll", [4, 3, 3, 3])
    assert (table.offered("ada"), table.offered("bo"), table.offered("cy")) == (set(), {"stand", "mulligan"}, set())
    table.act("bo", "mulligan", [15, 3, 3, 3])
    assert (table.offered("ada"), table.offered("bo")) == ({"stand", "mulligan"}, set()), "now Ada is behind"
    assert table.view("ada").waits_for == "Your turn: let it stand (+1, partial success) or roll again."
    table.act("ada", "stand")
    assert table.state.over and table.text("PN-08") == "Bo wins: Bo +6, Ada +1, Cy −5."
    assert table.replayed() == table.state


def test_pn_09_who_leads_a_competition_presses_nothing():
    table = race(2, 0)
    table.act("bo", "roll", [5, 3, 3, 3])
    table.act("ada", "roll", [10, 3, 3, 3])
    assert table.state.over


def test_pn_09_who_is_level_at_the_head_is_asked():
    table = race(1, 0)
    table.act("bo", "roll", [10, 3, 3, 3])
    table.act("ada", "roll", [10, 3, 3, 3])
    assert table.offered("ada") == {"stand", "mulligan"}


def test_pn_09_the_best_band_stands_by_itself():
    best = alone(mulligans=1)
    best.act("ada", "roll", [20, 1, 3, 3, 3])
    assert best.state.over
    good = alone(mulligans=1)
    good.act("ada", "roll", [19, 3, 3, 3])
    assert good.offered("ada") == {"stand", "mulligan"}
    assert good.offer("ada", "stand").title == "Let it stand: success, +10, spectacular success"


def test_pn_09_who_spent_the_last_point_elsewhere_can_still_end_it():
    table = alone(mulligans=1)
    table.act("ada", "roll", [10, 3, 3, 3])
    table.sheets["ada"] = sheet("Ada", 0)
    assert table.offered("ada") == {"stand"}
    assert table.view("ada").waits_for == "Your turn: let it stand (+1, partial success) or roll again."
    table.act("ada", "stand")
    assert table.state.over


def test_pn_08_equal_degrees_are_level():
    table = Table(Race(), [sheet("Ada"), sheet("Bo")], contestants=[{"sheet": "ada"}, {"sheet": "bo"}])
    table.act("bo", "roll", [5, 3, 3, 3])
    assert table.act("ada", "roll", [6, 3, 3, 4])["ranking"] == [["Ada", "Bo"]]
    assert "nobody is ahead" in table.text("PN-08")
    with pytest.raises(BadMove, match="takes two"):
        Table(Race(), [sheet("Ada")], contestants=[{"sheet": "ada"}])


@pytest.mark.parametrize("roll", [Roll(), Roll(penalty=2), Roll(bonus=3, open_ended=False)])
def test_pn_02_the_odds_on_the_page_are_those_of_the_contract(roll):
    odds = spread(roll)
    assert odds.success == StandardRoll().odds(roll, "success")[True]
    bands = StandardRoll().odds(roll, "band")
    assert {band: likely for band, likely in odds.bands.items() if likely} == bands
    assert sum(chance for _, chance, _ in odds.as_attack()) == Fraction(1)


def test_pn_02_the_forecast_counts_what_is_being_filled_in():
    table = alone()
    plain, bands = table.kind.forecast(table.state, table.sheets, "ada", "roll", {"features": ["ada.jumping"]})
    assert plain[1].outcomes[0][1] == StandardRoll().odds(Roll(bonus=1), "success")[True]
    assert sum(chance for _, chance, _ in bands[1].outcomes) == 1


def test_pn_11_only_a_fight_has_the_scene_to_itself():
    exclusive = {procedure.name: procedure.placement.exclusive for procedure in Pnc.procedures}
    assert exclusive == {"pnc.fight": True, "pnc.opposed": False, "pnc.roll": False, "pnc.competition": False,
                         "pnc.answer": False}
    assert [procedure.name for procedure in Pnc.procedures if procedure.placement.open_to_players] == ["pnc.roll"]
    assert {procedure.name
            for procedure in Pnc.procedures if not procedure.placement.needs_scene} == {"pnc.roll", "pnc.answer"}


def test_pn_09_rolling_again_says_what_it_may_come_to():
    """Against brute force over the d20 and three dice; what a 20 or a 1 adds moves no degree past these."""
    worse, better, wins = Fraction(0), Fraction(0), Fraction(0)
    for first, *sixes in product(range(1, 21), *[range(1, 7)] * 3):
        seconds = range(1, 21) if first in (1, 20) else (0,)
        for second in seconds:
            extra = 0 if second == 20 else second if first == 20 else -second
            degree = first + extra - sum(sixes)
            share = Fraction(1, 20 * 216 * len(seconds))
            better += share * (degree > -2)
            worse += share * (degree < 2)
            wins += share * (first == 20 or (first != 1 and degree > 0))
    failed = alone(mulligans=1)
    failed.act("ada", "roll", [7, 3, 3, 3])
    assert failed.offer("ada", "mulligan").title == f"Roll again: {percent(wins)} to succeed, {percent(better)} better"
    good = alone(mulligans=1)
    good.act("ada", "roll", [11, 3, 3, 3])
    assert good.offer("ada", "mulligan").title.endswith(f" better, {percent(worse)} worse")


def test_pn_08_in_a_competition_new_dice_are_told_by_the_chance_to_win():
    """The degrees are compared there: who fails may be ahead of all."""
    table = Table(Race(), [sheet("Ada", 1), sheet("Bo")], contestants=[
        {"sheet": "ada", "player": True}, {"sheet": "bo", "player": False}])
    table.act("ada", "roll", [10, 3, 3, 3])
    odds = spread(Roll())
    better, worse, wins = (percent(chance) for chance in (odds.better(1), odds.worse(1), odds.better(10)))
    assert table.offer("ada", "mulligan").title == f"Roll again: {better} better, {worse} worse", "Bo has yet to roll"
    table.act("bo", "roll", [19, 3, 3, 3])
    assert table.offer("ada", "mulligan").title == f"Roll again: {wins} to win, {better} better"
