"""What QuestWorlds refuses and no other test meets: what is said, at which field it is refused, in which words."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.contract import odds, resolve
from rules.procedure import PastContest
from rules.registry import SYSTEMS
from rules.sheet import Trait
from rules.systems.questworlds.long import ExtendedLong
from rules.systems.questworlds.older.states import DYING, unable
from rules.systems.questworlds.traits import ADVERSITY
from rules.values import BadMove
from tests.rules.questworlds.growing import HESTER, advance
from tests.rules.questworlds.longing import ILSE, OTHO, Table

GAME = SYSTEMS["questworlds"]
SCORES = {"ability": 17, "resistance": 14}


@pytest.mark.parametrize(("request_", "field", "sentence"), [
    ({"move": "questworlds.chained_contest", "given": SCORES, "of": "rounds"}, "of",
     "Ask for the winner, and leave the rounds out."),
    ({"move": "questworlds.chained_contest", "given": {**SCORES, "rounds": [{}]}, "of": "winner"}, "of",
     "Ask for the winner, and leave the rounds out."),
    ({"move": "questworlds.extended_contest", "given": {**SCORES, "plan": {"player": [], "resistance": [3]}}}, "plan",
     "Name one bid at least for each side."),
    ({"move": "questworlds.scored_contest", "of": "winner",
      "given": {"ability": 20, "resistance": 20, "plan": {"player": "defensive", "resistance": "defensive"}}}, "plan",
     "Neither side can score a point so: it never ends. Choose other tactics."),
])
def test_the_contract_refuses(request_: dict[str, Any], field: str, sentence: str) -> None:
    ask = odds if "of" in request_ else resolve
    with pytest.raises(BadMove) as bad:
        ask(request_)
    assert (bad.value.field, bad.value.sentence) == (field, sentence)


def test_qw_90_a_downtime_for_nobody() -> None:
    (downtime,) = [kind for kind in GAME.procedures if kind.name == "questworlds.downtime"]
    with pytest.raises(BadMove) as bad:
        downtime.start({"contestants": []}, {})
    assert (bad.value.field, bad.value.sentence) == ("", "Choose at least one character.")


def test_qw_03_a_resistance_that_is_none_and_one_that_is_the_least() -> None:
    (resistance,) = [field for field in GAME.rolls.obstacle if field.name == "resistance"]
    with pytest.raises(BadMove) as bad:
        resistance.read({"resistance": "seven"})
    assert bad.value.field == "resistance"
    assert bad.value.sentence.startswith("Enter a score (17, 7M), a rank (+6) or a name (")
    with pytest.raises(BadMove) as bad:
        resistance.harder("6", -2)  # type: ignore[attr-defined]
    assert bad.value.sentence == "This is the least."


def test_qw_40_a_long_contest_against_nobody_or_nothing() -> None:
    with pytest.raises(BadMove) as bad:
        Table(opponents="")
    assert (bad.value.field, bad.value.sentence) == (
        "opponents", "Add an opponent: an NPC on the other side, or a name with a resistance.")
    with pytest.raises(BadMove) as bad:
        Table().act("", "join", side="1", name="A locked door", resistance="0")
    assert (bad.value.field, bad.value.sentence) == (
        "resistance", "Enter at least 1: against less, no long contest is needed.")


def test_qw_52_a_last_bid_is_not_more_than_one_began_with() -> None:
    table = Table(ExtendedLong(), "Clerk 6")
    table.act("i", "bid", 3, 19, whom="~0", ability="k", bid=6)
    with pytest.raises(BadMove) as bad:
        table.act("i", "last_bid", whom="~0", ability="k", bid=180, words="His ledger")
    most = table.state.entrant("i").most_bid
    assert (bad.value.field, bad.value.sentence) == ("bid", f"Bid at most {over(table, most)}, {most}.")


def over(table: Table, most: int) -> str:
    return "what you began with" if table.state.entrant("i").start == most else "what is left"


def test_qw_51_an_ability_that_brings_no_points_begins_nothing() -> None:
    table = Table(ExtendedLong(), "Clerk 6")
    weak = Trait("w", "ability", "Whistling", -3)
    table.sheets["i"] = replace(ILSE, traits=(*ILSE.traits, weak))
    with pytest.raises(BadMove) as bad:
        table.act("i", "bid", whom="~0", ability="w", bid=3)
    assert (bad.value.field, bad.value.sentence) == (
        "ability", "This would bring no advantage points. Begin with another ability.")


def test_qw_58_who_is_in_one_long_contest_joins_no_other_and_none_goes_on_with_them() -> None:
    first, second = Table(), Table(who=(("i", "The crew", True),))
    second.sheets["o"] = OTHO
    second.act("", "pause")
    elsewhere = replace(second.context, past=(PastContest(3, "The mill", False, first.plain),))
    second.context = elsewhere
    with pytest.raises(BadMove) as bad:
        second.act("", "resume")
    assert bad.value.sentence == (
        "Ilse is in “The mill” now. A long contest can’t run inside another. Finish or pause that one first.")
    other = Table(who=(("o", "The crew", True),))
    other.sheets["i"] = ILSE
    other.context = elsewhere
    with pytest.raises(BadMove) as bad:
        other.act("i", "enter", whom="~0")
    assert bad.value.sentence == (
        "Ilse is in “The mill”. A long contest can’t run inside another: end or pause that one, or help here with an "
        "unrelated action.")


def test_qw_a9_who_is_dying_does_not_join() -> None:
    table = Table(states=True)
    table.sheets["o"] = replace(OTHO, traits=(*OTHO.traits, Trait("d", ADVERSITY, "Dying", DYING)))
    with pytest.raises(BadMove) as bad:
        table.act("o", "enter", whom="~0")
    assert bad.value.sentence == unable(table.sheets["o"]) != ""


def test_qw_81_a_flaw_is_dropped_or_raised_not_both() -> None:
    debt = next(line.id for line in HESTER.traits if line.kind == "flaw")
    with pytest.raises(BadMove) as bad:
        advance(first="drop", first_on=debt, second="raise", second_on=debt)
    assert (bad.value.field, bad.value.sentence) == ("second_on", "You can’t drop and raise the same one.")


def test_qw_57_where_neither_can_fall_below_0_there_is_no_chance_of_winning_to_tell() -> None:
    with pytest.raises(BadMove) as bad:
        odds({"move": "questworlds.chained_contest", "given": {"ability": 45, "resistance": 45}, "of": "winner"})
    assert (bad.value.field, bad.value.sentence) == (
        "ability", "It may never end so: neither falls below 0. Choose other scores.")
