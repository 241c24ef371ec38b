"""Every event that a procedure stores, in words: names, types and defaults, those of values within values too.

What is stored is read for ever. The record names no class and no module, so that these may be renamed and moved.
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from rules.engine import Procedure
from rules.registry import SYSTEMS
from tests.rules.plainly import as_json

WORDS = {str: "text", int: "whole", bool: "flag"}


def stored_events_text() -> str:
    """The whole record. Procedures with the same events share a heading."""
    headings: dict[str, list[str]] = {}
    for system in SYSTEMS.values():
        for procedure in system.procedures:
            headings.setdefault("\n".join(_events(procedure)), []).append(procedure.name)
    return "\n\n".join(f"{', '.join(names)}\n{events}" for events, names in headings.items()) + "\n"


def _events(procedure: Procedure[Any]) -> Iterator[str]:
    for name, kind in sorted(procedure.stored.kinds.items()):
        yield f"  {name}"
        yield from _fields(kind, "    ")


def _fields(kind: Any, margin: str) -> Iterator[str]:
    hints = get_type_hints(kind)
    for field in fields(kind):
        words, nested = _type(hints[field.name])
        yield f"{margin}{field.name}: {words}{_default(field)}"
        if nested is not None:
            yield from _fields(nested, f"{margin}  ")


def _default(field: Field[Any]) -> str:
    if field.default is not MISSING:
        return f" = {as_json(field.default)}"
    return "" if field.default_factory is MISSING else f" = {as_json(field.default_factory())}"


def _type(hint: Any) -> tuple[str, Any]:
    """What is stored, in words, and the dataclass that a value in it is made of, or None."""
    if get_origin(hint) in (Union, types.UnionType):
        inner = next(part for part in get_args(hint) if part is not type(None))
        words, nested = _type(inner)
        return f"{words} or nothing", nested
    if get_origin(hint) is tuple:
        *parts, last = get_args(hint)
        if last is ...:
            words, nested = _type(parts[0])
            return f"list of {words}", nested
        inners = [_type(part) for part in (*parts, last)]
        assert all(nested is None for _, nested in inners), "a pair of values has no words here yet"
        return f"[{', '.join(words for words, _ in inners)}]", None
    return ("value", hint) if is_dataclass(hint) else (WORDS[hint], None)
