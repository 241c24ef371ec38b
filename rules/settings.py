"""A campaign's settings as a game writes them down: one frozen dataclass, in which each says how it is asked for.

    @dataclass(frozen=True)
    class Settings:
        open_ended: bool = setting(Flag(name="open_ended", label="Open-ended d20", default=True))

A procedure keeps those that it reads in its first event, so that no later change of the campaign touches it. They are
the fields of a dataclass of their names (`Procedure.reads`), whose defaults are what older first events meant.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, TypeVar

from rules.fields import Field

T = TypeVar("T")


def setting(asked: Field) -> Any:
    """A field of a game's `Settings`, as the campaign's page asks for it."""
    return field(default=asked.default, metadata={"asked": asked})


def asked(settings: type, by: type | None = None) -> tuple[Field, ...]:
    """How a game's settings are asked for, in their order; with `by` those of its fields that are settings."""
    known: dict[str, Field] = {one.name: one.metadata["asked"] for one in fields(settings)}
    return tuple(known[one.name] for one in fields(by or settings) if one.name in known)


def kept(reads: type[T], values: Mapping[str, Any]) -> T:
    """The settings that a procedure reads, frozen from the checked values of its fields."""
    return reads(**{one.name: values[one.name] for one in fields(reads) if one.name in values})  # type: ignore[arg-type]
