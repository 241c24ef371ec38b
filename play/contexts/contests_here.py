"""The contests that go on at the table: one as it is played, the others folded to a line."""
from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.http import HttpRequest

from campaigns.access import Viewer
from campaigns.now import NowContext
from play.contexts.contest_page import CardContext, NotDone, contest_card
from play.models import Contest
from play.now import in_contest, now_for
from play.services.open_contests import open_contests
from play.services.position import Position
from play.waiting import waits


@dataclass(frozen=True)
class ContestHere:
    """A contest of the scene. `card` is all of it, None where it is folded; `line` says whom it waits for, `yours`
    whether that is the viewer. It `engages` whom it waits for, and unless it rests the GM and
    whoever has a character in it: for all others it is a line, which unfolds at a tap."""

    pk: uuid.UUID
    title: str
    line: str
    yours: bool
    engages: bool
    card: CardContext | None


def contests_here(
    request: HttpRequest, viewer: Viewer, refused: NotDone | None = None, unfold: uuid.UUID | None = None
) -> tuple[ContestHere, ...]:
    """Those that wait for the viewer come first, the oldest ask before; then what moved last. One is unfolded: that in
    which something was `refused`, the one to `unfold`, the one that is asked for (`contest`), else the first."""
    here = []
    for contest in open_contests([viewer.campaign]) if waits(viewer, Contest) else ():
        if contest.position.is_here:
            here.append((contest, now_for(viewer, in_contest(contest))))
    here.sort(key=lambda pair: (not pair[1].asks, pair[0].moved if pair[1].asks else -pair[0].moved))
    engaging = {str(contest.position.contest.pk): _engages(viewer, contest.position, now) for contest, now in here}
    wanted = str(refused.contest if refused else unfold or request.GET.get("contest", ""))
    unfolded = wanted if wanted in engaging else next((pk for pk, engages in engaging.items() if engages), "")
    opened = [contest.position.contest.pk for contest, _ in here if str(contest.position.contest.pk) == unfolded]
    return tuple(
        ContestHere(
            contest.position.contest.pk, contest.position.contest.title,
            f"{now.asks[0].lead}: {now.asks[0].text}" if now.asks else now.waits, bool(now.asks),
            engaging[str(contest.position.contest.pk)],
            contest_card(request, viewer, contest.position, refused) if contest.position.contest.pk in opened else None,
        )
        for contest, now in here
    )


def _engages(viewer: Viewer, position: Position, now: NowContext) -> bool:
    """Whether it concerns the viewer now: one that rests, or that others alone are in, does not."""
    rests = all(ask.idle for ask in position.asks) and bool(position.asks)
    return bool(now.asks) or (not rests and (viewer.runs or _takes_part(viewer, position)))


def _takes_part(viewer: Viewer, position: Position) -> bool:
    """Whether a character of the viewer's is in it."""
    mine = (position.characters.get(pk) for pk in position.named)
    return any(character is not None and character.player_id == viewer.member.pk for character in mine)
