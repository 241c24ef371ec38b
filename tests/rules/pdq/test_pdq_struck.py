"""What is struck after the dice: the same faces come to what they would have, had nobody said it (PQ-01, PQ-03)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from random import Random
from typing import Any

from rules.moves import Need
from rules.sheet import Sheet
from rules.strike import DISMISS
from rules.systems.pdq.at_table import TestAtTable
from rules.systems.pdq.at_table.state import State
from rules.tray import Around, Obstacle, in_one
from tests.effort import tries
from tests.rules.pdq.walking import KIND as CONFLICT
from tests.rules.pdq.walking import Table, sheet

KIND, CASES = TestAtTable(), tries(150, 3000)
WORDS = ("fists", "rope", "maps", "luck")
Said = dict[str, list[Any]]


def people(chance: Random) -> tuple[Sheet, Sheet]:
    ranks = [{word: chance.randint(-1, 3) for word in WORDS} for _ in range(2)]
    return sheet("Ada", **ranks[0]), sheet("Bo", **ranks[1])


def some_of(chance: Random, whose: Sheet, most: int) -> list[str]:
    return [line.id for line in whose.traits if line.id in chance.sample(
        [line.id for line in whose.traits], chance.randint(0, most))]


def shifts(chance: Random) -> list[dict[str, Any]]:
    return [{"kind": kind, "amount": chance.randint(1, 3), "reason": "So"} for kind in ("upshift", "downshift")
            if chance.random() < 0.4]


def rolled(ada: Sheet, bo: Sheet, given: Said, dice: Sequence[int], *, simple: bool = False) -> tuple[State, Any]:
    """Ada's test, with as many of these dice as it takes."""
    hard: dict[str, Any] = {"difficulty": "good", "harm": True, "simple": simple}
    around = Around(against=Obstacle("It", hard), others={"bo": bo})
    roll, sheets = KIND.from_tray(ada, {"contestants": [{"sheet": "ada"}]}, given, around), {"ada": ada, "bo": bo}
    came = in_one(KIND, roll, sheets, ())
    if isinstance(came, Need):
        came = in_one(KIND, roll, sheets, tuple(dice[:len(came.sides)]))
    assert not isinstance(came, Need)
    return reduce(KIND.evolve, came.events, KIND.blank()), came


def but(values: Sequence[Any], place: int) -> list[Any]:
    return [*values[:place], *values[place + 1:]]


def test_pq_01_a_test_is_read_as_though_nobody_had_said_it() -> None:
    chance, struck = Random(1), Counter[str]()
    for _ in range(CASES):
        ada, bo = people(chance)
        given: Said = {"traits": some_of(chance, ada, 3), "help": some_of(chance, bo, 1), "lines": shifts(chance)}
        simple, dice, sheets = chance.random() < 0.5, [chance.randint(1, 6) for _ in range(8)], {"ada": ada, "bo": bo}
        first, _ = rolled(ada, bo, given, dice, simple=simple)
        for which, words in KIND.said(first):
            came = KIND.act(first, sheets, "", DISMISS, {"which": which})
            assert not isinstance(came, Need) and not came.dice and words in came.steps[0].text
            now, place, own = reduce(KIND.evolve, came.events, first), int(which.rpartition(" ")[2]), given["traits"]
            if now.open:
                now, came = rolled_next(now, sheets, dice, came)
                struck["more dice" if first.faces else "dice after none"] += 1
            field = "lines" if " " not in which else "traits" if place < len(own) else "help"
            at = place - len(own) if field == "help" else place
            expected, result = rolled(ada, bo, {**given, field: but(given[field], at)}, dice, simple=simple)
            struck["none after none"] += not first.faces and not expected.faces
            assert (now.outcome, now.total, now.team) == (expected.outcome, expected.total, expected.team)
            assert now.terms and expected.terms and now.terms == expected.terms
            assert (came.effects, came.rolls) == (result.effects, result.rolls)
            struck[field] += 1
            struck["the last"] += not now.terms.ranks
    assert len(struck) == 7 and min(struck.values()) > 2, struck


def rolled_next(state: State, sheets: dict[str, Sheet], dice: Sequence[int], struck: Any) -> tuple[State, Any]:
    """What is to be rolled now, with dice that follow those that lie there."""
    (told,) = [step.text for step in struck.steps if step.text.startswith("Before: ")]
    assert "Now: to be rolled against 9." in told and [offer.action for offer in KIND.offers(state, sheets)
                                                        if offer.by == "ada"] == ["roll"]
    need = KIND.act(state, sheets, "ada", "roll", {})
    assert isinstance(need, Need)
    came = KIND.act(state, sheets, "ada", "roll", {}, dice[len(state.faces):][:len(need.sides)])
    assert not isinstance(came, Need) and len(came.dice) == len(need.sides)
    return reduce(KIND.evolve, came.events, state), came


def fought(people: Sequence[Sheet], ways: Said, lines: Said, *dice: Sequence[int]) -> Table:
    """Ada's attack on Bo with these qualities and shifts; of the attacker's dice and of the defender's as many as are
    wanted, or any."""
    thrown = [*dice[0], *dice[1]] if dice else []
    table = Table(people, lambda sides: thrown.pop(0) if thrown else 3, contestants=[
        {"sheet": sheet.id, "side": sheet.id, "player": True} for sheet in people])
    if "ada" not in table.state.acting:
        table.act("bo", "pass")
    table.act("ada", "attack", targets=["bo"], qualities=ways["ada"], lines=lines["ada"])
    if table.state.attack:
        table.act("bo", "defend", qualities=ways["bo"], lines=lines["bo"])
    return table


def to_strike(table: Table) -> list[str]:
    offers = (offer for offer in CONFLICT.offers(table.state, table.sheets) if offer.action == DISMISS)
    return [which for offer in offers for which, _ in (offer.options or {})["which"]]


def test_pq_01_an_attack_is_read_as_though_nobody_had_said_it() -> None:
    chance, struck = Random(2), Counter[str]()
    for _ in range(CASES):
        two = people(chance)
        ways: Said = {whose.id: some_of(chance, whose, 3) for whose in two}
        lines: Said = {whose.id: shifts(chance) for whose in two}
        dice = [[chance.randint(1, 6) for _ in range(many)] for many in (12, 12)]
        wanted = fought(two, ways, lines).state.landed
        if wanted is None:
            continue  # it failed without dice
        dice = [dice[0][:len(wanted.faces)], dice[1][:len(wanted.hits[0].faces)]]
        first = fought(two, ways, lines, *dice)
        for which in to_strike(first):
            who, _, what = which.partition(" ")
            at, quality = int(what.rpartition(" ")[2]), " " in what
            bare = [ways, lines]
            bare[not quality] = {**bare[not quality], who: but(bare[not quality][who], at)}
            came = CONFLICT.act(first.state, first.sheets, "", DISMISS, {"which": which})
            assert not isinstance(came, Need) and not came.dice
            now = reduce(CONFLICT.evolve, came.events, first.state)
            fewer = fought(two, *bare).state.landed
            if fewer is None:
                assert not now.wounds, "then it had failed"
                continue
            expected = fought(two, *bare, dice[0][:len(fewer.faces)], dice[1][:len(fewer.hits[0].faces)]).state
            assert now.wounds == expected.wounds and now.landed and expected.landed, (ways, lines, which)
            assert (now.landed.terms, now.landed.hits[0].terms) == (
                expected.landed.terms, expected.landed.hits[0].terms)
            struck[f"{who} {'quality' if quality else 'shift'}"] += 1
    assert len(struck) == 4 and min(struck.values()) > 5, struck
