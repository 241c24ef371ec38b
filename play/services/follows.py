"""How hard something is that came of a line of somebody: as their sheet has it now, until somebody rolls."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from campaigns.models import Campaign
from characters.models import Character
from characters.queries import sheets
from rules.codec import VERSION, canonical, read
from rules.opposing import stands_for
from rules.values import Value


class Hard(Protocol):
    """A row that keeps how hard something is."""

    spec: str


@dataclass(frozen=True)
class InItsPlace:
    """What a chip stands for: the name and the values of an obstacle, and of whose line it comes, if of anybody's."""

    name: str
    values: Mapping[str, Value]
    whose: Character | None = None
    line: str = ""

    @property
    def spec(self) -> str:
        """It as it is kept: what its values were, and the line that it follows."""
        of_line = {"line": self.line, "whose": str(self.whose.pk)} if self.whose and self.line else {}
        return canonical({"v": VERSION, "fields": dict(self.values), **of_line})


def as_they_stand(campaign: Campaign, rows: Collection[Hard]) -> None:
    """Gives these rows the values that the lines of which they came have by now, to be read, not to be stored.

    A line that is gone leaves what it stood at; what was kept before lines were, stands as it was put there.
    """
    kept: list[tuple[Hard, dict[str, Any]]] = [(row, read(row.spec)) for row in rows if row.spec]
    follow = [(row, spec) for row, spec in kept if spec.get("line")]
    if not follow:
        return
    known = sheets(campaign, {uuid.UUID(spec["whose"]) for _, spec in follow})
    for row, spec in follow:
        sheet = known.get(spec["whose"])
        if sheet and (trait := sheet.trait(spec["line"])):
            now = stands_for(campaign.rules, campaign.settings, sheet, trait)
            row.spec = canonical({**spec, "fields": dict(now)})
