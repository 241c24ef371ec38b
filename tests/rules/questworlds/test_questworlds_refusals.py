"""What QuestWorlds refuses and no other test meets: what is said, at which field it is refused, in which words."""
from __future__ import annotations

from typing import Any

import pytest

from rules.contract import odds, resolve
from rules.registry import SYSTEMS
from rules.values import BadMove
from tests.rules.questworlds.growing import HESTER, advance
from tests.rules.questworlds.longing import Table

GAME = SYSTEMS["questworlds"]
SCORES = {"ability": 17, "resistance": 14}


@pytest.mark.parametrize(("request_", "field", "sentence"), [
    ({"move": "questworlds.chained_contest", "given": SCORES, "of": "rounds"}, "of",
     "Ask for the winner, and leave the rounds out."),
    ({"move": "questworlds.chained_contest", "given": {**SCORES, "rounds": [{}]}, "of": "winner"}, "of",
     "Ask for the winner, and leave the rounds out."),
    ({"move": "questworlds.extended_contest", "given": {**SCORES, "plan": {"player": [], "resistance": [3]}}}, "plan",
     "Name one bid at least for each side."),
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
        "resistance", "What is below 1 resists nothing: no long contest is needed.")


def test_qw_81_a_flaw_is_dropped_or_raised_not_both() -> None:
    debt = next(line.id for line in HESTER.traits if line.kind == "flaw")
    with pytest.raises(BadMove) as bad:
        advance(first="drop", first_on=debt, second="raise", second_on=debt)
    assert (bad.value.field, bad.value.sentence) == ("second_on", "What is dropped can’t be raised too.")
