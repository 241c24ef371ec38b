"""What the events of contests add up to: reckoned once, and kept; and what the rules say of them, where they may fail:
that stays in a contest's card, and takes no page with it."""
from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db import Error as DatabaseError
from django.db.models import QuerySet

from campaigns.bounded import Bounded
from play.models import Contest, ContestEvent
from rules.engine import Procedure

log = logging.getLogger(__name__)

T = TypeVar("T")
D = TypeVar("D")

MOST_KEPT = 500  # folds that are kept in memory
UNREADABLE = object()  # the state of a contest whose events the rules fail at


def contained(of: Contest | str, ask: Callable[[], T], nothing: D) -> T | D:
    """What is asked of the rules about a contest, or about what is yet to be one, by the name of its procedure;
    `nothing` where they fail, and the log has the traceback.

    What fails in the database is raised: it says nothing of the contest.
    """
    try:
        return ask()
    except DatabaseError:
        raise
    except Exception:
        log.exception("The rules failed at %s.", of if isinstance(of, str) else f"{of.kind} {of.pk}")
        return nothing


class Folds:
    """States after the first n events, by the last of these: what never changes is added up once, and kept, bounded."""

    def __init__(self) -> None:
        self._kept: Bounded[tuple[uuid.UUID, int], Any] = Bounded(MOST_KEPT)

    def longest(self, events: Sequence[uuid.UUID], blank: Callable[[], Any]) -> tuple[int, Any]:
        """How many of these events have been added up already, and to what."""
        for number in range(len(events), 0, -1):
            if (state := self._kept.get((events[number - 1], number))) is not None:
                return number, state
        return 0, blank()

    def kept(self, last: uuid.UUID | None, number: int) -> Any:
        """What so many events with this last one add up to, where that is known already; else None."""
        return self._kept.get((last, number)) if last else None

    def keep(self, last: uuid.UUID, number: int, state: Any) -> None:
        """Keeps a state; the one that nobody asked for longest makes way."""
        self._kept.put((last, number), state)


FOLDS = Folds()


def fold(procedure: Procedure[Any], contest: Contest) -> Any:
    """What the contest's events add up to. `log` may have been prefetched in its order."""
    events = list(_events(contest))
    number, state = FOLDS.longest([pk for pk, _ in events], procedure.blank)
    for _, text in events[number:]:
        state = procedure.evolve(state, procedure.read(json.loads(text)))
    if len(events) > number:
        FOLDS.keep(events[-1][0], len(events), state)
    return state


def readable(procedure: Procedure[Any], contest: Contest) -> Any:
    """The same for whoever looks; `UNREADABLE` where the rules fail at the events."""
    return contained(contest, lambda: fold(procedure, contest), UNREADABLE)


def _events(contest: Contest) -> Sequence[tuple[uuid.UUID, str]] | QuerySet[ContestEvent, tuple[uuid.UUID, str]]:
    if "log" in getattr(contest, "_prefetched_objects_cache", {}):
        return [(contest_event.pk, contest_event.text) for contest_event in contest.log.all()]
    return ContestEvent.objects.filter(contest=contest).order_by("number").values_list("pk", "text")
