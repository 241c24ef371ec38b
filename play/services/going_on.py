"""A contest that goes on again because something was undone: refused where it could not go on by any other way."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import Subquery

from campaigns.errors import Refused
from campaigns.models import Campaign
from campaigns.services.undoing import look_on
from characters.cast import NOBODY
from play.models import Contest
from play.services.contests import in_its_place
from play.services.folds import FOLDS, contained, readable
from play.services.position import LAST, Position
from rules.excludes import Excludes


@look_on
def refuse_two_at_once(campaign: Campaign, changes: Sequence[Mapping[str, Any]]) -> Callable[[], None]:
    """Has an undoing refused that would let a contest go on beside what it may not go on beside, as it did not before.

    What calling off, pausing or finishing it made way for may have begun since. Of whatever is gone once its beginning
    is undone nothing is asked.
    """
    contests = [change["id"] for change in changes if change["of"] == "contest" and change["was"] is not None]
    before = {pk: _open(campaign, pk) for pk in contests}

    def look_again() -> None:
        for pk, was in before.items():
            now = _open(campaign, pk)
            if now and (why := _stands_against(now)) and not (was and _stands_against(was)):
                raise Refused(why)
    return look_again


def _open(campaign: Campaign, contest_id: str) -> Position | None:
    """A contest that is not over, as far as its own events tell: one query. None where it is, or its kind is gone."""
    for contest in Contest.objects.filter(campaign=campaign, pk=contest_id, over=False).annotate(
            last=Subquery(LAST.values("pk")[:1])):
        contest.campaign = campaign
        for rules in (kind for kind in campaign.rules.procedures if kind.name == contest.kind):
            folded = FOLDS.kept(contest.last, contest.events) or readable(rules, contest)
            return Position(contest, rules, folded, NOBODY, campaign.head_seq)
    return None


def _stands_against(now: Position) -> str:
    """Why it can't go on as it stands, by its kind or its rules, in a sentence; "" where it can, or those fail."""
    contest, rules = now.contest, now.procedure
    if why := in_its_place(contest.campaign, rules, contest.scene_id, contest.pk):
        return why
    if now.is_broken or not isinstance(rules, Excludes):
        return ""
    return contained(contest, lambda: rules.stands_against(now.state), "")
