"""Who dies by the GM's word on the sheet leaves the contests that go on, and is back in them with that word.

Each contest keeps it as events of its own, in the entry of the sheet: undoing that takes all of it back.
"""
from __future__ import annotations

from functools import reduce
from typing import Any

from campaigns import trail
from characters.models import Character
from characters.services.common import on_death
from play.services.contests import can_be_shown, keep
from play.services.folds import contained
from play.services.open_contests import open_contests
from play.services.position import Position
from rules.deaths import HearsOfDeath
from rules.moves import Outcome, Step
from rules.procedure import ActResult


def _tell(entry: trail.Draft, character: Character) -> None:
    """Tells of it in every contest that this character is in."""
    who, steps = str(character.pk), list[Step]()
    for open_contest in open_contests([entry.campaign]):
        now = open_contest.position
        if who in now.named and not now.is_broken:
            steps += _heard(entry, now, who)
    if steps:
        entry.move(None, Outcome({}, tuple(steps)))


def _heard(entry: trail.Draft, now: Position, who: str) -> tuple[Step, ...]:
    """What a contest makes of it. One whose rules fail at that goes on as it was: the sheet says it all the same."""
    rules = now.procedure

    def follows() -> tuple[ActResult[Any], Position] | None:
        result = rules.hears(now.state, now.sheets, who) if isinstance(rules, HearsOfDeath) else None
        if result is None:
            return None
        after = now.moved_to(reduce(rules.evolve, result.events, now.folded))
        if not rules.is_over(after.folded):
            can_be_shown(entry.actor, after)
        return result, after

    heard = contained(now.contest, follows, None)
    if heard is None:
        return ()
    result, after = heard
    entry.index(now.contest.pk)
    if now.has_faces or after.has_faces:
        entry.audience = trail.GM  # as with all that the GM does there without dice
    keep(entry, now, after.folded, result)
    return result.steps


on_death(_tell)
