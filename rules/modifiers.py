"""What is added to a roll with a reason: by whoever rolls, or by the GM for the next one."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModifierKind:
    """A line that a person adds to a roll with a reason: (`upshift`, "Upshift", "+1 rank")."""

    name: str
    label: str
    help: str


@dataclass(frozen=True, slots=True)
class Modifier:
    """A modifier as added: its kind, how many, and why; on whose word (a character's name), "" for the GM's."""

    kind: str
    amount: int
    reason: str
    said_by: str = ""
