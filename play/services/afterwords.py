"""What came of a contest in the GM's own words, once it is over."""
from __future__ import annotations

import uuid

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.texts import text
from play.models import Afterword, Contest
from play.services.sessions import SCENES

KIND = "afterword.say"
MOST = 500

trail.declare(KIND, "What came of a contest", SCENES)


def said_of(contest_id: uuid.UUID) -> str:
    """What is said of a contest, "" for nothing."""
    return Afterword.objects.filter(contest=contest_id).values_list("words", flat=True).first() or ""


@trail.answers_once
def say(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, contest_id: uuid.UUID, words: str) -> Entry:
    """Says it, in place of what was said before; "" for nothing more."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind=KIND) as entry:
        contest = entry.locked(Contest, pk=contest_id)
        if not contest.over:
            raise Refused("This contest is still going on.")
        said = text(words, MOST, "words")
        kept = Afterword.objects.filter(campaign=campaign, contest=contest).first()
        if said == (kept.words if kept else ""):
            raise Refused("This is what it says already.", "words")
        entry.title = f"{contest.title}: {said}" if said else f"{contest.title}: the GM takes back what came of it"
        if kept and said:
            entry.change(kept, words=said)
        elif kept:
            entry.remove(kept)
        else:
            entry.create(Afterword(campaign=entry.campaign, contest=contest, words=said))
        entry.index(contest.pk)
        entry.move({"contest": str(contest.pk), "action": "afterword"})
    return entry.written
