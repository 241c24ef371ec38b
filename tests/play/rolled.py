"""A roll of PDQ's tray by its services, as a GM's words and a player's ticks come to it; for tests of what is kept."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from campaigns.models import Entry
from characters.models import Character
from play.services import tray
from play.services.obstacles import InTheWay


def planned(campaign: Any, actor: Any, who: Any, traits: Sequence[Any] = (), *, what: str = "A roll",
            hidden: bool = False, met: InTheWay | None = None, **values: Any) -> tray.Planned:
    """What `who` (a character, or its id) rolls with these lines, against `met` or as hard as `values` say."""
    character = Character.objects.prefetch_related("traits", "pools").get(pk=getattr(who, "pk", who))
    beside = replace(tray.beside(campaign, actor, character, [met] if met else []), runs=True)
    given = {"traits": [str(getattr(line, "pk", line)) for line in traits], "difficulty": "average", **values}
    if met:
        given[tray.OBSTACLE] = str(met.pk)
    return tray.plan(campaign, character, beside, what, given, secret=hidden)


def rolled(campaign: Any, actor: Any, who: Any, traits: Sequence[Any] = (), *, client_seed: str = "",
           op_id: uuid.UUID | None = None, typed: Sequence[int] = (), **said: Any) -> Entry:
    """The same, rolled."""
    def plan(now: Any) -> tray.Planned:
        return planned(now, actor, who, traits, **said)

    return tray.roll(campaign=campaign, actor=actor, op_id=op_id or uuid.uuid4(), client_seed=client_seed,
                     planned=plan(campaign), again=plan, typed=typed)
