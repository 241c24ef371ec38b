"""One reckoning: the same terms, odds and reasons by every door to a check (DW-02, DW-05, DW-08, DW-10, DW-14)."""
from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rules.contract import odds as asked
from rules.sheet import Sheet, Trait
from rules.systems import danger_world
from rules.systems.danger_world.approaches import approaches
from rules.systems.danger_world.challenge import rate
from rules.systems.danger_world.pool import Pool
from rules.systems.danger_world.reckoning import Proposal, terms
from rules.systems.danger_world.table.throws import Rolled
from rules.tray import Around, Obstacle, in_one, rehearse
from rules.values import BadMove
from tests.rules.danger_world.at_table import KIND, Played, a_sheet, detail_of, with_line
from tests.rules.one_place import said_in

BEST = {"stats": ["agility", "speed"]}
# What is on the sheet, what stands in the way, what is ticked; the pool (action, danger, threat), how many reasons.
CASES: dict[str, tuple[dict[str, int], dict[str, Any], dict[str, Any], tuple[int, int, int], int]] = {
    "plain": ({}, {"difficulty": "3"}, BEST, (5, 0, 0), 2),
    "threat": ({}, {"difficulty": "2", "threat": 2}, BEST, (5, 0, 2), 3),
    "bashed": ({"bashed": 2}, {"difficulty": "3"}, BEST, (5, 0, 2), 3),
    "stunned": ({"stunned": 3}, {"difficulty": "2"}, BEST, (2, 0, 0), 3),
    "both, and a threat": ({"bashed": 1, "stunned": 1}, {"difficulty": "4", "threat": 1}, BEST, (4, 0, 2), 5),
    "fewer than none": ({"stunned": 3}, {"difficulty": "3"}, {"stats": ["reasoning", "charisma"]}, (0, 0, 0), 3),
    "danger": ({}, {"difficulty": "3"}, {**BEST, "danger": 1}, (5, 1, 0), 3),
    "bonus dice and an aspect": (
        {}, {"difficulty": "5"}, {**BEST, "bonus": ["luck"], "points_0": 2}, (9, 0, 0), 4),
}

# What boxes take off or lay on, and how many reasons that is; what is ticked, as (action dice, danger dice, reasons).
HURT: tuple[tuple[dict[str, int], int, int, int], ...] = (
    ({}, 0, 0, 0), ({"bashed": 1}, 0, 1, 1), ({"bashed": 3}, 0, 3, 1), ({"stunned": 1}, -1, 0, 1),
    ({"bashed": 1, "stunned": 2}, -2, 1, 2))
TICKED: tuple[tuple[dict[str, Any], int, int, int], ...] = (
    (BEST, 5, 0, 2), ({**BEST, "danger": 1}, 5, 1, 3), ({**BEST, "bonus": ["luck"]}, 7, 0, 3),
    ({**BEST, "points_0": 1, "danger": 1}, 6, 1, 4))
CASES |= {
    f"{place}": (hurt, {"difficulty": str(difficulty), **({"threat": threat} if threat else {})}, ticked,
                 (action + less, danger, more + threat), reasons + because + bool(threat))
    for place, ((hurt, less, more, because), (ticked, action, danger, reasons), (difficulty, threat)) in enumerate(
        product(HURT, TICKED, ((3, 0), (4, 2))))}


def _sheet(hurt: dict[str, int]) -> Sheet:
    sheet = a_sheet()
    for zone, boxes in hurt.items():
        sheet = with_line(sheet, zone, damage=boxes)
    lucky = Trait("luck", "bonus", "Luck", 2)
    return Sheet(sheet.id, sheet.name, (*sheet.traits, lucky), sheet.pools)


@pytest.mark.parametrize("case", CASES)
def test_the_terms_of_a_check_are_the_same_by_every_door(case: str) -> None:
    hurt, challenge, ticked, expected, reasons = CASES[case]
    sheet, pool = _sheet(hurt), Pool(*expected)
    given = {name: value for name, value in ticked.items() if not name.startswith("points_")}
    if "points_0" in ticked:
        given["points"] = {"born on the roofs": ticked["points_0"]}

    play = Played(sheet, **challenge)
    ((_, at_the_form),) = KIND.forecast(play.state, play.sheets, "mara", "propose", given)
    play.do("propose", **given)
    seen = detail_of(play, "mara")
    assert (seen.pool, len(seen.reasons), seen.difficulty) == (pool, reasons, int(challenge["difficulty"]))
    ((words, at_the_button),) = KIND.forecast(play.state, play.sheets, "mara", "roll", {})

    setup = {"title": "By the tray", "agree": False, "contestants": [{"sheet": "mara"}]}
    by_tray = KIND.from_tray(sheet, setup, given, Around(against=Obstacle("By the tray", challenge)))
    rehearsal = rehearse(KIND, by_tray, {"mara": sheet})
    assert rehearsal.odds == ((words, at_the_button),)
    assert at_the_form == at_the_button == seen.odds

    rolled = next(event for event in play.do("roll", [2] * pool.all).events if isinstance(event, Rolled))
    of_tray = next(event for event in in_one(KIND, by_tray, {"mara": sheet}, [2] * pool.all).events  # type: ignore[union-attr]
                   if isinstance(event, Rolled))
    assert rolled == of_tray
    assert (rolled.reasons, rolled.difficulty) == (seen.reasons, seen.difficulty)
    assert (rolled.action, rolled.danger, rolled.threat) == expected

    if ticked is BEST:
        approach, *_ = approaches(sheet, {**challenge, "difficulty": challenge["difficulty"]})
        assert {"action": 0, "danger": 0, "threat": 0, **approach.given["pool"]} == vars(pool)
        chance = asked({"move": approach.move, "of": approach.of, "given": dict(approach.given)})["odds"]
        better = sum(share for label, share, tone in at_the_button.outcomes if tone == "good")
        assert chance.get("true", "0") == str(better)


def test_what_stands_on_the_page_of_a_roll_is_what_counted_when_it_was_rolled() -> None:
    play = Played(a_sheet())
    play.do("propose", **BEST)
    before = detail_of(play, "mara").reasons
    play.do("roll", [1, 2, 3, 4, 5])
    play.sheets["mara"] = with_line(play.sheet, "bashed", damage=3)
    assert detail_of(play, "mara").reasons == before


def test_dw_08_danger_dice_up_to_the_rank_of_the_zone() -> None:
    sheet = with_line(a_sheet(), "danger level", value=6)
    chosen = Proposal(("agility", "speed"), danger=2)
    assert terms(sheet, chosen, rate(3, ()), ()).pool == Pool(5, 2)
    with pytest.raises(BadMove, match="2 danger dice at most"):
        terms(sheet, replace(chosen, danger=3), rate(3, ()), ())


def test_dw_02_no_procedure_puts_a_check_together_or_reads_its_dice_by_itself() -> None:
    """Beside the contract's own move, `reckoning` alone makes terms, lays dice and says what a set comes to."""
    made = said_in(danger_world, r"(?<![\w.])(Terms|Settled|sets_in)\(")
    assert {path for path, _ in made} == {"check.py", "pool.py", "reckoning.py"}


@pytest.mark.parametrize(("setup", "undoes", "origin"), [
    ({}, "", "the GM says so"), ({"said": True}, "", "Mara says so"),
    ({}, "trapped", "what undoing the setback takes"), ({"said": True}, "trapped", "what undoing the setback takes")])
def test_dw_02_why_says_whose_word_the_difficulty_is(setup: dict[str, bool], undoes: str, origin: str) -> None:
    sheet = a_sheet()
    trapped = Trait("trapped", "setback", "Trapped in the yard", 3)
    play = Played(replace(sheet, traits=(*sheet.traits, trapped)), difficulty="2", **setup)
    play.do("propose", **BEST, undoes=undoes)
    offer = next(offer for offer in KIND.offers(play.state, play.sheets) if offer.action == "roll")
    why = KIND.why(play.state, play.sheets, offer, {})
    assert why
    assert [part.origin for part in why.parts if part.label == "Difficulty"] == [origin]
