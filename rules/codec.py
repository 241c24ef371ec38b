"""The one place that writes and reads what is stored: canonical JSON, the same bytes on every machine.

Whole numbers only, text in NFC, keys sorted, no spaces. What is stored is stored as text and never written again.
"""
from __future__ import annotations

import json
import re
import types
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Generic, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from rules.values import Value

VERSION = 1

E = TypeVar("E")


class Unreadable(ValueError):
    """Stored text that this version does not know how to read."""


def canonical(value: Value) -> str:
    """The value as canonical JSON; raises `TypeError` for what has no place in it (floats, dates, objects)."""
    return _ENCODER.encode(_plain(value))


def read(text: str) -> dict[str, Any]:
    """A stored document; raises `Unreadable` unless it is a dictionary of a version that is known here."""
    try:
        document = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"This is not JSON: {error}.") from error
    if not isinstance(document, dict) or document.get("v") != VERSION:
        raise Unreadable("This was written by a version that is not known here.")
    return cast(dict[str, Any], document)


def _refuse(text: str) -> Any:
    raise Unreadable(f"{text} is not a whole number.")


# Made once: to make one costs as much as to read an entry.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False)
_DECODER = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse)


def _plain(value: Value) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return unicodedata.normalize("NFC", str(value))
    if isinstance(value, Mapping):
        return {unicodedata.normalize("NFC", str(key)): _plain(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_plain(part) for part in value]
    raise TypeError(f"{type(value).__name__} has no place in the trail.")


class StoredEvents(Generic[E]):
    """Writes and reads the events of one kind of contest, one dictionary each; whatever is not one of them is refused.

        EVENTS = StoredEvents((Started, Rolled, Ended))
        EVENTS.read(EVENTS.write(Ended("They leave")))

    An event is a frozen dataclass of plain values: texts, whole numbers, flags, None, tuples, and such dataclasses.
    """

    def __init__(self, kinds: Iterable[type[E]]) -> None:
        """`kinds` are the events' classes."""
        self.kinds: dict[str, type] = {name_of(kind): kind for kind in kinds}

    def write(self, event: E) -> Value:
        """The event as plain values: `{"event": "turn_began", "who": ...}`."""
        return {"event": name_of(type(event)), **_values_of(event)}

    def read(self, stored: Value) -> E:
        """The event that was written; raises `Unreadable` for one that is not known here, or not whole."""
        if not isinstance(stored, Mapping):
            raise Unreadable("An event is a dictionary.")
        kind = self.kinds.get(str(stored.get("event")))
        if kind is None:
            raise Unreadable(f"{stored.get('event')!r} is no event that is known here.")
        return cast(E, _made(kind, {name: value for name, value in stored.items() if name != "event"}))


def name_of(kind: type) -> str:
    """The name under which an event is stored, where none is written down: that of its class, as in `turn_began`."""
    written: str = getattr(kind, "stored", "")
    return written or re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _values_of(thing: Any) -> dict[str, Value]:
    return {field.name: _as_value(getattr(thing, field.name)) for field in fields(thing)}


def _as_value(value: Any) -> Value:
    if is_dataclass(value):
        return _values_of(value)
    if isinstance(value, tuple):
        return [_as_value(part) for part in value]
    return cast(Value, value)


@cache
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


@cache
def _needed(kind: type) -> frozenset[str]:
    """The fields without a default: one that was added later has one, which is what older events meant."""
    return frozenset(
        field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING
    )


def _made(kind: type, stored: Mapping[str, Value]) -> Any:
    hints = _hints(kind)
    if not _needed(kind) <= set(stored) <= set(hints):
        raise Unreadable(f"{kind.__name__} has the fields {', '.join(hints)}.")
    return kind(**{name: _read(hint, stored[name]) for name, hint in hints.items() if name in stored})


def _read(hint: Any, value: Value) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        return None if value is None else _read(next(arg for arg in get_args(hint) if arg is not type(None)), value)
    if get_origin(hint) is tuple:
        return _read_tuple(get_args(hint), value)
    if is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise Unreadable(f"{value!r} is not stored as it should be.")
        return _made(cast(type, hint), value)
    if type(value) is not hint:
        raise Unreadable(f"{value!r} is not stored as it should be.")
    return value


def _read_tuple(hints: tuple[Any, ...], value: Value) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise Unreadable(f"{value!r} is not stored as a list.")
    if hints[-1] is ...:
        return tuple(_read(hints[0], part) for part in value)
    if len(hints) != len(value):
        raise Unreadable(f"{value!r} has not the length that it should have.")
    return tuple(_read(hint, part) for hint, part in zip(hints, value, strict=True))
