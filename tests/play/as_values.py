"""What a template is given, as lines of text: one for each value, by the path that leads to it.

`python -m tests.play.as_values` writes the records in `tests/play/pages` anew, a folder for each game; git shows what
changed. A file is what one person is shown on one page: whole in the first situation, then what is another in each
further one. What is empty or none has no line. Ids stand as the names of what they belong to; times, hashes and
operations are left out.
"""
from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import datetime
from difflib import SequenceMatcher
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

FOLDER = Path(__file__).parent / "pages"
WRITE = "WRITE_PAGES"
ID = re.compile(r"[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}")
HASH = re.compile(r"\b[0-9a-f]{64}\b")
# Of the framework, of the frame that all pages share, or another at each look.
LEFT_OUT = {"request", "csrf_token", "block", "forloop", "True", "False", "None", "perms", "messages", "user", "frame",
            "LANGUAGES", "LANGUAGE_CODE", "LANGUAGE_BIDI", "DEFAULT_MESSAGE_LEVELS", "op_id", "client_seed", "field",
            "debug", "sql_queries", "csp_nonce", "kept", "registration", "head_seq"}
TIME, TAG = re.compile(r"<time.*?</time>", re.DOTALL), re.compile(r"<[^>]*>")
LONGEST = 400  # of a text that is a value; what is longer is drawn already, of values that stand elsewhere

Names = Mapping[str, str]


def lines_of(context: Mapping[str, Any], names: Names) -> list[str]:
    """All that a context holds, in the order of its names."""
    once = {id(value): name for name, value in sorted(context.items(), reverse=True)}  # a form has several names
    return [line for name in sorted(once.values()) if name not in LEFT_OUT
            for line in _lines(name, context[name], names)]


def _lines(path: str, value: Any, names: Names) -> Iterator[str]:
    if value is None or value == "" or isinstance(value, (datetime, type)):
        return
    if isinstance(value, (bool, int, Fraction, Enum, UUID, str)):
        if text := _text(value, names):
            yield f"{path}: {text}"
        return
    for step, inner in _parts(value):
        yield from _lines(f"{path}{step}", inner, names)


def _text(value: Any, names: Names) -> str:
    said = str(value.value if isinstance(value, Enum) else value)
    if said.lstrip().startswith("<"):
        said = TAG.sub(" ", TIME.sub("", said))
    said = ID.sub(lambda one: names.get(one[0].replace("-", ""), "(id)"), HASH.sub("(hash)", said))
    return " ".join(said.split()) if len(said) <= LONGEST else "(drawn)"


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """What a value is made of; a form is its fields, with what stands in them and what can be chosen."""
    if is_dataclass(value):
        yield from ((f".{part.name}", getattr(value, part.name)) for part in fields(value) if part.name not in LEFT_OUT)
    elif isinstance(value, Mapping):
        yield from ((f".{key}", inner) for key, inner in value.items() if key not in LEFT_OUT)
    elif isinstance(value, (Sequence, Set)):
        ordered = sorted(value) if isinstance(value, Set) else value
        yield from ((f"[{place}]", inner) for place, inner in enumerate(ordered, 1))
    elif hasattr(value, "fields") and hasattr(value, "is_bound"):
        for name in value.fields:
            if name not in LEFT_OUT:
                bound = value[name]
                chosen = [str(label) for _, label in getattr(bound.field, "choices", ())]
                yield f".{name}", {"label": bound.label, "value": bound.value(), "choices": chosen}
    elif getattr(value, "__name__", "") != "<lambda>" and callable(value) and hasattr(value, "cache_info"):
        yield "()", value()


class Album:
    """What each person is shown on each page, from one situation to the next."""

    def __init__(self, game: str) -> None:
        self.folder = FOLDER / game
        self.files: dict[str, list[str]] = {}
        self.last: dict[str, list[str]] = {}

    def keep(self, file: str, situation: str, lines: list[str]) -> None:
        """A page as it is now: whole the first time, then what is another."""
        before, written = self.last.get(file), self.files.setdefault(file, [])
        written.append(f"== {situation}")
        if before is None:
            written += lines
        else:
            for what, one, two, three, four in SequenceMatcher(None, before, lines, autojunk=False).get_opcodes():
                if what != "equal":
                    written += [f"- {line}" for line in before[one:two]]
                    written += [f"+ {line}" for line in lines[three:four]]
        self.last[file] = lines

    def differing(self) -> dict[str, list[str]]:
        """The files that are another than was recorded, each with the first lines of it; written anew where asked."""
        if os.environ.get(WRITE):
            self.folder.mkdir(exist_ok=True)
            for kept in self.folder.glob("*.txt"):
                kept.unlink()
            for name, lines in self.files.items():
                (self.folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
        kept = {path.stem: path.read_text().splitlines() for path in self.folder.glob("*.txt")}
        return {name: _first_of(kept.get(name, []), self.files.get(name, [])) for name in {*kept, *self.files}
                if kept.get(name) != self.files.get(name)}


def said_of(differing: dict[str, list[str]]) -> str:
    """What differs, file by file, for whoever reads the test's answer."""
    return "\n".join(f"{name}:\n  " + "\n  ".join(lines) for name, lines in sorted(differing.items()))


def _first_of(was: list[str], now: list[str]) -> list[str]:
    changes = [code for code in SequenceMatcher(None, was, now, autojunk=False).get_opcodes() if code[0] != "equal"]
    return [line for _, one, two, three, four in changes[:5] for line in (
        *(f"recorded: {line}" for line in was[one:two]), *(f"now:      {line}" for line in now[three:four]))][:20]


def names_of_rows() -> dict[str, str]:
    """What each row of the database is called, by its id: `<Tam>`, or what it is."""
    from django.apps import apps

    names = {}
    for model in apps.get_models():
        if model._meta.app_label in ("play", "characters", "campaigns", "schedule"):
            for row in model._default_manager.all():
                called = next((said for one in ("name", "title", "words", "label") if isinstance(
                    said := getattr(row, one, None), str) and said), model.__name__.lower())
                names[str(row.pk).replace("-", "")] = f"<{called}>"
    return names


def seen(ask: Callable[[], Any], *templates: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What the first of these templates is given while `ask` is answered; and each contest's card that the page has."""
    from django.test.signals import template_rendered

    contexts: list[dict[str, Any]] = []
    cards: list[dict[str, Any]] = []

    def look(sender: Any, template: Any, context: Any, **more: Any) -> None:
        flat = context.flatten()
        if "part" not in flat:
            contexts.extend([flat] if template.name in templates else [])
        # A card is drawn in three parts, of one context.
        elif "contest" in flat and not any(flat["contest"] is card["contest"] for card in cards):
            cards.append({name: value for name, value in flat.items() if name != "part"})

    template_rendered.connect(look)
    try:
        answer = ask()
    finally:
        template_rendered.disconnect(look)
    assert contexts, (answer.status_code, answer.get("Location"), [template.name for template in answer.templates][:3])
    return contexts[0], cards


if __name__ == "__main__":
    os.environ[WRITE] = "1"
    os.environ.setdefault("DATABASE_URL", "sqlite://:memory:")
    import pytest

    tests = (str(Path(__file__).parent / name) for name in ("test_pages_as_values.py", "test_games_as_values.py"))
    sys.exit(pytest.main(["-n0", "-q", "-p", "no:cacheprovider", *tests]))
