"""What characters really used against what was in the way: the matrix learns from it what fits."""
from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns import trail
from campaigns.models import View
from characters.cast import Cast
from characters.models import Character, Trait
from play.models import Contest, LineUsed
from play.services.on_scene import UNKNOWN, line_name
from rules.procedure import Use


def learn(entry: trail.Draft, character: Character, lines: Iterable[str], against: str) -> None:
    """Notes in the entry of a roll which lines met what is called so; each once, so that Undo takes it along. What
    players don't know by a name is not noted."""
    wanted = {uuid.UUID(line) for line in lines} if against not in ("", UNKNOWN) else set()
    if not wanted:
        return
    noted = LineUsed.objects.filter(campaign=entry.campaign, character=character, against=against)
    for trait in sorted(wanted - set(noted.values_list("trait_id", flat=True))):
        entry.create(LineUsed(campaign=entry.campaign, character=character, trait_id=trait, against=against))


def learn_from(entry: trail.Draft, contest: Contest, uses: Iterable[Use], cast: Cast) -> None:
    """Notes what players’ characters used in a contest, against lines of NPCs whom players know or what it is about."""
    for use in uses:
        character = cast.characters.get(use.who)
        lines = [str(line.pk) for line in _called(cast, use.who, use.lines)]
        if character is None or character.npc or not lines:
            continue
        for against in dict.fromkeys(_met(contest, use, cast)):
            learn(entry, character, lines, against)


def _met(contest: Contest, use: Use, cast: Cast) -> Iterator[str]:
    """What this was used against, as the matrix calls it."""
    foe = cast.characters.get(use.foe)
    if foe is not None:
        if foe.npc and foe.view is View.ALL:
            yield from (line_name(foe, line) for line in _called(cast, use.foe, use.theirs))
        return
    about: Mapping[str, Any] = json.loads(contest.setup)
    yield use.against or about.get("obstacle") or contest.title


def _called(cast: Cast, who: str, wanted: Iterable[str]) -> list[Trait]:
    """The lines of somebody of these ids or names."""
    keys = {*wanted}
    return [line for line in cast.traits.get(who, ()) if str(line.pk) in keys or line.name in keys]
