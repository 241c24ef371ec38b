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
SEED = "5a" * 32


def thrown(campaign: Any, actor: Any, *runs: list[int], client_seed: str = SEED, audience: str = trail.ALL) -> Entry:
    """An entry with these dice."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test.roll", title="A roll", audience=audience
    ) as entry:
        for sides in runs or ([6, 6],):
            entry.roll(sides, client_seed)
    return entry.written


def dice_of(entry: Entry) -> dict[str, Any]:
    """What an entry says of its dice."""
    payload = payload_of(entry)
    assert payload is not None
    return payload["dice"]


def unused(member: Any) -> int:
    return Commitment.objects.filter(owner=member, used_by=None).count()


def test_dice_asked_for_in_several_runs_come_from_one_secret(campaign: Any, alices: Any) -> None:
    entry = thrown(campaign, alices, [6, 6], [20], [6])
    said = dice_of(entry)
    assert said["sides"] == [6, 6, 20, 6]
    assert unused(alices) == dice.BATCH - 1
    whole = Throw(secret=bytes.fromhex(said["secret"]), campaign=str(campaign.pk), number=1,
                  client_seed=bytes.fromhex(SEED))
    assert whole.roll([6, 6, 20, 6]) == said["faces"]


def test_another_seed_gives_other_faces(campaign: Any, alices: Any) -> None:
    entry = thrown(campaign, alices, [256] * 8)
    said = dice_of(entry)
    other = Throw(secret=bytes.fromhex(said["secret"]), campaign=str(campaign.pk), number=1,
                  client_seed=bytes.fromhex("5b" * 32))
    assert other.roll([256] * 8) != said["faces"]


def test_an_entry_without_dice_uses_none(campaign: Any, alices: Any) -> None:
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test.note", title="A note"):
        pass
    assert unused(alices) == dice.BATCH


def test_new_secrets_are_told_of_by_the_house_to_all(campaign: Any, alices: Any) -> None:
    """Also after a roll behind the screen: whoever may not read that still has to know what is committed to."""
    for _ in range(dice.BATCH - dice.LOW + 1):
        thrown(campaign, alices, audience=trail.GM)
    entry = Entry.objects.filter(campaign=campaign, kind="dice.commit").latest("seq")
    assert entry.seq == campaign.entries.latest("seq").seq
    assert (entry.actor, entry.audience) == (None, "all")


@pytest.mark.parametrize("client_seed", ["5a" * 31 + "5", "лл" * 32])
def test_a_seed_that_is_none_is_refused(campaign: Any, alices: Any, client_seed: str) -> None:
    with pytest.raises(Refused, match="not readable"):
        thrown(campaign, alices, client_seed=client_seed)
    assert unused(alices) == dice.BATCH


def test_whoever_may_not_read_a_roll_sees_no_secret_of_it(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    entry = thrown(campaign, alices, audience=trail.GM)
    page = as_bob.get(f"/c/{campaign.slug}/ledger/{entry.seq}/").content.decode()
    row = Commitment.objects.get(used_by=entry)
    assert row.secret not in page
    assert row.digest in entry.envelope, "The order of secrets can be checked behind a seal too."
