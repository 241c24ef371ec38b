"""Dice of entries of any kind; what rolls from the tray do with secrets is in `test_commitments.py`."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Commitment, Entry
from campaigns.trail import dice
from campaigns.trail.visible import payload_of
from rules.dice import Throw

pytestmark = pytest.mark.django_db
SHARE = "5a" * 32


def thrown(campaign: Any, actor: Any, *runs: list[int], share: str = SHARE, audience: str = trail.ALL) -> Entry:
    """An entry with these dice."""
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


def unused(campaign: Any) -> int:
    return Commitment.objects.filter(campaign=campaign, used_by=None).count()


def test_dice_asked_for_in_several_runs_come_from_one_secret(campaign: Any, alices: Any) -> None:
    entry = thrown(campaign, alices, [6, 6], [20], [6])
    said = told(entry)
    assert said["sides"] == [6, 6, 20, 6]
    assert unused(campaign) == dice.BATCH - 1
    whole = Throw(secret=bytes.fromhex(said["secret"]), campaign=str(campaign.pk), op_id=str(entry.op_id),
                  share=bytes.fromhex(SHARE))
    assert whole.roll([6, 6, 20, 6]) == said["faces"]


def test_another_share_gives_other_faces(campaign: Any, alices: Any) -> None:
    entry = thrown(campaign, alices, [256] * 8)
    said = told(entry)
    other = Throw(secret=bytes.fromhex(said["secret"]), campaign=str(campaign.pk), op_id=str(entry.op_id),
                  share=bytes.fromhex("5b" * 32))
    assert other.roll([256] * 8) != said["faces"]


def test_an_entry_without_dice_uses_none(campaign: Any, alices: Any) -> None:
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test.note", title="A note"):
        pass
    assert unused(campaign) == dice.BATCH


def test_what_is_refused_after_the_throw_keeps_its_secret(campaign: Any, alices: Any) -> None:
    """Nobody has seen its faces: the secret is for the next roll, whose own id and share give other ones."""
    with pytest.raises(Refused), trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test.roll", title="A roll"
    ) as entry:
        entry.roll([6, 6], SHARE)
        raise Refused("It is not your turn.")
    assert unused(campaign) == dice.BATCH
    assert told(thrown(campaign, alices))["commitment"] == Commitment.objects.get(campaign=campaign, place=0).digest


def test_new_secrets_are_told_of_by_the_house_to_all(campaign: Any, alices: Any) -> None:
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


@pytest.mark.parametrize("share", ["5a" * 31 + "5", "лл" * 32])
def test_a_share_that_is_none_is_refused(campaign: Any, alices: Any, share: str) -> None:
    with pytest.raises(Refused, match="not readable"):
        thrown(campaign, alices, share=share)
    assert unused(campaign) == dice.BATCH


def test_whoever_may_not_read_a_roll_sees_no_secret_of_it(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    entry = thrown(campaign, alices, audience=trail.GM)
    page = as_bob.get(f"/c/{campaign.slug}/chronicle/{entry.seq}/").content.decode()
    row = Commitment.objects.get(used_by=entry)
    assert row.secret not in page
    assert row.digest in entry.envelope, "The order of secrets can be checked behind a seal too."
