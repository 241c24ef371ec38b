"""Who was there: reads."""
from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from campaigns.access import Viewer
from campaigns.models import Entry, Member
from play.models import Attendance, Session
from schedule.queries import players


def attended(viewer: Viewer, sessions: Iterable[Session]) -> dict[uuid.UUID, tuple[str, ...]]:
    """Who was there at each of these sessions of the viewer's campaign, by name; one query."""
    present: dict[uuid.UUID, tuple[str, ...]] = {session.pk: () for session in sessions}
    rows = Attendance.objects.filter(campaign=viewer.campaign, session__in=list(present)).select_related("member__user")
    for row in rows.order_by("member__joined", "member__pk"):
        present[row.session_id] += (str(row.member),)
    return present


def could_be_there(viewer: Viewer, session: Session) -> list[tuple[str, str]]:
    """Who can be ticked as having been there: who plays or runs the game now, and who was there and has left since."""
    people = {player.pk: player for player in players(viewer.campaign)}
    for attendance in Attendance.objects.filter(session=session).select_related("member__user"):
        people.setdefault(attendance.member_id, attendance.member)
    return [(str(pk), str(member)) for pk, member in people.items()]


def seems_there(session: Session) -> set[str]:
    """Who is noted as being there, and who did something in the session while it was open.

    Each member's entries are looked for between the session's first and last, so that one is enough.
    """
    noted = Attendance.objects.filter(session=session).values_list("member_id", flat=True)
    within = Entry.objects.filter(campaign=session.campaign_id, session_id=session.pk)
    ends = [within.order_by(order).values_list("seq", flat=True).first() or 0 for order in ("seq", "-seq")]
    own = Entry.objects.filter(campaign=session.campaign_id, actor=OuterRef("pk"), seq__range=ends)
    did = Member.objects.filter(Exists(own), campaign=session.campaign_id)
    return {str(pk) for pk in (*noted, *did.values_list("pk", flat=True))}
