"""What the contract, the fields and the list of games refuse: what is sent, at which field, in which words."""
from __future__ import annotations

from typing import Any

import pytest

from rules.contract import answer_lines, odds, resolve
from rules.registry import system_of
from rules.systems.pdq_sharp.challenge import ChallengeAtTable
from rules.tray import TrayAct, TrayRoll, rehearse
from rules.values import BadMove
from tests.rules.danger_world.at_table import Played, a_sheet
from tests.rules.pdq_sharp.people import JACKDAW, sheet_of

FISTS = {"qualities": ["good"], "difficulty": "good"}


@pytest.mark.parametrize(("request_", "field", "sentence"), [
    ({"move": 3}, "move", "Enter this as text."),
    ({"move": "pdq.test", "given": []}, "given", "Enter a JSON object."),
    ({"move": "pdq.test", "given": FISTS, "dice": "33"}, "dice", "Enter a list of whole numbers."),
    ({"move": "pdq.test", "given": FISTS, "dice": [3, 7]}, "dice.1", "Enter a face from 1 to 6."),
    ({"move": "pdq.test", "given": {**FISTS, "upshifts": "2"}}, "upshifts", "Enter a whole number."),
    ({"move": "pdq.test", "given": {**FISTS, "qualities": "good"}}, "qualities", "Enter a list."),
    ({"move": "pdq.test", "given": {**FISTS, "lines": [{"kind": "upshift", "reason": 3}]}}, "lines.0.reason",
     "Enter this as text."),
    ({"move": "pdq.test", "given": {**FISTS, "lines": [{"kind": "upshift", "reason": "m" * 501}]}}, "lines.0.reason",
     "Use at most 500 characters."),
    ({"move": "pnc.standard_roll", "given": {"open_ended": "yes"}}, "open_ended",
     "Answer yes or no (true or false)."),
    ({"move": "danger_world.check", "given": {"pool": 3, "difficulty": 4}}, "pool",
     "Enter these fields: action, danger, threat."),
])
def test_a_request_that_is_not_resolved(request_: dict[str, Any], field: str, sentence: str) -> None:
    with pytest.raises(BadMove) as bad:
        resolve(request_)
    assert (bad.value.field, bad.value.sentence) == (field, sentence)


def test_a_line_that_is_no_object_leaves_the_others() -> None:
    fair = '{"move": "pdq.test", "given": {"difficulty": "average"}, "of": "success"}'
    refused, answered = answer_lines(["[1]", fair], odds)
    assert refused == {"error": "Enter a JSON object on each line."} and "odds" in answered


def test_a_move_and_a_game_that_nobody_knows() -> None:
    with pytest.raises(BadMove) as bad:
        resolve({"move": "chess.castle"})
    assert bad.value.field == "move"
    assert bad.value.sentence.startswith("There is no move 'chess.castle'; there are: pdq.test, ")
    with pytest.raises(BadMove) as bad:
        system_of("chess")
    assert (bad.value.field, bad.value.sentence) == (
        "system", "There is no game system 'chess'; there are: pdq, pnc, questworlds, danger_world, pdq_sharp.")


def test_shares_that_name_no_lines() -> None:
    with pytest.raises(BadMove) as bad:
        Played(a_sheet(), difficulty="3").do("propose", stats=["agility", "speed"], points=2)
    assert (bad.value.field, bad.value.sentence) == ("points", "Enter a whole number for each id.")


def test_a_roll_of_the_tray_that_is_not_offered_yet() -> None:
    roll = TrayRoll({"contestants": [{"sheet": "jackdaw"}]}, (TrayAct("roll", "jackdaw", {"fortes": []}),))
    with pytest.raises(BadMove) as bad:  # nobody has set the difficulty
        rehearse(ChallengeAtTable(), roll, {"jackdaw": sheet_of("Jackdaw", JACKDAW)})
    assert (bad.value.field, bad.value.sentence) == (
        "action", "You can’t do that right now. Waiting for the GM: set the difficulty for Jackdaw.")
