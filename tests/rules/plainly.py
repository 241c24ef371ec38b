"""Anything that a procedure answers, as plain values: by the names of fields, never by those of classes or modules."""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from rules.fields import (
    REQUIRED,
    Allocation,
    Choice,
    ChoiceOrWhole,
    Field,
    Flag,
    Group,
    Listing,
    Text,
    Whole,
    Written,
)

FIELD_KINDS = (Allocation, Choice, ChoiceOrWhole, Flag, Group, Listing, Text, Whole, Written)


def field_kind(field: Field) -> str:
    """What sort of field this is: `text`, `choice`."""
    return next(kind.__name__.lower() for kind in FIELD_KINDS if isinstance(field, kind))


def plainly(value: Any) -> Any:
    """The value as lists, dictionaries, texts and numbers; raises `TypeError` for what can't be written down."""
    if value is REQUIRED:
        return "(required)"
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Enum):
        return plainly(value.value)
    if isinstance(value, Fraction):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        kind = {"(kind)": field_kind(value)} if isinstance(value, Field) else {}
        return kind | {field.name: plainly(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plainly(inner) for key, inner in value.items()}
    if isinstance(value, Set):
        return sorted(plainly(inner) for inner in value)
    if isinstance(value, Sequence):
        return [plainly(inner) for inner in value]
    raise TypeError(f"A {type(value).__name__} can’t be written down.")


def as_json(value: Any) -> str:
    """The value in one line."""
    return json.dumps(plainly(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
