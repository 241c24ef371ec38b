"""Somebody who could write everything wrote an entry anew, and all that hangs on it: every hash after it, the head, and
the index. The chain holds then; what the entry says is still held against those before it, the dice and the rules.
"""
from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection

from campaigns.models import Campaign, Change, Entry, Payload
from campaigns.trail import chain, pins, triggers
from campaigns.trail.beside import marks_of
from campaigns.trail.dice import TYPED
from campaigns.trail.retiring import RETIRE
from campaigns.trail.verifying import whole
from rules.codec import canonical
from tests.verifier.conftest import played, secret

pytestmark = pytest.mark.django_db
__all__ = ["played", "secret"]
ROLL, RENAME, LIST = "pdq.test", "character.rename", "dice.commit"
SECRET = "ab" * 32
Said = dict[str, Any]


@dataclass(frozen=True)
class Forgery:
    """What is written into the last open entry of a kind: into its payload, and into its envelope beside that."""

    kind: str
    payload: Callable[[Said], Any]
    said: str
    envelope: Said = field(default_factory=dict)


def otherwise(*path: str | int, to: Any) -> Callable[[Said], None]:
    """Puts something else where this path leads."""
    def write(payload: Said) -> None:
        part: Any = payload
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = to(part[path[-1]]) if callable(to) else to
    return write


def with_typed_dice(payload: Said) -> None:
    payload["dice"] = {"v": TYPED, "sides": [6, 6], "faces": [6, 7]}


def as_of_a_contest(payload: Said) -> None:
    payload["move"] = {"contest": "a contest"}
    payload["outcome"]["rolls"] = [{"move": ROLL, "given": {}, "dice": [7, 7, 7], "result": {}}]


def as_giving_up(payload: Said) -> None:
    payload["kind"], payload["retires"] = RETIRE, [{"of": "", "first": 1, "commitments": [SECRET]}]


def nothing(payload: Said) -> None:
    """Leaves the payload as it is."""


FORGERIES = {
    "the payload is for others than the row": Forgery(
        ROLL, otherwise("audience", to="gm"), "others may read it than its payload does"),
    "an envelope of the first version comes late": Forgery(
        ROLL, nothing, "as an earlier version did", {"v": 1, "audience": None}),
    "a payload of a version to come": Forgery(ROLL, otherwise("v", to=99), "a version that is not known"),
    "typed dice that no die shows": Forgery(ROLL, with_typed_dice, "its typed dice can’t have fallen", {"dice": None}),
    "typed dice for which a secret was used": Forgery(ROLL, otherwise(
        "dice", to={"v": TYPED, "sides": [6], "faces": [6]}), "its typed dice can’t have fallen"),
    "the dice are gone, and their secret is used": Forgery(
        ROLL, otherwise("dice", to=None), "disagree on whether dice were rolled"),
    "a secret that nobody committed to": Forgery(
        ROLL, nothing, "do not come from the next secret", {"dice": hashlib.sha256(b"mine").hexdigest()}),
    "another secret behind the dice": Forgery(
        ROLL, otherwise("dice", "secret", to=SECRET), "the secret of its dice is not the one"),
    "the dice of another number": Forgery(
        ROLL, otherwise("dice", "number", to=lambda number: number + 1), "another secret than the next one"),
    "a better throw": Forgery(
        ROLL, otherwise("dice", "faces", 0, to=lambda face: face % 6 + 1), "the faces of its dice"),
    "a list that leaves a number out": Forgery(
        LIST, otherwise("first", to=lambda first: first + 1), "do not follow those that their owner has"),
    "a list that retires what is not left": Forgery(
        LIST, otherwise("retired", to=[SECRET]), "does not retire the secrets that are left"),
    "a list of an earlier version among those of a later": Forgery(
        LIST, lambda payload: payload.pop(pins.MARK), "another version’s than those before"),
    "secrets are given up that nobody has": Forgery(
        ROLL, as_giving_up, "retires other secrets than those that are left"),
    "a move that the rules don't know": Forgery(
        ROLL, otherwise("move", "given", "difficulty", to="sublime"), "can’t be made by the rules"),
    "another outcome": Forgery(
        ROLL, otherwise("outcome", "result", to=lambda result: {**result, "success": not result["success"]}),
        "its outcome does not follow"),
    "dice of a contest that fell nowhere": Forgery(ROLL, as_of_a_contest, "dice that did not fall in its contest"),
    "somebody is made a second time": Forgery(
        RENAME, otherwise("changes", 0, "was", to=None), "makes a character that is already there"),
    "a change of what never was so": Forgery(
        RENAME, otherwise("changes", 0, "was", "name", to="Nobody"), "sets out from another character"),
}


def remade(campaign: Campaign, forgery: Forgery) -> Entry:
    """Writes the entry anew, and the chain from there on; answers the entry."""
    entries = campaign.entries.select_related("payload").order_by("seq")
    forged = entries.filter(kind=forgery.kind, audience="all").latest("seq")
    prev = forged.prev
    for entry in entries.filter(seq__gte=forged.seq):
        envelope: Said = chain.read_envelope(entry.envelope)
        if entry == forged:
            payload = json.loads(entry.payload.text)
            forgery.payload(payload)
            write(entry, payload)
            envelope |= forgery.envelope
        envelope |= {"prev": prev, "payload_commit": chain.payload_commit(entry.payload.salt, entry.payload.text)}
        if envelope["audience"] is None:
            del envelope["audience"]
        text, before, prev = canonical(envelope), prev, chain.envelope_hash(canonical(envelope))
        Entry.objects.filter(pk=entry.pk).update(prev=before, envelope=text, hash=prev)
    Campaign.objects.filter(pk=campaign.pk).update(head_hash=prev)
    campaign.refresh_from_db()
    return forged


def write(entry: Entry, payload: Said) -> None:
    """The payload, its row's kind, and the index of what it changed."""
    entry.payload.text = canonical(payload)
    Payload.objects.filter(entry=entry).update(text=entry.payload.text)
    Entry.objects.filter(pk=entry.pk).update(kind=payload["kind"])
    Change.objects.filter(entry=entry).delete()
    Change.objects.bulk_create(
        Change(campaign_id=entry.campaign_id, entry=entry, seq=entry.seq, object_id=object_id, field=name)
        for object_id, name in marks_of(payload))


@pytest.mark.parametrize("name", FORGERIES)
def test_a_chain_that_was_made_anew_still_has_to_say_what_can_be(name: str, secret: Any) -> None:
    triggers.uninstall(connection)
    forged = remade(secret, FORGERIES[name])
    triggers.install(connection)
    fault = whole(secret).fault
    assert fault.startswith(f"Entry {forged.seq}: ") and FORGERIES[name].said in fault, fault


def test_a_chain_that_was_made_anew_as_it_was_is_sound(secret: Any) -> None:
    """What the forgeries do beside what they forge is no fault in itself."""
    triggers.uninstall(connection)
    remade(secret, Forgery(ROLL, nothing, ""))
    triggers.install(connection)
    assert whole(secret).fault == ""
