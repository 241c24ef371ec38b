"""What characters really used against what was in the way: the matrix learns from it what fits."""
from __future__ import annotations

import uuid
from collections.abc import Iterable

from campaigns import trail
from characters.models import Character
from play.models import LineUsed
from play.services.obstacles import UNKNOWN, InTheWay


def learn(entry: trail.Draft, character: Character, lines: Iterable[str], against: InTheWay | None) -> None:
    """Notes in a roll's entry which lines met what was in the way; each once, so that Undo takes it along."""
    wanted = {uuid.UUID(line) for line in lines} if against and against.name != UNKNOWN else set()
    if not wanted or against is None:
        return
    noted = LineUsed.objects.filter(campaign=entry.campaign, character=character, against=against.name)
    for trait in sorted(wanted - set(noted.values_list("trait_id", flat=True))):
        entry.create(LineUsed(campaign=entry.campaign, character=character, trait_id=trait, against=against.name))
