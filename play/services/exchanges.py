"""One undo for a whole exchange: from the act that began it to the last that came of it."""
from __future__ import annotations

import uuid
from typing import Any

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member
from campaigns.services.undoing import last_standing, standing, undo_back
from campaigns.trail.visible import payload_of
from play.models import Contest
from play.services.position import procedure_of
from rules.engine import Procedure

MOST = 60  # entries of one exchange


def undo_exchange(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, contest_id: uuid.UUID, last: int
) -> Entry:
    """Takes back the last exchange of a contest, all of it or nothing; of a roll, the whole roll. Only a GM may.

    `last` is the newest entry that whoever presses has seen of it; refused where more has happened since.
    """
    if done := Entry.objects.filter(campaign=campaign, op_id=op_id).first():
        return done
    def first() -> int:
        contest = Contest.objects.filter(campaign=campaign, pk=contest_id).first()
        entries = standing(campaign, contest_id, "events", "over")[:MOST] if contest else []
        if not contest or not entries:
            raise Refused("There is nothing left to undo in it.")
        rows = _entries(campaign, entries)
        if not _is_of(contest_id, rows[0]):  # as a death, which a sheet's entry brought into it
            raise Refused(f"Entry {rows[0].seq} depends on this one. Undo that one first.")
        return began(procedure_of(campaign, contest.kind), rows)

    return undo_back(campaign=campaign, actor=actor, op_id=op_id, seq=first, seen=last)


def undo_last(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, contest_id: uuid.UUID, last: int) -> Entry:
    """Takes back the last entry of a contest, `last` as whoever presses has seen it. Only a GM may."""
    if done := Entry.objects.filter(campaign=campaign, op_id=op_id).first():
        return done
    def newest() -> int:
        if last_standing(campaign, [contest_id], "events", "over").get(contest_id) != last:
            raise Refused("More has happened since. Look at it again.")
        return last

    return undo_back(campaign=campaign, actor=actor, op_id=op_id, seq=newest)


def _entries(campaign: Campaign, seqs: list[int]) -> list[Entry]:
    rows = Entry.objects.filter(campaign=campaign, seq__in=seqs).select_related("payload")
    return sorted(rows, key=lambda entry: -entry.seq)


def began(procedure: Procedure[Any], entries: list[Entry]) -> int:
    """The number of the entry with which the last exchange began. `entries` are what stands, the newest first.

    Where the rules name no such acts, a roll is one exchange; of what goes on with everyone each entry is its own. What
    was chosen in secret just before belongs to it.
    """
    if procedure.casting.who == "everyone":
        return entries[0].seq
    for place, entry in enumerate(entries):
        if _action(entry) in procedure.exchanges:
            before = entries[place + 1:]
            secret = next((n for n, row in enumerate(before) if row.audience == trail.ALL), len(before))
            return before[secret - 1].seq if secret else entry.seq
    return entries[-1].seq


def _move(entry: Entry) -> dict[str, Any]:
    move = (payload_of(entry) or {}).get("move")
    return move if isinstance(move, dict) else {}


def _is_of(contest_id: uuid.UUID, entry: Entry) -> bool:
    """Whether an entry is an act of this contest."""
    return bool(_move(entry).get("contest") == str(contest_id))


def _action(entry: Entry) -> str:
    return str(_move(entry).get("action", ""))
