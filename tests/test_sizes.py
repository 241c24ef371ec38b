"""Functions and files stay short enough to be read in one go; what ruff can't count (lines) is counted here."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "bench", "campaigns", "characters", "config", "jobs", "news", "play", "rules", "schedule")
FILE, FUNCTION = 400, 40


def sources() -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in sorted((ROOT / app).rglob("*.py")) if "migrations" not in path.parts)


def cases_alone(node: ast.FunctionDef) -> bool:
    """Whether a function is one `match`, after its docstring and a line or two, of short cases."""
    match = node.body[-1]
    return isinstance(match, ast.Match) and max((case.body[-1].end_lineno or 0) - case.pattern.lineno
                                                for case in match.cases) < 8


def test_no_file_is_longer_than_400_lines() -> None:
    long = {str(path.relative_to(ROOT)): many for path in sources()
            if (many := len(path.read_text().splitlines())) > FILE}
    assert not long


def test_no_function_is_longer_than_40_lines_but_a_match_of_short_cases() -> None:
    long = {
        f"{path.relative_to(ROOT)}: {node.name}": lines for path in sources()
        for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)
        if (lines := (node.end_lineno or 0) - node.lineno + 1) > FUNCTION and not cases_alone(node)
    }
    assert not long
