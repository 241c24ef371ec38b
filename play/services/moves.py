"""Rolls whose entry is a move by itself: recovery, what a GM rolls in secret, and whatever was once rolled so."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns import trail
from characters.services.common import GROWTH
from rules.allocates import Allocates
from rules.moves import MoveKind, Need, Outcome
from rules.registry import SYSTEMS
from rules.values import Value

ROLLS = trail.Filter("rolls", "Rolls")
for _system in SYSTEMS.values():
    _heals = _system.session.recovery if isinstance(_system.session, Allocates) else ""
    for _move in _system.rolls.moves:
        # A recovery roll heals; it is found as both.
        trail.declare(_move.name, _move.title, ROLLS, *([GROWTH] if _move.name == _heals else []), waits=True)


def resolve(entry: trail.Draft, kind: MoveKind[Any], given: Mapping[str, Value], client_seed: str) -> Outcome:
    """Rolls what a move needs, as often as it asks; raises `BadMove`."""
    move = kind.read(given)
    faces: list[int] = []
    while isinstance(answer := kind.resolve(move, tuple(faces)), Need):
        faces += entry.roll(answer.sides, client_seed)
    return answer
