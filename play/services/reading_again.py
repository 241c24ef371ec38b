"""Dice that lie, read again: what they came to first is taken back by the entry that says what they come to now."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import QuerySet

from accounts.statements import compiled_once
from campaigns import trail
from campaigns.models import Campaign, Entry
from campaigns.services.undoing import all_standing, depended_on, last_standing, take_back
from campaigns.trail.visible import payload_of
from play.models import Contest

# What of an entry stays when its dice are read again: that they were rolled, with what, against what.
STAYS = ("contest", "contest_event", "line_used", "asked_roll", "boon")


def reading(contest: Contest) -> Entry | None:
    """The entry whose dice may be read again: the last of this contest, with dice or a reading of them, in the scene
    that is on, where nothing depends on what came of it. None where there is none."""
    return readings(contest.campaign, [contest]).get(contest.pk)


def readings(campaign: Campaign, contests: Collection[Contest]) -> dict[uuid.UUID, Entry]:
    """The same of several contests by their ids, those left out that have none; as many queries as for one."""
    here = [contest.pk for contest in contests if contest.scene_id == campaign.scene_id]
    last = last_standing(campaign, here, "events", "over") if here else {}
    rows = _entries(campaign.pk, list(last.values())) if last else []
    fell = {entry.seq: entry for entry in rows if (payload := payload_of(entry)) and _tells_of_dice(payload["outcome"])}
    readings_of = _of_one_throw(campaign, {pk: fell[seq] for pk, seq in last.items() if seq in fell})
    depended = depended_on(campaign, readings_of.values(), STAYS)
    return {pk: entries[-1] for pk, entries in readings_of.items() if entries[-1].pk not in depended}


def _of_one_throw(campaign: Campaign, readings: Mapping[uuid.UUID, Entry]) -> dict[uuid.UUID, list[Entry]]:
    """By contest the dice that lie and each time that they were read again, up to this one; as many queries as for the
    one that was read most often."""
    throws, again = {pk: [entry] for pk, entry in readings.items()}, _read_again(readings)
    before = all_standing(campaign, again, "events", "over") if again else {}
    while again:
        earlier = {pk: next((seq for seq in before[pk] if seq < throws[pk][0].seq), 0) for pk in again}
        rows = {entry.seq: entry for entry in _entries(campaign.pk, [*earlier.values()])}
        read_then = {pk: rows[seq] for pk, seq in earlier.items() if seq in rows}
        for pk, entry in read_then.items():
            throws[pk].insert(0, entry)
        again = _read_again(read_then)
    return throws


def _read_again(entries: Mapping[uuid.UUID, Entry]) -> list[uuid.UUID]:
    """Those whose entry reads dice again that fell before it."""
    told = {pk: payload_of(entry) for pk, entry in entries.items()}
    return [pk for pk, payload in told.items()
            if payload and payload["outcome"] and payload["outcome"]["result"].get("again")]


@compiled_once
def _entries(campaign: uuid.UUID, seqs: list[int]) -> QuerySet[Entry]:
    return Entry.objects.select_related("payload").filter(campaign=campaign, seq__in=seqs)


def _tells_of_dice(outcome: dict[str, Any] | None) -> bool:
    """Whether dice fell by what an entry tells, or were read; or whether a roll came out that took none."""
    return bool(outcome and (outcome["dice"] or outcome["result"].get("again") or outcome["result"].get("reads")
                             or any(not roll["dice"] for roll in outcome.get("rolls", ()))))


def as_before(entry: trail.Draft, contest: Contest, reading: Entry) -> None:
    """What sheets, pools and players had before the dice that were read by then, however often; refused where something
    depends on it by now."""
    take_back(entry, _of_one_throw(contest.campaign, {contest.pk: reading})[contest.pk], STAYS)
