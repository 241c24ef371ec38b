"""The tool that breaks code on purpose breaks it: each break of a file compiles, and differs from the whole."""
from __future__ import annotations

import ast

from bench.mutants import ROOT, breaks_of, changes, code_of, functions, held

PATH = "rules/values.py"


def test_every_break_is_another_function() -> None:
    breaks = list(breaks_of(PATH, None))
    assert len(breaks) > 5
    for broken in breaks:
        [whole] = {function.__code__ for function in held(broken.place)}
        assert code_of(broken).co_code != whole.co_code or code_of(broken).co_consts != whole.co_consts


def test_only_the_lines_that_are_asked_for() -> None:
    line = next(broken.line for broken in breaks_of(PATH, None))
    assert {broken.line for broken in breaks_of(PATH, {line})} == {line}


def test_what_is_done_to_a_comparison() -> None:
    [(_, function)] = functions(ast.parse("def more(a, b):\n    return a < b"))
    words = [words for node in ast.walk(function) for words, _ in changes(node)]
    assert sorted(words) == ["answers nothing", "compares otherwise"]
    assert (ROOT / PATH).exists()
