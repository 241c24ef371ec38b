"""What pages show of PnC before and after the dice: odds, notes, sentences."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.procedure import Perspective
from rules.sheet import Spend
from rules.systems.pnc import Pnc
from rules.systems.pnc.competition import Competition, Pair
from rules.systems.pnc.dice import Roll, Thrown
from rules.systems.pnc.factors import dice_in_words
from rules.systems.pnc.fight import Fight, Opposed
from rules.systems.pnc.initiative import Initiative
from rules.systems.pnc.rolls import Race, StandardRollContest
from rules.systems.pnc.standard_roll import AttackRoll, StandardRoll
from rules.values import BadMove
from tests.rules.pnc.fighting import duel, fight, line, ordered, struck
from tests.rules.pnc.playing import Table, sheet

PLAIN = "1d20 against 3d6"


def forecast(table: Table, by: str, action: str, **given: Any) -> dict[str, dict[str, Fraction]]:
    """The odds of an act, by heading and label."""
    chances = table.kind.forecast(table.state, table.sheets, by, action, given)
    return {against: {label: chance for label, chance, _ in odds.outcomes} for against, odds in chances}


def test_pn_07_the_odds_of_acting_first_count_what_has_fallen() -> None:
    lines = [line("Ada", "us"), line("Cy", "them")]
    table = Table(Fight(), [sheet("Ada", quick=1), sheet("Cy")], contestants=lines)
    compared = Competition().odds(Pair(Roll(bonus=1), Roll()), "outcome")
    assert forecast(table, "ada", "initiative", features=["ada.quick"])["Acting first"] == {
        "First": compared["first"], "Later, or together": 1 - compared["first"]}
    table.act("cy", "initiative", [10, 3, 3, 3])
    better = sum(likely for degree, likely in StandardRoll().odds(Roll(), "degree").items()
                 if isinstance(degree, int) and degree > 1)
    assert forecast(table, "ada", "initiative")["Acting first"]["First"] == better
    assert forecast(table, "ada", "act") == {}, "what is not offered has no odds"


def test_pn_07_there_are_no_odds_of_a_place_by_a_d6() -> None:
    table = fight(caught=("Cy",), initiative="d6", faces=[5, 2])
    table.act("", "ready", who="cy")
    assert "initiative" in table.offered("cy")
    assert forecast(table, "cy", "initiative") == {}
    assert fight(caught=("Cy",), initiative="d6", faces=[5, 2]).state.settings.initiative == "d6"


def test_pn_07_who_acts_alone_needs_no_odds() -> None:
    table = fight(caught=("Cy", "Bo"))
    assert forecast(table, "ada", "initiative") == {}


def test_pn_06_odds_of_an_attack_while_one_chooses() -> None:
    table = ordered()
    chanceses = forecast(table, "ada", "attack", target="cy", features=["ada.sword"])
    odds = AttackRoll().odds(Roll(bonus=1), "damage")
    by_label = chanceses["Cy, before they say what helps them"]
    assert by_label["Hurt"] == odds["hurt"]
    assert by_label["May hurt the attacker"] == AttackRoll().odds(Roll(bonus=1), "backfires")[True]
    assert by_label["Miss"] == odds[None] - by_label["May hurt the attacker"]
    table = struck(d20=4)
    table.act("", "backfire", what="free")
    assert list(forecast(table, "cy", "free_attack")) == ["Ada, before they say what helps them"]


def test_pn_06_odds_of_an_opposed_roll_while_one_chooses() -> None:
    lines = [{"sheet": "ada", "side": "x", "leads": True}, {"sheet": "cy", "side": "y"}]
    table = Table(Opposed(), [sheet("Ada", sneaking=2), sheet("Cy", ears=1)], contestants=lines)
    even = StandardRoll().odds(Roll(bonus=2), "success")[True]
    assert forecast(table, "ada", "weigh", features=["ada.sneaking"])["With that"] == {
        "Success": even, "Failure": 1 - even}
    table.act("ada", "weigh", features=["ada.sneaking"])
    own = StandardRoll().odds(Roll(bonus=1), "success")[True]
    assert forecast(table, "cy", "defend", features=["cy.ears"])["Ada’s roll"]["Success"] == own
    (heading, odds), = table.view().detail.attack.forecast
    assert heading == "As it is now: 1d20 against 5d6, the lowest three" and odds.outcomes[0][1] == even


def test_pn_06_odds_of_each_part_as_it_falls() -> None:
    table = ordered()
    table.act("ada", "attack", target="cy")
    table.act("cy", "defend", [4, 4, 4])
    (heading, odds), = table.view().detail.attack.forecast
    assert heading == "Ada’s d20 against 12"
    by_label = {label: chance for label, chance, _ in odds.outcomes}
    # 13 grazes, 14 to 16 hurt, 17 to 19 hurt badly, 20 and what follows does worse.
    assert (by_label["Grazed"], by_label["Hurt"], by_label["Badly hurt"]) == (
        Fraction(1, 20), Fraction(3, 20), Fraction(3, 20))
    assert sum(by_label.values()) == 1


def test_pn_09_odds_of_rolling_again_are_for_those_who_may() -> None:
    table = duel(points=1)
    table.sheets["ada"] = sheet("Ada", 0)
    table.act("ada", "attack", target="bo")
    table.act("bo", "defend", [3, 3, 3])
    table.act("ada", "strike", [15])
    (heading, odds), = table.view().detail.attack.forecast
    assert heading == "If Bo rolls the 3d6 again"
    # 3 comes up once in 216 throws, 4 three times.
    assert {label: chance for label, chance, _ in odds.outcomes}["Destroyed"] == Fraction(4, 216)
    assert table.view().facts == ("Bo may spend a mulligan point to roll again, until someone acts.",)


def test_pn_07_notes_in_the_order() -> None:
    table = ordered(caught=())
    assert [[member.note for member in group] for group in table.view().groups] == [
        ["us, degree +6"], ["them, degree +1"], ["us, degree −4"]]
    assert [member.current for group in table.view().groups for member in group] == [True, False, False]
    table.act("ada", "attack", target="cy")
    table.act("cy", "defend", [6, 6, 6])
    table.act("ada", "strike", [9])
    table.act("", "backfire", what="place")
    assert table.view().groups[-1][0].note == "us, last"
    table.act("", "stands", who="cy", standing="unconscious")
    gone = fight(sheet("Dee"), caught=("Dee",))
    assert gone.view().groups[-1][0].note == "us, caught off guard"
    assert gone.view().facts == ("Dee was caught off guard and can’t act yet.",)
    ended = struck()
    ended.act("", "deal", words="", standing="surrendered")
    assert ended.view().heading == "Won by us"
    assert [member.note for group in ended.view().groups for member in group if member.out] == ["them, surrendered"]


def test_pn_11_what_is_waited_for_is_said_to_whoever_looks() -> None:
    table = fight()
    assert table.view("ada").waits_for == "Your turn: roll initiative."
    assert table.view("ada", "bo").waits_for == "Your turn for Ada and Bo: roll initiative."
    assert table.view().waits_for == "Waiting for Ada, Bo and the GM: roll initiative."
    gm = {"runs": True}
    assert table.view(**gm).waits_for == "Your turn for Cy: roll initiative."
    table = ordered()
    assert table.view(**gm).waits_for == "Waiting for Ada: attack Cy, or another action."
    assert [ask.text for ask in table.kind.asks(table.state, table.sheets)] == ["attack Cy, or another action"]
    several = fight(sheet("Dee"), caught=("Ada", "Bo", "Dee"))
    several.act("cy", "initiative", [10, 3, 3, 3])
    assert [ask.text for ask in several.kind.asks(several.state, several.sheets)] == ["attack, or another action"]
    table.act("ada", "attack", target="cy", words="a thrust")
    assert table.view("cy").waits_for == "Your turn: roll against Ada."
    table.act("cy", "defend", [3, 3, 3])
    assert table.view("cy").waits_for == "Waiting for Ada: roll the d20 against the 9 of Cy."
    table.act("", "end", words="The guard comes")
    assert (table.view().waits_for, table.view().heading) == ("The fight is over.", "Ended")
    assert "The guard comes" in table.view().facts


def test_pn_08_the_gm_is_asked_only_for_whom_nobody_plays() -> None:
    """The GM may act for all: "your turn" names those that are the GM's alone, with a name where several roll."""
    lines = [{"sheet": "ada", "player": True}, {"sheet": "cy", "player": False}]
    race = Table(Race(), [sheet("Ada", 1), sheet("Cy")], contestants=lines)
    assert race.view(runs=True).waits_for == "Your turn for Cy: roll 1d20."
    assert race.view("ada").waits_for == "Your turn: roll 1d20."
    assert race.view("bo").waits_for == "Waiting for Ada and the GM: roll 1d20."
    race.act("cy", "roll", [15, 3, 3, 3])
    assert race.view(runs=True).waits_for == "Waiting for Ada: roll 1d20."
    race.act("ada", "roll", [10, 3, 3, 3])
    assert race.view(runs=True).waits_for == "Waiting for Ada: let it stand (+1, partial success) or roll again."
    assert race.view("ada").waits_for == "Your turn: let it stand (+1, partial success) or roll again."
    alone = Table(StandardRollContest(), [sheet("Ada", 1)], contestants=lines[:1])
    assert alone.view("ada").waits_for == "Your turn: roll 1d20."
    assert alone.view(runs=True).waits_for == "Waiting for Ada: roll 1d20."


def test_pn_11_nobody_can_act_until_the_gm_says_so() -> None:
    table = fight(caught=("Bo", "Cy"))
    table.act("ada", "initiative", [15, 3, 3, 3])
    table.act("", "stands", who="ada", standing="unconscious")
    assert table.view().waits_for == "Waiting for the GM: say who can act."


def test_pn_05_twenty_factors_are_enough() -> None:
    rain = {"rung": "hard", "reason": "Rain"}
    table = ordered()
    table.act("ada", "attack", target="cy")
    for _ in range(4):
        table.act("", "judge", circumstances=[rain] * 5)
    with pytest.raises(BadMove, match="20 factors at most"):
        table.act("", "judge", circumstances=[rain])
    with pytest.raises(BadMove, match="at least one factor"):
        table.act("", "judge", circumstances=[])
    with pytest.raises(BadMove, match="20 factors at most"):
        table.act("cy", "defend", features=["cy.armour"])
    table.act("", "dismiss", which="0")
    assert "Rain" in table.text("PN-05")
    table.act("cy", "defend", features=["cy.armour"])


def test_pn_05_the_steps_say_how_the_dice_were_counted() -> None:
    def said(penalty: int, bonus: int, *sixes: int) -> str:
        steps = Thrown(Roll(penalty, bonus), 10, None, sixes).steps()
        return next((step.text for step in steps if step.rule == "PN-05"), "")

    assert said(0, 0, 1, 2, 3) == ""
    assert said(1, 1, 1, 2, 3) == "1 penalty and 1 bonus cancel: three dice, as usual."
    assert said(1, 0, 1, 2, 3, 4) == (
        "1 penalty and 0 bonus leave 1 penalty die; the highest three of 4 count: 2, 3, 4.")
    assert said(0, 3, 1, 2, 3, 4, 5, 6) == (
        "0 penalty and 3 bonus leave 3 bonus dice; the lowest three of 6 count: 1, 2, 3.")
    assert "the most there can be" in said(0, 4, 1, 2, 3, 4, 5, 6)
    assert "the most there can be" in said(5, 1, 1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(("first", "second", "text"), [
    (20, 7, "A 20 opens the d20; the 7 after it is added: 27."), (20, 20, "the 20 after it counts 0: 20."),
    (1, 7, "A 1 opens the d20; the 7 after it is taken off: −6."), (1, 20, "the 20 after it counts 0: 1."),
])
def test_pn_04_the_steps_say_what_followed(first: int, second: int, text: str) -> None:
    steps = Thrown(Roll(), first, second, (3, 3, 3)).steps()
    assert steps[0].rule == "PN-04" and steps[0].text.endswith(text)
    assert f"the d20 shows {first}, which always {'succeeds' if first == 20 else 'fails'}." in steps[1].text.lower()


def test_pn_05_extra_dice_lie_apart() -> None:
    laid = Thrown(Roll(penalty=2), 20, 7, (1, 2, 3, 4, 5)).laid("Ada", "Cy")
    assert [(die.role, die.kept) for die in laid] == [
        ("Ada", True), ("Ada", True), ("Cy", False), ("Cy", False), ("Cy", True), ("penalty", True),
        ("penalty", True)]
    assert Thrown(Roll(bonus=1), 3, None, (1, 2, 3, 4)).laid()[-1].role == "bonus"


def test_pn_02_the_page_of_a_roll() -> None:
    table = Table(StandardRollContest(), [sheet("Ada", jumping=1)], contestants=[{"sheet": "ada"}])
    before = table.view().detail
    assert (before.rolls[0].button, before.rolls[0].reading, before.described) == ("1d20 against 3d6", "", False)
    assert before.rolls[0].odds[0][1] == StandardRoll().odds(Roll(), "success")[True]
    assert table.view().heading == "Before the roll"
    table.act("", "mean", band_4="It creaks")
    table.act("ada", "roll", [10, 3, 3, 4])
    after = table.view().detail
    assert after.rolls[0].working == "The d20 comes to 10, the dice to 10: a degree of 0."
    assert (after.rolls[0].reading, after.rolls[0].success) == ("Failure: 0, partial success", False)
    assert (after.meaning, after.described, after.again) == ("It creaks", True, True)
    assert [band.band for band in after.bands if band.came] == ["partial success"]
    assert table.view().heading == "Settled"


def test_pn_08_the_page_of_a_competition() -> None:
    table = Table(Race(), [sheet("Ada"), sheet("Bo"), sheet("Cy")],
                  contestants=[{"sheet": name} for name in ("ada", "bo", "cy")])
    table.act("ada", "roll", [10, 3, 3, 3])
    assert table.view().detail.winner == "" and not table.view().detail.bands
    assert table.view("bo").waits_for == "Your turn: roll 1d20."
    table.act("bo", "roll", [10, 3, 3, 3])
    table.act("cy", "roll", [9, 3, 3, 3])
    assert table.view().detail.winner == "Ada and Bo are level in the lead: Ada +1, Bo +1, Cy 0."
    assert table.view().waits_for == "The dice have spoken."


def test_pn_06_the_order_marks_whoever_is_asked() -> None:
    def current(table: Table) -> list[str]:
        return [participant.name for group in table.view().groups for participant in group if participant.current]

    table = ordered()
    assert current(table) == ["Ada"]
    table.act("ada", "attack", target="cy")
    assert current(table) == ["Cy"]
    table.act("cy", "defend", [3, 3, 3])
    assert current(table) == ["Ada"]
    table.act("ada", "strike", [6])
    assert current(table) == ["Cy"]


def test_pn_09_the_steps_say_what_a_20_and_a_1_do_to_the_points() -> None:
    lines = [{"sheet": "ada", "player": True}]
    table = Table(StandardRollContest(), [sheet("Ada", 1)], contestants=lines)
    table.act("ada", "roll", [1, 2, 3, 3, 3])
    assert table.text("PN-09") == "A 1 costs Ada a mulligan point; none is left."
    table = Table(StandardRollContest(), [sheet("Ada", 0)], contestants=lines)
    table.act("ada", "roll", [20, 2, 3, 3, 3])
    assert table.text("PN-09") == "A 20 earns Ada a mulligan point; 1 left."
    assert table.points("ada") == 1


def test_pn_09_what_a_session_deals_out() -> None:
    game = Pnc()
    dealt = game.session.begin([sheet("Ada", 1), sheet("Bo", 5)], {"mulligans": 3})
    assert dealt.effects == (Spend("ada", "mulligans", 2),)
    assert dealt.steps[0].text == "Everyone begins the session with 3 mulligan points."
    assert game.session.begin([sheet("Ada")], {"mulligans": 1}).steps[0].text.endswith("1 mulligan point.")
    assert not game.session.begin([sheet("Ada")], {"mulligans": 0}).steps
    assert not game.session.begin([], {"mulligans": 3}).steps
    assert game.session.begin([sheet("Ada", 3)], {"mulligans": 3}).effects == ()


def test_pn_07_a_d6_each_says_who_rolled_on() -> None:
    kind = Initiative()
    move = kind.read({"fighters": [{}, {}, {}], "by": "d6"})
    outcome = kind.resolve(move, [4, 6, 4, 2, 5])
    assert outcome.result == {"places": [[1], [2], [0]], "first": 1}
    assert [step.text for step in outcome.steps] == [
        "A d6 each: Fighter 1 shows 4, Fighter 2 shows 6, Fighter 3 shows 4.",
        "Rolling on among equals: Fighter 1 shows 2, Fighter 3 shows 5."]
    assert [(die.face, die.role) for die in outcome.dice] == [(4, "0"), (6, "1"), (4, "2"), (2, "0"), (5, "2")]
    with pytest.raises(BadMove, match="Enter 5 dice; there are 6"):
        kind.resolve(move, [4, 6, 4, 2, 5, 1])


@pytest.mark.parametrize(("net", "words"), [
    (0, "no dice"), (1, "1 bonus die"), (-1, "1 penalty die"), (2, "2 bonus dice"), (-3, "3 penalty dice"),
])
def test_pn_05_one_die_is_no_dice(net: int, words: str) -> None:
    assert dice_in_words(net) == words


def test_pn_10_the_odds_of_acting_first_count_the_wounds_of_who_has_yet_to_roll() -> None:
    lines = [line("Ada", "us"), line("Cy", "them")]
    table = Table(Fight(), [sheet("Ada"), sheet("Cy", wounds={"cut": 3})], contestants=lines)
    compared = Competition().odds(Pair(Roll(), Roll(penalty=1)), "outcome")
    assert forecast(table, "ada", "initiative")["Acting first"]["First"] == compared["first"]


def test_pn_10_before_the_dice_a_page_shows_the_wounds_that_stand_ready_in_the_form() -> None:
    made = [sheet("Ada", wounds={"cut": 6, "graze": 1}), sheet("Bo")]
    table = Table(Race(), made, contestants=[{"sheet": one.id} for one in made])
    ada, bo = table.view().detail.rolls
    assert (ada.button, bo.button) == ("1d20 against 5d6, the highest three", PLAIN)
    assert [weight.reason for weight in ada.factors] == ["cut"]
    assert ada.odds[0][1] == StandardRoll().odds(Roll(penalty=2), "success")[True]
    table.act("ada", "roll", [10, 3, 3, 3])
    assert table.view().detail.rolls[0].button == PLAIN, "she left it out"


def test_pn_06_the_chances_against_a_face_count_its_wounds_and_name_no_dice() -> None:
    """Where odds may be told against those of whom one knows the face alone, the numbers of their sheets stay there."""
    lines = [line("Ada", "us"), line("Cy", "them")]
    table = Table(Fight(), [sheet("Ada"), sheet("Cy", wounds={"cut": 3})], [6, 1], contestants=lines, initiative="d6")
    table.act("ada", "attack", target="cy")
    for faces, heading in (((), "As it is now: 1d20 against 4d6, the lowest three"), (("cy",), "As it is now")):
        known = {id_: one.face if id_ in faces else one for id_, one in table.sheets.items()}
        detail = table.kind.seen(table.state, known, Perspective(frozenset({"ada"}), whole=table.sheets)).detail
        ((said, odds),) = detail.attack.forecast
        assert said == heading
        assert {label: chance for label, chance, _ in odds.outcomes}["Hurt"] == AttackRoll().odds(
            Roll(bonus=1), "damage")["hurt"]
        assert [weight.reason for weight in detail.attack.factors] == ([] if faces else ["cut"])
