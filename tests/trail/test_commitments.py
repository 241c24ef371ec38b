"""Secrets of the dice: published before, used in order, each for one roll, and never run out."""
from __future__ import annotations

import hmac
import json
import uuid
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from campaigns.errors import Refused
from campaigns.models import Commitment, Entry, Role
from campaigns.services import members
from campaigns.trail.dice import BATCH, LOW
from campaigns.trail.verifying import whole
from characters.models import Character
from rules.dice import Throw, commitment
from rules.values import BadMove
from tests.conftest import join
from tests.play.conftest import body
from tests.play.rolled import rolled as made

pytestmark = pytest.mark.django_db

SEED = "5a" * 32


def rolled(campaign: Any, actor: Any, who: Character, client_seed: str = SEED, **values: Any) -> Entry:
    return made(campaign, actor, who, client_seed=client_seed, **{"difficulty": 9, **values})


def payload(entry: Entry) -> dict[str, Any]:
    return json.loads(entry.payload.text)


def free(member: Any) -> int:
    return Commitment.objects.filter(owner=member, used_by=None).count()


def lists(campaign: Any) -> list[dict[str, Any]]:
    """What was committed to, in order."""
    return [payload(entry) for entry in Entry.objects.filter(campaign=campaign, kind="dice.commit").order_by("seq")]


def test_whoever_may_roll_has_a_list_of_their_own_from_the_beginning(campaign: Any, alices: Any, bobs: Any) -> None:
    for member, said in zip((alices, bobs), lists(campaign), strict=True):
        mine = Commitment.objects.filter(owner=member).order_by("number")
        assert said["of"] == str(member.pk) and said["first"] == 1
        assert said["commitments"] == list(mine.values_list("digest", flat=True))
        assert list(mine.values_list("number", flat=True)) == list(range(1, BATCH + 1))
        text = Entry.objects.get(commitment=None, kind="dice.commit", pk=mine[0].published_id).payload.text
        assert not [commitment for commitment in mine if commitment.secret in text]


def test_an_observer_has_none_until_they_play(campaign: Any, alices: Any, charlie: Any) -> None:
    charlies = join(campaign, charlie, "observer")
    assert free(charlies) == 0
    members.change_role(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), member_id=charlies.pk, role=Role.PLAYER)
    assert free(charlies) == BATCH
    assert lists(campaign)[-1]["of"] == str(charlies.pk)


def test_they_are_used_in_order_each_once(campaign: Any, bobs: Any, ilse: Character) -> None:
    entries = [rolled(campaign, bobs, ilse) for _ in range(5)]
    used = Commitment.objects.exclude(used_by=None).order_by("number")
    assert [(secret.owner_id, secret.number) for secret in used] == [(bobs.pk, number) for number in range(1, 6)]
    assert [commitment.used_by_id for commitment in used] == [entry.pk for entry in entries]
    assert [json.loads(entry.envelope)["dice"] for entry in entries] == [commitment.digest for commitment in used]
    assert [payload(entry)["dice"]["number"] for entry in entries] == [1, 2, 3, 4, 5]
    assert len({payload(entry)["dice"]["secret"] for entry in entries}) == 5


def test_nobody_elses_roll_uses_one_up(campaign: Any, alices: Any, bobs: Any, ilse: Character, whisper: Any) -> None:
    """Neither in the open nor behind the screen: what a member's next faces come from is settled by them alone."""
    waits = list(Commitment.objects.filter(owner=bobs).order_by("number").values_list("digest", flat=True))
    rolled(campaign, alices, ilse)
    rolled(campaign, alices, whisper)
    entry = rolled(campaign, bobs, ilse)
    assert payload(entry)["dice"]["commitment"] == waits[0]
    assert (free(alices), free(bobs)) == (BATCH - 2, BATCH - 1)


def test_a_commitment_can_not_be_used_by_two(campaign: Any, bobs: Any, ilse: Character) -> None:
    entry = rolled(campaign, bobs, ilse)
    second = Commitment.objects.filter(owner=bobs, used_by=None).order_by("number").first()
    second.used_by = entry
    with pytest.raises(IntegrityError), transaction.atomic():
        second.save()


def test_the_faces_follow_from_the_secret_its_number_and_the_browsers_seed(
    campaign: Any, bobs: Any, ilse: Character
) -> None:
    rolled(campaign, bobs, ilse)
    entry = rolled(campaign, bobs, ilse)
    dice = payload(entry)["dice"]
    throw = Throw(
        secret=bytes.fromhex(dice["secret"]), campaign=str(campaign.pk), number=2, client_seed=bytes.fromhex(SEED))
    assert throw.roll(dice["sides"]) == dice["faces"] and len(dice["faces"]) == 2
    assert commitment(bytes.fromhex(dice["secret"])) == dice["commitment"]
    assert (dice["v"], dice["client_seed"]) == (2, SEED)


def test_the_faces_are_those_that_anyone_works_out_by_hand() -> None:
    """Without the project's code: parts with their lengths under HMAC-SHA256, bytes past the last run left out."""
    def thrown(secret: bytes = b"s" * 32, campaign: str = "c", number: int = 7, seed: bytes = b"b" * 32) -> list[int]:
        return Throw(secret=secret, campaign=campaign, number=number, client_seed=seed).roll([20] * 900)

    message = b"".join(
        len(part).to_bytes(2, "big") + part for part in (b"campaign-dice-v2", b"c", b"7", b"b" * 32))
    stream = b"".join(hmac.digest(b"s" * 32, message + block.to_bytes(4, "big"), "sha256") for block in range(40))
    assert thrown() == [byte % 20 + 1 for byte in stream if byte < 240][:900]
    assert 240 in stream[:900]
    others = (thrown(secret=b"t" * 32), thrown(campaign="d"), thrown(number=8), thrown(seed=b"x" * 32))
    assert thrown() not in others


def test_the_operations_id_changes_no_face(campaign: Any, bobs: Any, ilse: Character) -> None:
    """The server knows it before it throws, and could try many."""
    seen = set()
    for _ in range(8):
        with transaction.atomic():
            seen.add(tuple(payload(rolled(campaign, bobs, ilse))["dice"]["faces"]))
            transaction.set_rollback(True)
    assert len(seen) == 1


def test_the_secret_is_told_by_no_entry_before_its_roll(campaign: Any, bobs: Any, ilse: Character) -> None:
    for _ in range(3):
        rolled(campaign, bobs, ilse)
    written = "".join(Entry.objects.values_list("payload__text", flat=True))
    waiting = Commitment.objects.filter(used_by=None).values_list("secret", flat=True)
    assert waiting and not [secret for secret in waiting if secret in written]


def test_topped_up_before_they_run_out(campaign: Any, bobs: Any, ilse: Character) -> None:
    least = BATCH
    for _ in range(2 * BATCH):
        rolled(campaign, bobs, ilse)
        least = min(least, free(bobs))
    assert least >= LOW, f"Only {least} were left at one time."
    mine = [said for said in lists(campaign) if said["of"] == str(bobs.pk)]
    published = [digest for said in mine for digest in said["commitments"]]
    assert [said["first"] for said in mine] == [1 + BATCH * turn for turn in range(len(mine))]
    rows = Commitment.objects.filter(owner=bobs).order_by("number")
    assert published == list(rows.values_list("digest", flat=True))
    for used in rows.exclude(used_by=None).select_related("used_by", "published"):
        assert used.published.seq < used.used_by.seq, "A secret was used before it was committed to."
    progress = whole(campaign)
    assert (progress.fault, progress.rolls, progress.earlier) == ("", 2 * BATCH, 0)


def test_a_refused_roll_uses_none_up(campaign: Any, bobs: Any, ilse: Character) -> None:
    with pytest.raises(BadMove):
        rolled(campaign, bobs, ilse, difficulty=100_000)
    assert free(bobs) == BATCH


def test_a_roll_that_needs_no_dice_uses_none_up(campaign: Any, bobs: Any, ilse: Character) -> None:
    entry = made(campaign, bobs, ilse, [ilse.traits.get(name="Maps")], client_seed=SEED, difficulty="good", simple=True)
    assert payload(entry)["dice"] is None and json.loads(entry.envelope)["dice"] is None
    assert free(bobs) == BATCH


def test_an_unwitnessed_roll_is_marked_on_its_page(as_bob: Client, campaign: Any, bobs: Any, ilse: Character) -> None:
    for client_seed, unwitnessed in (("", True), (SEED, False)):
        entry = rolled(campaign, bobs, ilse, client_seed)
        html = as_bob.get(f"/c/{campaign.slug}/ledger/{entry.seq}/").content.decode()
        assert ("the roll is unwitnessed" in html) is unwitnessed
        assert (SEED in html) is not unwitnessed
        assert payload(entry)["dice"]["secret"] in html


@pytest.mark.parametrize("client_seed", ["5a", "5a" * 31, "5a" * 33, "zz" * 32, "5A" * 32 + "\n", "5a" * 32 + "0"])
def test_a_seed_of_a_wrong_length_is_refused(
    as_bob: Client, campaign: Any, bobs: Any, ilse: Character, client_seed: str
) -> None:
    before = Entry.objects.count()
    sent = body(character=str(ilse.pk), difficulty="number", difficulty_number=9, client_seed=client_seed)
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", sent)
    assert answer.status_code == 422
    assert (Entry.objects.count(), free(bobs)) == (before, BATCH)


@pytest.mark.parametrize("client_seed", ["5a", "5a" * 31, "5a" * 33, "zz" * 32])
def test_the_service_refuses_it_too(campaign: Any, bobs: Any, ilse: Character, client_seed: str) -> None:
    with pytest.raises(Refused, match="seed for the dice"):
        rolled(campaign, bobs, ilse, client_seed)
    assert free(bobs) == BATCH
