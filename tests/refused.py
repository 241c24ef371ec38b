"""Each refusal is met by a test, and each thing that may be wrong with a trail: which `raise` of one no test ran.

    REFUSED=build/refused .venv/bin/pytest -n 2
    .venv/bin/python -m tests.refused build/refused

The first writes down, for each of its processes, where refusals were made; the second lists the others, and ends with
an error where there is one. A refusal that no door reaches is deleted, not listed here.
"""
from __future__ import annotations

import ast
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "campaigns", "characters", "config", "jobs", "news", "play", "rules", "schedule")
BASES = {"BadMove", "Refused", "Broken"}  # the subclasses are looked up


class Statement(NamedTuple):
    """A `raise` of a refusal: the file, seen from the root, its first and last line."""

    path: str
    first: int
    last: int


def watch(folder: Path) -> Any:
    """Notes from now on where refusals are made; what it answers writes them into a file of its own there."""
    from campaigns.errors import Broken
    from config.refusals import Refused as NotServed
    from rules.values import BadMove

    made: set[tuple[str, int]] = set()
    for kind in (BadMove, Broken, NotServed):
        _noted(kind, made)

    def write() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        lines = sorted(f"{Path(path).relative_to(ROOT)}:{line}" for path, line in made if path.startswith(f"{ROOT}/"))
        (folder / uuid.uuid4().hex).write_text("\n".join(lines))

    return write


def _noted(kind: type[Exception], made: set[tuple[str, int]]) -> None:
    make: Any = kind.__init__

    def noting(refusal: Exception, *args: Any, **kwargs: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_code.co_name == "__init__" and frame.f_back:  # a subclass's own
            frame = frame.f_back
        made.add((frame.f_code.co_filename, frame.f_lineno))
        make(refusal, *args, **kwargs)

    kind.__init__ = noting  # type: ignore[method-assign,assignment]


def statements() -> Iterator[Statement]:
    """Every `raise` of a refusal in the apps."""
    trees = {path: ast.parse(path.read_text()) for app in APPS for path in sorted((ROOT / app).rglob("*.py"))}
    names = set(BASES)
    while more := {
        node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
        and node.name not in names and any(isinstance(base, ast.Name) and base.id in names for base in node.bases)
    }:
        names |= more
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and _called(node.exc.func) in names:
                yield Statement(str(path.relative_to(ROOT)), node.lineno, node.end_lineno or node.lineno)


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def left_out(folder: Path) -> list[Statement]:
    """The statements that nothing in `folder` speaks of."""
    places = {line.rpartition(":")[::2] for file in folder.iterdir() for line in file.read_text().splitlines()}
    return [
        statement for statement in statements()
        if not any((statement.path, str(line)) in places for line in range(statement.first, statement.last + 1))
    ]


if __name__ == "__main__":
    never = left_out(Path(sys.argv[1]))
    for statement in never:
        print(f"{statement.path}:{statement.first} refuses, and no test meets it.")
    sys.exit(1 if never else 0)
