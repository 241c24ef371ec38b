"""Secrets that are committed to before a roll: in order, one use each, always some left; and the browser's share."""
from __future__ import annotations

import hashlib
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Commitment, Entry
from campaigns.trail import dice
from campaigns.trail.visible import payload_of
from rules.dice import Throw
from tests.play.conftest import deed

pytestmark = pytest.mark.django_db
SHARE = "5a" * 32


def thrown(campaign: Any, actor: Any, *runs: list[int], share: str = SHARE, audience: str = trail.ALL) -> Entry:
    """An entry with these dice, and what it says as `payload`."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test.roll", title="A roll", audience=audience
    ) as entry:
        for sides in runs or ([6, 6],):
            entry.roll(sides, share)
    return entry.written


def told(entry: Entry) -> dict[str, Any]:
    """What an entry says of its dice."""
    payload = payload_of(entry)
    assert payload is not None
    return payload["dice"]


def published(campaign: Any) -> list[str]:
    """The digests that the trail has told of, in order."""
    entries = Entry.objects.filter(campaign=campaign, kind="dice.commit").select_related("payload").order_by("seq")
    return [digest for entry in entries for digest in (payload_of(entry) or {})["commitments"]]


def unused(campaign: Any) -> int:
    return Commitment.objects.filter(campaign=campaign, used_by=None).count()


def test_a_campaign_begins_with_a_batch(campaign: Any) -> None:
    assert len(published(campaign)) == len(set(published(campaign))) == dice.BATCH == unused(campaign)
    for row in Commitment.objects.filter(campaign=campaign):
        assert hashlib.sha256(bytes.fromhex(row.secret)).hexdigest() == row.digest


def test_no_secret_is_in_the_trail_before_its_roll(campaign: Any, alices: Any) -> None:
    said = "".join(Entry.objects.filter(campaign=campaign).values_list("payload__text", flat=True))
    secrets = list(Commitment.objects.filter(campaign=campaign).values_list("secret", flat=True))
    assert not [secret for secret in secrets if secret in said]


def test_they_are_used_in_order_one_for_each_roll(campaign: Any, alices: Any) -> None:
    used = [told(thrown(campaign, alices))["commitment"] for _ in range(5)]
    assert used == published(campaign)[:5]
    rows = Commitment.objects.filter(campaign=campaign).exclude(used_by=None).order_by("place")
    assert [row.digest for row in rows] == used
    assert [row.used_by.seq for row in rows] == sorted(row.used_by.seq for row in rows)


def test_dice_asked_for_in_several_runs_come_from_one_secret(campaign: Any, alices: Any) -> None:
    entry = thrown(campaign, alices, [6, 6], [20], [6])
    said = told(entry)
    assert said["sides"] == [6, 6, 20, 6]
    assert len(said["faces"]) == 4
    assert unused(campaign) == dice.BATCH - 1
    whole = Throw(secret=bytes.fromhex(said["secret"]), campaign=str(campaign.pk), op_id=str(entry.op_id),
                  share=bytes.fromhex(SHARE))
    assert whole.roll([6, 6, 20, 6]) == said["faces"]


def test_an_entry_without_dice_uses_none(campaign: Any, alices: Any) -> None:
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test.note", title="A note"):
        pass
    assert unused(campaign) == dice.BATCH


def test_a_roll_that_is_refused_keeps_its_secret(campaign: Any, alices: Any) -> None:
    """Nobody has seen its faces: the secret is for the next roll, whose own id and share give other ones."""
    with pytest.raises(Refused), trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test.roll", title="A roll"
    ) as entry:
        entry.roll([6, 6], SHARE)
        raise Refused("It is not your turn.")
    assert unused(campaign) == dice.BATCH
    assert told(thrown(campaign, alices))["commitment"] == published(campaign)[0]


def test_a_secret_serves_no_second_roll(campaign: Any, alices: Any) -> None:
    first, second = thrown(campaign, alices), thrown(campaign, alices)
    with pytest.raises(IntegrityError), transaction.atomic():
        Commitment.objects.filter(used_by=second).update(used_by=first)


def test_there_are_always_some_left(campaign: Any, alices: Any) -> None:
    for rolled in range(1, dice.BATCH + dice.LOW + 2):
        before = published(campaign)
        entry = thrown(campaign, alices)
        assert told(entry)["commitment"] == before[rolled - 1], "Each was published before it was used."
        assert unused(campaign) >= dice.LOW
    assert len(published(campaign)) == 2 * dice.BATCH
    assert sorted(Commitment.objects.filter(campaign=campaign).values_list("place", flat=True)) == list(
        range(2 * dice.BATCH)
    )


def test_new_ones_are_told_of_by_the_house_to_all(campaign: Any, alices: Any) -> None:
    """Also after a roll behind the screen: whoever may not read that still has to know what is committed to."""
    for _ in range(dice.BATCH - dice.LOW + 1):
        thrown(campaign, alices, audience=trail.GM)
    entry = Entry.objects.filter(campaign=campaign, kind="dice.commit").latest("seq")
    assert entry.seq == campaign.entries.latest("seq").seq
    assert (entry.actor, entry.audience) == (None, "all")


def test_a_campaign_without_any_rolls_none(campaign: Any, alices: Any) -> None:
    Commitment.objects.filter(campaign=campaign).delete()
    before = Entry.objects.count()
    with pytest.raises(Refused, match="no dice committed"):
        thrown(campaign, alices)
    assert Entry.objects.count() == before


def test_the_share_decides_too(campaign: Any, alices: Any) -> None:
    said = told(thrown(campaign, alices, [256] * 8))
    assert said["share"] == SHARE
    entry = Entry.objects.get(commitment__digest=said["commitment"])
    with_another = Throw(secret=bytes.fromhex(said["secret"]), campaign=str(campaign.pk), op_id=str(entry.op_id),
                         share=bytes.fromhex("5b" * 32))
    assert with_another.roll([256] * 8) != said["faces"]


@pytest.mark.parametrize("share", ["5a", "5a" * 31, "5a" * 33, "5a" * 1000])
def test_a_share_of_another_length_is_refused(campaign: Any, alices: Any, share: str) -> None:
    before = Entry.objects.count()
    with pytest.raises(Refused, match="wrong length"):
        thrown(campaign, alices, share=share)
    assert (Entry.objects.count(), unused(campaign)) == (before, dice.BATCH)


@pytest.mark.parametrize("share", ["zz" * 32, "5a" * 31 + "5", "лл" * 32])
def test_a_share_that_is_none_is_refused(campaign: Any, alices: Any, share: str) -> None:
    with pytest.raises(Refused, match="not readable"):
        thrown(campaign, alices, share=share)
    assert unused(campaign) == dice.BATCH


@pytest.mark.parametrize("share", ["5a", "5A" * 32, "5a" * 33, "zz" * 32])
def test_the_tray_refuses_them_too(as_bob: Client, campaign: Any, ilse: Any, share: str) -> None:
    before = Entry.objects.count()
    sent = deed(character=str(ilse.pk), difficulty="good", share=share)
    assert as_bob.post(f"/c/{campaign.slug}/roll/", sent).status_code == 422
    assert Entry.objects.count() == before


@pytest.mark.parametrize(("share", "marked"), [(SHARE, False), ("", True)])
def test_a_roll_without_a_share_is_marked(
    as_bob: Client, campaign: Any, ilse: Any, share: str, marked: bool
) -> None:
    as_bob.post(f"/c/{campaign.slug}/roll/", deed(character=str(ilse.pk), difficulty="good", share=share))
    entry = Entry.objects.filter(campaign=campaign, kind="pdq.test").get()
    assert told(entry)["share"] == share
    page = as_bob.get(f"/c/{campaign.slug}/chronicle/{entry.seq}/").content.decode()
    assert ("unwitnessed" in page) is marked
    assert (SHARE in page) is not marked


def test_whoever_may_not_read_a_roll_sees_which_secret_it_used_and_no_more(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    entry = thrown(campaign, alices, audience=trail.GM)
    page = as_bob.get(f"/c/{campaign.slug}/chronicle/{entry.seq}/").content.decode()
    row = Commitment.objects.get(used_by=entry)
    assert row.secret not in page
    assert row.digest in entry.envelope, "The order of secrets can be checked behind a seal too."
