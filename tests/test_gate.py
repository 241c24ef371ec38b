"""What the gate leaves to `make torture`: some of what all games are asked alike, nothing that one alone is asked."""
from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, cast

import pytest

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


@pytest.mark.parametrize(("name", "ids"), [
    ("test_qw_21_a_rule", GAMES), ("test_a_thing", (*GAMES, "a game of nobody")), ("test_a_thing", ("light", "dark")),
], ids=["a rule", "not a game", "no games"])
def test_all_is_asked_where_it_is_a_rule_or_no_game(name: str, ids: tuple[str, ...]) -> None:
    assert asked(name, ids) == set(ids)


def test_all_is_asked_where_all_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "ALL", True)
    assert asked("test_a_thing", GAMES) == set(GAMES)
