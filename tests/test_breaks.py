"""The tool that breaks code on purpose breaks it: each break of a file compiles, and differs from the whole."""
from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from bench.mutants import (
    EQUIVALENT,
    ROOT,
    Break,
    Breaking,
    breaks_of,
    caches,
    changes,
    code_of,
    equivalents,
    functions,
    held,
    told,
)

PATH = "rules/values.py"


def test_every_break_is_another_function() -> None:
    breaks = list(breaks_of(PATH, None))
    assert len(breaks) > 5
    codes = {place: {function.__code__ for function in held(place)} for place in {broken.place for broken in breaks}}
    for broken in breaks:
        [whole] = codes[broken.place]
        assert code_of(broken).co_code != whole.co_code or code_of(broken).co_consts != whole.co_consts


def test_only_the_lines_that_are_asked_for() -> None:
    line = next(broken.line for broken in breaks_of(PATH, None))
    assert {broken.line for broken in breaks_of(PATH, {line})} == {line}


def test_what_is_done_to_a_comparison() -> None:
    [(_, function)] = functions(ast.parse("def more(a, b):\n    return a < b"))
    words = [words for node in ast.walk(function) for words, _ in changes(node)]
    assert sorted(words) == ["answers nothing", "compares otherwise"]
    assert (ROOT / PATH).exists()


def test_a_break_that_is_known_to_change_nothing_has_its_reason_and_is_still_there() -> None:
    assert len(equivalents()) == len(EQUIVALENT.read_text().splitlines()) - 1
    for line in equivalents():
        assert line in {told(broken) for broken in breaks_of(line.partition(" ")[0], None)}, line


def test_what_no_test_enters_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    breaks = list(breaks_of(PATH, None))
    breaking = Breaking(breaks, 100, 1)
    entered = breaks[0].place
    breaking.tests[entered] = {0}
    monkeypatch.setattr(Breaking, "_entered", lambda *given: None)
    seen: list[Break] = []

    def all_seen(breaking: Breaking, items: object, broken: Break | None, tests: object) -> bool:
        seen.extend([broken] if broken else [])
        return broken is not None

    monkeypatch.setattr(Breaking, "_seen", all_seen)
    breaking.pytest_runtestloop(SimpleNamespace(items=[object()] * 3))  # type: ignore[arg-type]
    assert {broken.place for broken in breaking.untried} == {broken.place for broken in breaks} - {entered}
    assert breaking.tried == len(seen) == len(breaks) - len(breaking.untried)


def test_what_a_function_keeps_of_its_answers_is_known() -> None:
    from accounts.zones import choices

    assert any(cache is choices for cache in caches())
