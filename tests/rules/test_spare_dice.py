"""A move takes the dice that it needs and no more: one too many is refused, whoever resolves it."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.moves import Need
from rules.registry import SYSTEMS, kind_of
from rules.values import BadMove

CASES = [json.loads(line) for path in sorted(Path(__file__).parent.rglob("cases.jsonl"))
         for line in path.read_text().splitlines()]
MORE: dict[str, dict[str, Any]] = {
    "questworlds.chained_contest": {"ability": 17, "resistance": 14, "rounds": [{}]},
    "questworlds.group_contest": {"resistance": 14, "contestants": [{"ability": 17}]},
    "pdq_sharp.challenge": {"difficulty": 7}, "pdq_sharp.recovery": {"fortes": ["good"]},
    "pdq_sharp.flashy_challenge": {"challenger": {}, "challenged": {}},
    "pdq_sharp.duel_turn": {"first": {"stance": "strong_attack"}, "second": {"stance": "strong_defence"}},
}
GIVENS = {case["move"]: case["given"] for case in CASES} | MORE


@pytest.mark.parametrize("move", [kind.name for system in SYSTEMS.values() for kind in system.rolls.moves])
def test_one_die_too_many(move: str) -> None:
    kind, faces = kind_of(move), list[int]()
    built = kind.read(GIVENS[move])
    while isinstance(answer := kind.resolve(built, faces), Need):
        faces += [1 + (len(faces) + place) % sides for place, sides in enumerate(answer.sides)]  # no two are tied
    with pytest.raises(BadMove) as bad:
        kind.resolve(built, [*faces, 1])
    assert (bad.value.field, bad.value.sentence) == ("dice", f"Enter {len(faces)} dice; there are {len(faces) + 1}.")
