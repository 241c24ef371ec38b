"""The contests that go on at the table: one as it is played, the others folded to a line."""
from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.http import HttpRequest

from campaigns.access import Viewer
from play import queries
from play.contexts.contest_page import CardContext, contest_card
from play.models import Contest
from play.now import in_contest, now_for
from play.services.open_contests import open_contests
from play.services.position import Position
from play.waiting import waits


@dataclass(frozen=True)
class ContestHere:
    """A contest of the scene. `card` is all of it, None where it is folded; `line` says whom it waits for, `yours`
    whether that is the viewer. It `engages` the GM, whom it waits for, and whoever has a character
    in it."""

    pk: uuid.UUID
    title: str
    line: str
    yours: bool
    engages: bool
    card: CardContext | None


def contests_here(request: HttpRequest, viewer: Viewer) -> tuple[ContestHere, ...]:
    """Those that wait for the viewer come first, the oldest ask before; then what moved last. One is unfolded: the one
    that is asked for (`contest`), else the first."""
    found = []
    for each in open_contests([viewer.campaign]) if waits(viewer, Contest) and queries.contests(viewer) else ():
        if each.is_here:
            found.append((each, now_for(viewer, in_contest(each))))
    found.sort(key=lambda pair: (not pair[1].asks, pair[0].moved if pair[1].asks else -pair[0].moved))
    ids = [str(each.position.contest.pk) for each, _ in found]
    wanted = request.GET.get("contest", "")
    unfolded = wanted if wanted in ids else "".join(ids[:1])
    return tuple(
        ContestHere(
            each.position.contest.pk, each.position.contest.title,
            f"{now.asks[0].lead}: {now.asks[0].text}" if now.asks else now.waits, bool(now.asks),
            bool(now.asks) or viewer.runs or _takes_part(viewer, each.position),
            contest_card(request, viewer, each.position) if str(each.position.contest.pk) == unfolded else None,
        )
        for each, now in found
    )


def _takes_part(viewer: Viewer, position: Position) -> bool:
    """Whether a character of the viewer's is in it."""
    mine = (position.characters.get(each) for each in position.named)
    return any(each is not None and each.player_id == viewer.member.pk for each in mine)
