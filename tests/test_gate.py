"""What the gate leaves to `make torture`: some of what all games are asked alike, nothing that one alone is asked."""
from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, cast

import pytest

from bench import overlap
from tests import effort, gate
from tests.effort import GAMES, asked
from tests.gate import MET

ROOT = Path(__file__).resolve().parent.parent


class Item(NamedTuple):
    """As much of one as is looked at."""

    nodeid: str
    path: Path = gate.RULES / "test_one.py"


PROCEDURES = [f"{game}.{kind}" for game in GAMES for kind in ("one", "two", "three")]


@pytest.fixture(autouse=True)
def in_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "ALL", False)


def test_two_of_all_games_are_asked_one_in_browsers_and_a_third_of_all_procedures() -> None:
    assert len(asked("test_a_thing", GAMES)) == 2
    assert len(asked("test_a_thing", [f"chromium-{game}" for game in GAMES])) == 1
    assert len(asked("test_a_thing", PROCEDURES)) == 5
    assert len(asked("test_a_thing", PROCEDURES[:4])) == 4


def test_each_is_asked_by_some_tests_and_the_same_in_each_run() -> None:
    names = [f"test_number_{number}" for number in range(40)]
    assert {game for name in names for game in asked(name, GAMES)} == set(GAMES)
    assert [asked(name, GAMES) for name in names] == [asked(name, reversed(GAMES)) for name in names]


def test_what_else_is_asked_is_asked_of_two_games_each() -> None:
    chosen = asked("test_a_thing", [f"{game}-{sight}" for game in GAMES for sight in ("a face", "nothing")])
    assert sorted(one.partition("-")[2] for one in chosen) == ["a face", "a face", "nothing", "nothing"]
    alone = {"pdq-conflict", "pnc-fight", "questworlds-scored"}
    assert asked("test_a_thing", alone) == alone


def test_what_is_left_as_others_meet_it_is_there_and_is_asked_where_all_is(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = MET.read_text().splitlines()
    for test in listed:
        path, _, function = test.partition("[")[0].partition("::")
        assert f"\ndef {function}(" in (ROOT / path).read_text(), f"{test} is gone: `python -m bench.overlap`"
    monkeypatch.setattr(gate, "ALL", False)
    monkeypatch.setattr(gate, "ON_SQLITE", True)
    monkeypatch.delenv("OVERLAP", raising=False)
    tests = [cast(pytest.Item, Item(name)) for name in (listed[0], "another")]
    assert gate.thinned(tests) == (tests[1:], tests[:1])
    for name, value in (("ALL", True), ("ON_SQLITE", False)):
        with monkeypatch.context() as changed:
            changed.setattr(gate, name, value)
            assert gate.thinned(tests) == (tests, [])


SAME = {(1, line, line + 1) for line in range(overlap.FEW)}
MORE = {(2, 1, 2)}


@pytest.mark.parametrize(("more", "chosen"), [
    ({}, ["tests/play/test_a.py::test_long"]),
    ({"tests/play/test_a.py::test_long": SAME | MORE}, []),  # nobody else takes one of its branches
    ({"tests/play/test_b.py::test_b": MORE}, []),  # one other takes the rest
    ({"tests/play/test_a.py::test_longer": SAME, "tests/rules/test_c.py::test_c": MORE},
     ["tests/play/test_a.py::test_longer"]),  # after it two take the same, and either is one of them
], ids=["two others take all", "nobody takes one", "one takes the rest", "the dearest goes"])
def test_a_test_of_play_is_left_where_two_others_that_stay_take_each_of_its_branches(
    more: dict[str, set[overlap.Branch]], chosen: list[str]
) -> None:
    taken = {"tests/play/test_a.py::test_long": SAME, "tests/play/test_b.py::test_b": SAME,
             "tests/rules/test_c.py::test_c": SAME, **more}
    dear = {"tests/play/test_a.py::test_long": 2.0, "tests/play/test_a.py::test_longer": 3.0}
    seconds = {test: dear.get(test, overlap.QUICK / 2) for test in taken}
    assert overlap.left(taken, seconds) == chosen


@pytest.mark.parametrize("name", [
    "tests/play/test_a.py::test_qw_99_a_rule", "tests/rules/test_a.py::test_long", "tests/trail/test_a.py::test_long",
    "tests/play/test_a.py::test_what_is_hidden_is_in_no_byte", "tests/play/test_by_the_page.py::test_long[pdq]",
], ids=["the last of a rule", "a rule", "the trail", "what is hidden", "by the page"])
def test_these_stay_whoever_takes_their_branches(name: str) -> None:
    taken = {name: SAME, **{f"tests/play/test_b.py::test_{number}": SAME for number in range(5)}}
    assert overlap.left(taken, {**dict.fromkeys(taken, overlap.QUICK / 2), name: 9.0}) == []


@pytest.mark.parametrize(("name", "ids"), [
    ("test_qw_21_a_rule", GAMES), ("test_a_thing", (*GAMES, "a game of nobody")), ("test_a_thing", ("light", "dark")),
], ids=["a rule", "not a game", "no games"])
def test_all_is_asked_where_it_is_a_rule_or_no_game(name: str, ids: tuple[str, ...]) -> None:
    assert asked(name, ids) == set(ids)


def test_all_is_asked_where_all_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "ALL", True)
    assert asked("test_a_thing", GAMES) == set(GAMES)
