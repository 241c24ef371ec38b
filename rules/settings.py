"""A campaign's settings as a game writes them down: one frozen dataclass, in which each says how it is asked for.

    @dataclass(frozen=True)
    class Settings:
        open_ended: bool = setting(Flag(name="open_ended", label="Open-ended d20", default=True))

A procedure keeps those that it reads in its first event, so that no later change of the campaign touches it. They are
the fields of a dataclass of their names (`Procedure.reads`), whose defaults are what older first events meant. One that
is kept by another name, or as something else than what was set, says so: `kept_as` and `by`.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any, TypeVar

from rules.fields import Field

T = TypeVar("T")


def setting(asked: Field, kept_as: str = "", by: Callable[[Mapping[str, Any]], Any] | None = None) -> Any:
    """A field of a game's `Settings`, as the campaign's page asks for it.

    `kept_as` is what a procedure calls it, `by` what it makes of all that it is given; several may be kept as one.
    """
    name = kept_as or asked.name
    return field(default=asked.default, metadata={
        "asked": asked, "kept_as": name, "by": by or (lambda values: values[name])})


def asked(settings: type, by: type | tuple[str, ...] | None = None) -> tuple[Field, ...]:
    """How a game's settings are asked for, in their order; with `by` those of these names, or that its fields keep."""
    known = [(field.metadata["kept_as"], field.metadata["asked"]) for field in fields(settings)]
    if by is None or isinstance(by, tuple):
        return tuple(ask for _, ask in known if by is None or ask.name in by)
    return tuple(ask for field in fields(by) for kept_as, ask in known if kept_as == field.name)


def kept(reads: type[T], values: Mapping[str, Any], settings: type | None = None) -> T:
    """The settings that a procedure reads, frozen from the checked values of its fields."""
    made = {field.metadata["kept_as"]: field.metadata["by"] for field in fields(settings)} if settings else {}
    known = [field.name for field in fields(reads) if field.name in made or field.name in values]  # type: ignore[arg-type]
    return reads(**{name: made[name](values) if name in made else values[name] for name in known})
