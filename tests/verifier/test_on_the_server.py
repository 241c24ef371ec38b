"""The same check where the trail lies, in steps."""
from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from campaigns.models import Campaign, Entry, Erasure, Payload
from campaigns.trail import triggers
from campaigns.trail.verifying import Progress, check
from rules.moves import Outcome
from tests.verifier.conftest import GIVEN, SEED, renamed


def through(campaign: Any, most: int = 500) -> Progress:
    """Checks to the end, with progress kept as JSON in between."""
    progress = Progress()
    while not progress.over:
        progress = Progress.of(json.loads(json.dumps(check(campaign, progress, most).plain())))
    return progress


@pytest.mark.parametrize("most", [1, 2, 500])
def test_a_whole_trail_is_sound(secret: Any, most: int) -> None:
    progress = through(secret, most)
    assert (progress.fault, progress.seq, progress.hash) == ("", secret.head_seq, secret.head_hash)
    assert (progress.rolls, progress.unwitnessed, progress.outcomes, progress.erased) == (5, 1, 5, 0)


def test_entries_written_meanwhile_are_left_for_the_next_check(secret: Any, alices: Any) -> None:
    first = check(secret, Progress(), 2)
    renamed(secret, alices, "Later")
    progress = check(secret, first)
    assert (progress.over, progress.fault, progress.seq) == (True, "", secret.head_seq)


def test_a_step_takes_a_fixed_number_of_queries(secret: Any) -> None:
    def queries(most: int) -> int:
        progress = check(secret, Progress(), 2)
        with CaptureQueriesContext(connection) as seen:
            check(secret, progress, most)
        return len(seen)

    assert queries(3) == queries(8) <= 8


def test_an_erased_payload_leaves_the_chain_whole(secret: Any, alices: Any) -> None:
    entry = secret.entries.get(kind="character.rename", audience="all")
    with trail.entry(
        campaign=secret, actor=alices, op_id=uuid.uuid4(), kind="entry.erase", title=f"Entry {entry.seq} erased"
    ) as by:
        by.extra["erases"] = entry.seq
    Erasure.objects.create(entry=entry, campaign=secret, by=by.written)
    Payload.objects.filter(entry=entry).delete()
    progress = through(secret)
    assert (progress.fault, progress.erased) == ("", 1)


def _in_payload(entry: Entry, old: str, new: str) -> None:
    Payload.objects.filter(entry=entry).update(text=entry.payload.text.replace(old, new))


@pytest.mark.parametrize(("touch", "said"), [
    (lambda entry: Entry.objects.filter(pk=entry.pk).update(hash="0" * 64), "the hash"),
    (lambda entry: Entry.objects.filter(pk=entry.pk).update(prev="0" * 64), "does not follow"),
    (lambda entry: Entry.objects.filter(pk=entry.pk).update(actor=None), "its row or its payload"),
    (lambda entry: Entry.objects.filter(pk=entry.pk).update(kind="other"), "another kind"),
    (lambda entry: _in_payload(entry, '"client_seed":"5', '"client_seed":"6'), "its row or its payload"),
    (lambda entry: Payload.objects.filter(entry=entry).delete(), "its payload is gone"),
])
def test_what_somebody_did_to_the_tables_is_found(
    played: Any, touch: Callable[[Entry], None], said: str
) -> None:
    entry = played.entries.filter(kind="pdq.test").order_by("seq").first()
    triggers.uninstall(connection)
    touch(entry)
    triggers.install(connection)
    fault = through(played).fault
    assert fault.startswith(f"Entry {entry.seq}: ")
    assert said in fault


def test_a_missing_entry_is_found(played: Any) -> None:
    last = played.entries.order_by("-seq").first()
    triggers.uninstall(connection)
    last.index.all().delete()
    last.payload.delete()
    last.delete()
    triggers.install(connection)
    assert through(played).fault == f"Entry {played.head_seq}: it is missing."


def test_an_outcome_of_another_edition_is_not_held_against_these_rules(played: Any, bobs: Any) -> None:
    """Rules that are no longer here can't be asked; the dice are checked all the same."""
    before = through(played)
    Campaign.objects.filter(pk=played.pk).update(edition="pdq 0.9")
    played.refresh_from_db()
    with trail.entry(campaign=played, actor=bobs, op_id=uuid.uuid4(), kind="pdq.test", title="Otherwise") as entry:
        entry.roll([6, 6], SEED)
        entry.move({"given": GIVEN}, Outcome({"success": "as it was then"}, ()))
    played.refresh_from_db()
    progress = through(played)
    assert (progress.fault, progress.outcomes, progress.rolls) == ("", before.outcomes, before.rolls + 1)
