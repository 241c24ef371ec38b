"""The words that people read: of templates the text, of Python all strings that are no docstrings."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "campaigns", "characters", "config", "news", "play", "rules", "schedule")
FICTION = ("cast.py", "starters.py", "sample")  # its people speak as they like
MACHINES = ("verifying.py", "triggers.py", "search_index.py", "migrations")  # SQL, and sentences that verify.py has too


@cache
def page_words() -> tuple[tuple[str, str], ...]:
    """Each (place, text); what is put into a text is `{}` there."""
    return tuple(_words())


def _words() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        yield from ((f"{path.relative_to(ROOT)}:{number}", text) for number, text in _of_template(path.read_text()))
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if not {*FICTION, *MACHINES} & {path.name, *path.relative_to(ROOT).parts}:
                yield from ((f"{path.relative_to(ROOT)}:{number}", text) for number, text in _of_code(path.read_text()))


def _of_template(text: str) -> Iterator[tuple[int, str]]:
    said = re.sub(r'(?:aria-label|title|placeholder)="([^"]*)"', r">\1<", text)
    said = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", said, flags=re.DOTALL)
    for number, line in enumerate(re.sub(r"\{\{.*?\}\}", "{}", said).splitlines(), 1):
        yield number, re.sub(r"<[^>]*>", " ", line)


def _of_code(text: str) -> Iterator[tuple[int, str]]:
    tree = ast.parse(text)
    passed_over = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            passed_over |= {id(part) for part in node.values}
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            yield node.lineno, "".join(str(part) for part in parts)
        elif isinstance(node, ast.Constant) and id(node) not in passed_over and " " in str(node.value):
            yield node.lineno, str(node.value)
