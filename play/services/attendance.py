"""Who was there at a session: taken over from the answers to its date, and set right by the GM."""
from __future__ import annotations

import uuid
from collections.abc import Iterable

from campaigns import trail
from campaigns.models import Campaign, Entry, Member, Role
from play.models import Attendance, Session

trail.declare("session.attendance", "Attendance", trail.Filter("scenes", "Sessions and scenes"))


@trail.answers_once
def set_attendance(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, session_id: uuid.UUID, there: Iterable[uuid.UUID]
) -> Entry:
    """Says who was there: these and nobody else."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="session.attendance") as entry:
        session = entry.locked(Session, pk=session_id)
        note(entry, session, there)
        entry.title = f"{session}: who was there"
    return entry.written


def note(entry: trail.Draft, session: Session, there: Iterable[uuid.UUID]) -> None:
    """Those who were there are these members of the campaign, and nobody else."""
    wanted = set(Member.objects.filter(campaign=entry.campaign, pk__in=list(there)).values_list("pk", flat=True))
    known = list(Attendance.objects.filter(session=session))
    entry.trust(*known)
    entry.remove(*(attendance for attendance in known if attendance.member_id not in wanted))
    new = wanted - {attendance.member_id for attendance in known}
    entry.create_all(
        Attendance(campaign=entry.campaign, session=session, member_id=pk) for pk in sorted(new, key=str))
