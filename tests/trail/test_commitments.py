"""Secrets of the dice: published before, used in order, each for one roll, and never run out."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from campaigns.errors import Refused
from campaigns.models import Commitment, Entry
from campaigns.trail.dice import BATCH, LOW
from campaigns.trail.verifying import Progress, check
from characters.models import Character
from play.services import rolling
from rules.dice import Throw, commitment
from rules.values import BadMove
from tests.play.conftest import deed

pytestmark = pytest.mark.django_db

SHARE = "5a" * 32


def rolled(campaign: Any, actor: Any, who: Character, share: str = SHARE, **values: Any) -> Entry:
    intent = rolling.Intent("pdq.test", who.pk, values={"difficulty": 9, "harm": False, "simple": False, **values})
    return rolling.roll(campaign=campaign, actor=actor, op_id=uuid.uuid4(), share=share, intent=intent)


def told(entry: Entry) -> dict[str, Any]:
    return json.loads(entry.payload.text)


def free(campaign: Any) -> int:
    return Commitment.objects.filter(campaign=campaign, used_by=None).count()


def test_a_campaign_begins_with_secrets_committed_to(campaign: Any) -> None:
    assert free(campaign) == BATCH
    first = Entry.objects.get(campaign=campaign, kind="dice.commit")
    published = list(Commitment.objects.order_by("place").values_list("digest", flat=True))
    assert told(first)["commitments"] == published
    assert not [each for each in Commitment.objects.all() if each.secret in first.payload.text]


def test_they_are_used_in_order_each_once(campaign: Any, bobs: Any, ilse: Character) -> None:
    entries = [rolled(campaign, bobs, ilse) for _ in range(5)]
    used = Commitment.objects.exclude(used_by=None).order_by("place")
    assert [each.place for each in used] == list(range(5))
    assert [each.used_by_id for each in used] == [entry.pk for entry in entries]
    assert [json.loads(entry.envelope)["dice"] for entry in entries] == [each.digest for each in used]
    assert len({told(entry)["dice"]["secret"] for entry in entries}) == 5


def test_a_commitment_can_not_be_used_by_two(campaign: Any, bobs: Any, ilse: Character) -> None:
    entry = rolled(campaign, bobs, ilse)
    second = Commitment.objects.filter(used_by=None).order_by("place").first()
    second.used_by = entry
    with pytest.raises(IntegrityError), transaction.atomic():
        second.save()


def test_the_faces_follow_from_the_secret_and_the_browsers_share(campaign: Any, bobs: Any, ilse: Character) -> None:
    entry = rolled(campaign, bobs, ilse)
    dice = told(entry)["dice"]
    throw = Throw(
        secret=bytes.fromhex(dice["secret"]), campaign=str(campaign.pk), op_id=str(entry.op_id),
        share=bytes.fromhex(SHARE),
    )
    assert throw.roll(dice["sides"]) == dice["faces"] and len(dice["faces"]) == 2
    assert commitment(bytes.fromhex(dice["secret"])) == dice["commitment"]
    assert dice["share"] == SHARE


def test_the_secret_is_told_by_no_entry_before_its_roll(campaign: Any, bobs: Any, ilse: Character) -> None:
    for _ in range(3):
        rolled(campaign, bobs, ilse)
    told_so_far = "".join(Entry.objects.values_list("payload__text", flat=True))
    waiting = Commitment.objects.filter(used_by=None).values_list("secret", flat=True)
    assert waiting and not [secret for secret in waiting if secret in told_so_far]


def test_topped_up_before_they_run_out(campaign: Any, bobs: Any, ilse: Character) -> None:
    least = BATCH
    for _ in range(2 * BATCH):
        rolled(campaign, bobs, ilse)
        least = min(least, free(campaign))
    assert least >= LOW, f"Only {least} were left at one time."
    batches = Entry.objects.filter(campaign=campaign, kind="dice.commit").order_by("seq")
    published = [digest for entry in batches for digest in told(entry)["commitments"]]
    assert published == list(Commitment.objects.order_by("place").values_list("digest", flat=True))
    for used in Commitment.objects.exclude(used_by=None).select_related("used_by"):
        batch = batches[used.place // BATCH]
        assert batch.seq < used.used_by.seq, "A secret was used before it was committed to."
    progress = check(campaign, Progress())
    assert (progress.fault, progress.rolls) == ("", 2 * BATCH)


def test_a_refused_roll_uses_none_up(campaign: Any, bobs: Any, ilse: Character) -> None:
    with pytest.raises(BadMove):
        rolled(campaign, bobs, ilse, difficulty=100_000)
    assert free(campaign) == BATCH


def test_a_roll_that_needs_no_dice_uses_none_up(campaign: Any, bobs: Any, ilse: Character) -> None:
    intent = rolling.Intent("pdq.test", ilse.pk, (str(ilse.traits.get(name="Maps").pk),), values={
        "difficulty": "good", "harm": False, "simple": True,
    })
    entry = rolling.roll(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), share=SHARE, intent=intent)
    assert told(entry)["dice"] is None and json.loads(entry.envelope)["dice"] is None
    assert free(campaign) == BATCH


def test_an_unwitnessed_roll_is_marked_on_its_page(as_bob: Client, campaign: Any, bobs: Any, ilse: Character) -> None:
    for share, unwitnessed in (("", True), (SHARE, False)):
        entry = rolled(campaign, bobs, ilse, share)
        html = as_bob.get(f"/c/{campaign.slug}/chronicle/{entry.seq}/").content.decode()
        assert ("the roll is unwitnessed" in html) is unwitnessed
        assert (SHARE in html) is not unwitnessed
        assert told(entry)["dice"]["secret"] in html


@pytest.mark.parametrize("share", ["5a", "5a" * 31, "5a" * 33, "zz" * 32, "5A" * 32 + "\n", "5a" * 32 + "0"])
def test_a_share_of_a_wrong_length_is_refused(as_bob: Client, campaign: Any, ilse: Character, share: str) -> None:
    before = Entry.objects.count()
    sent = deed(character=str(ilse.pk), difficulty="number", difficulty_number=9, share=share)
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", sent)
    assert answer.status_code == 422
    assert (Entry.objects.count(), free(campaign)) == (before, BATCH)


@pytest.mark.parametrize("share", ["5a", "5a" * 31, "5a" * 33, "zz" * 32])
def test_the_service_refuses_it_too(campaign: Any, bobs: Any, ilse: Character, share: str) -> None:
    with pytest.raises(Refused, match="share of the dice"):
        rolled(campaign, bobs, ilse, share)
    assert free(campaign) == BATCH
