"""The words that people read: of templates the text, of scripts and of Python all strings that are no docstrings."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "campaigns", "characters", "config", "news", "play", "rules", "schedule")
FICTION = ("cast.py", "starters.py", "sample")  # its people speak as they like
VERIFIER = ROOT / "verify.py"
MACHINES = ("triggers.py", "search_index.py", "migrations")  # SQL


@cache
def page_words() -> tuple[tuple[str, str], ...]:
    """Each (place, text); what is put into a text is `{}` there."""
    return tuple(_words())


def _words() -> Iterator[tuple[str, str]]:
    templates = (path for kind in ("html", "txt") for path in (ROOT / "templates").rglob(f"*.{kind}"))
    scripts = (ROOT / "static" / "js").glob("*.js")
    code = (path for app in APPS for path in (ROOT / app).rglob("*.py")
            if not {*FICTION, *MACHINES} & {path.name, *path.relative_to(ROOT).parts})
    for paths, read in ((templates, _of_template), (scripts, _of_script), ((*code, VERIFIER), _of_code)):
        for path in sorted(paths):
            for number, text in read(path.read_text()):
                # What a terminal shows is ASCII: there an apostrophe is straight.
                said = text.replace("'", "’") if path == VERIFIER else text
                yield f"{path.relative_to(ROOT)}:{number}", said


def _of_template(text: str) -> Iterator[tuple[int, str]]:
    said = re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)
    for number, line in enumerate(said.splitlines(), 1):
        for tag in re.findall(r"\{[%{].*?[%}]\}", line):
            yield from ((number, words) for words in re.findall(r'"([^"]*)"', tag) if re.match("[A-Z“].* ", words))
        line = re.sub(r"\{\{.*?\}\}", "{}", re.sub(r"\{%.*?%\}", "", line))
        line = re.sub(r'(?:aria-label|title|placeholder)="([^"]*)"', r">\1<", line)
        yield number, re.sub(r"<[^>]*>", " ", line)


def _of_script(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"(^|\s)//.*", "", line)
        for words in map("".join, re.findall(r'"([^"]*)"|`([^`]*)`', code)):
            if " " in words and not re.search(r"[#<>=\[\]]", words):  # no selector, no markup
                yield number, re.sub(r"\$\{.*?\}", "{}", words)


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


def offered(path: Path) -> Iterator[str]:
    """The titles of the offers that a module makes, as far as they begin with words of its own."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Offer", "about"):
            title = node.args[2 if node.func.id == "Offer" else 1]
            for said in (title.body, title.orelse) if isinstance(title, ast.IfExp) else (title,):
                parts = said.values if isinstance(said, ast.JoinedStr) else [said]
                words = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
                if not words.startswith("{}"):
                    yield words
