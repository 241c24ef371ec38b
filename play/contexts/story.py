"""The story of the table as cards: all that came of one contest in one, arrivals side by side in a line."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from campaigns.access import Viewer
from campaigns.models import Entry
from campaigns.statements import compiled_once
from campaigns.trail.contexts import EntryRow, rows
from campaigns.trail.visible import payload_of
from play.models import Contest
from rules.wording import join

ARRIVES, BEGINS = "character.create", ("contest.start", "contest.tray")
LAST = 3  # entries of a card that stand open; those before them are folded


@dataclass(frozen=True)
class StoryCard:
    """Entries that belong together, the oldest first: one alone, those of a contest, or arrivals (`names`)."""

    earlier: tuple[EntryRow, ...]
    latest: tuple[EntryRow, ...]
    contest: uuid.UUID | None = None
    title: str = ""
    over: bool = False
    names: str = ""

    @property
    def last(self) -> EntryRow:
        """The newest of them."""
        return self.latest[-1]

    @property
    def alone(self) -> bool:
        """Whether it is one entry and no more."""
        return not self.earlier and len(self.latest) == 1


def story_cards(viewer: Viewer, listed: Sequence[Entry]) -> list[StoryCard]:
    """These entries, newest first, as cards; each stands where its newest entry does. A query where there are contests.

    Entries of a contest that are apart, as other things happened in between, are in one card all the same.
    """
    drawn = dict(zip((entry.pk for entry in listed), rows(viewer, listed), strict=True))
    of = {entry.pk: _contest(entry) for entry in listed if not drawn[entry.pk].sealed}
    ids = {pk for pk in of.values() if pk}
    contests = {contest.pk: contest for contest in _contests(viewer.campaign.pk, sorted(ids))} if ids else {}
    cards, told = [], set[uuid.UUID]()
    for (contest, arrives), group in groupby(listed, key=lambda entry: (of.get(entry.pk), entry.kind == ARRIVES)):
        run = list(group)
        if contest and contest in contests:
            if contest not in told:
                told.add(contest)
                mine = [drawn[entry.pk] for entry in reversed(listed) if of.get(entry.pk) == contest]
                cards.append(StoryCard(tuple(mine[:-LAST]), tuple(mine[-LAST:]), contest, contests[contest].title,
                                       contests[contest].over))
        elif arrives and len(run) > 1:
            names = join([name for entry in reversed(run) for name in _arrived(entry)])
            cards.append(StoryCard((), tuple(drawn[entry.pk] for entry in reversed(run)), names=names))
        else:
            cards += [StoryCard((), (drawn[entry.pk],)) for entry in run]
    return cards


@compiled_once
def _contests(campaign: uuid.UUID, ids: list[uuid.UUID]) -> QuerySet[Contest]:
    return Contest.objects.filter(campaign=campaign, pk__in=ids)


def joins_a_card(entry: Entry) -> bool:
    """Whether an entry that is new stands in a card with others, so that the page needs the card again."""
    return entry.kind == ARRIVES or (entry.kind not in BEGINS and _contest(entry) is not None)


def _contest(entry: Entry) -> uuid.UUID | None:
    said = _payload(entry).get("move") or {} if entry.kind.startswith("contest.") else {}
    return uuid.UUID(said["contest"]) if "contest" in said else None


def _arrived(entry: Entry) -> list[str]:
    changes = _payload(entry).get("changes", ())
    return [change["became"]["name"] for change in changes if change["of"] == "character" and change["became"]]


def _payload(entry: Entry) -> dict[str, Any]:
    return payload_of(entry) or {}
