"""The one place that writes and reads what is stored: canonical JSON, the same bytes on every machine.

Whole numbers only, text in NFC, keys sorted, no spaces. What is stored is stored as text and never written again.
"""
from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, cast

from rules.values import Value

VERSION = 1


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
