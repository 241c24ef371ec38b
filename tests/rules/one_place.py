"""Where a thing is said in the source of a game, so that a second place for it is seen."""
from __future__ import annotations

import ast
import re
from pathlib import Path
from types import ModuleType


def said_in(game: ModuleType, pattern: str) -> set[tuple[str, str]]:
    """Every file of the game, by its path within it, whose code says what the pattern names, with what it says of it.

    What is defined is no use of it; comments and docstrings say nothing.
    """
    (folder,) = map(Path, game.__path__)
    return {(path.relative_to(folder).as_posix(), match)
            for path in folder.rglob("*.py") for match in re.findall(pattern, _code(path))}


def _code(path: Path) -> str:
    """Its code alone, written alike everywhere."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return re.sub(r"^\s*(?:def|class) \w+", "", ast.unparse(tree), flags=re.MULTILINE)
