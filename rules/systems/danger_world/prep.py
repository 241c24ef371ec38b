"""What a GM prepares: challenges with their difficulty and modifiers, and moves (DW-05, DW-09, DW-16)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.fields import Choice
from rules.prep import ObstacleKind, PrepItemKind
from rules.systems.danger_world.table.challenges import CHALLENGE, OWN_MOVE, keywords_of


@dataclass(frozen=True, slots=True)
class Challenges(ObstacleKind):
    """A challenge: in a quick line, what is neither difficulty nor threat dice is a keyword."""

    @property
    def filled(self) -> frozenset[str]:
        return frozenset(field.name for field in self.fields)

    def read_part(self, part: str, spec: Mapping[str, Any]) -> Mapping[str, Any]:
        # The arguments name the class: slots make it anew, and a bare `super()` would mean the one before.
        known = super(Challenges, self).read_part(part, spec)
        if known is not None and "keywords" not in {*known} - {*spec}:
            return known
        said = part.partition(":")[2].strip() if part.casefold().startswith("keywords:") else part
        return {**spec, "keywords": ", ".join((*keywords_of(str(spec.get("keywords", ""))), said))}


KINDS: tuple[PrepItemKind, ...] = (
    Challenges("challenge", "Challenge", "Challenges", "A guarded yard, a storm, a creature: its difficulty, and "
               "keywords that may speak for or against an attempt.", CHALLENGE, tuple(f.name for f in CHALLENGE)),
    PrepItemKind("move", "Move", "Moves", "A move of your own: what a set of each height accomplishes.", (
        Choice(name="move", label="Use it as", default="own", options=(("own", "A move in words"),)), *OWN_MOVE)),
)
