"""Sealed entries, and breaking the seal."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Entry, Revelation
from tests import laid
from tests.play.conftest import body

pytestmark = pytest.mark.django_db


@laid.fixture
def secret(campaign: Any, alices: Any, whisper: Any) -> Entry:
    return Entry.objects.get(campaign=campaign, audience="gm")


def test_a_player_sees_the_seal_and_nothing_else(as_bob: Client, bobs: Any, campaign: Any, secret: Entry) -> None:
    page = as_bob.get(f"/c/{campaign.slug}/ledger/{secret.seq}/").content.decode()
    assert "Sealed" in page and "Whisper" not in page
    assert secret.hash in page


def test_the_gm_breaks_it_for_all(as_alice: Client, as_bob: Client, bobs: Any, campaign: Any, secret: Entry) -> None:
    at = f"/c/{campaign.slug}/ledger/{secret.seq}/"
    assert as_alice.post(f"{at}reveal/", body(sure="1")).status_code == 302
    assert "Whisper" in as_bob.get(at).content.decode()
    assert as_alice.post(f"{at}reveal/", body(sure="1")).status_code == 422
    assert Revelation.objects.count() == 1


def test_breaking_it_asks_once(as_alice: Client, as_bob: Client, bobs: Any, campaign: Any, secret: Entry) -> None:
    at = f"/c/{campaign.slug}/ledger/{secret.seq}/"
    asked = as_alice.post(f"{at}reveal/", body())
    assert asked.status_code == 200 and "Nobody can seal it again" in asked.content.decode()
    assert "Whisper" not in as_bob.get(at).content.decode() and not Revelation.objects.exists()
    assert 'name="sure"' in as_alice.get(at).content.decode(), "the page asks beside the button already"


def test_a_player_does_not(as_bob: Client, bobs: Any, as_charlie: Client, campaign: Any, secret: Entry) -> None:
    for client in (as_bob, as_charlie):
        assert client.post(f"/c/{campaign.slug}/ledger/{secret.seq}/reveal/", body(sure="1")).status_code == 404
    assert not Revelation.objects.exists()


def test_an_open_entry_has_no_seal_to_break(as_alice: Client, campaign: Any) -> None:
    answer = as_alice.post(f"/c/{campaign.slug}/ledger/1/reveal/", body(sure="1"))
    assert answer.status_code == 422
    assert "already visible to everyone" in answer.content.decode()


def test_an_entry_for_one_member_is_for_nobody_else(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    private = {"kind": "character.note", "title": "A whisper", "audience": str(bobs.pk)}
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), **private):
        pass
    seq = Entry.objects.latest("seq").seq
    at = f"/c/{campaign.slug}/ledger/{seq}/"
    assert "A whisper" in as_bob.get(at).content.decode()
    assert "A whisper" not in as_alice.get(at).content.decode()


def test_a_silly_number_is_not_found(as_alice: Client, campaign: Any) -> None:
    for number in ("0", "99999999999999999999999", "-1"):
        assert as_alice.get(f"/c/{campaign.slug}/ledger/{number}/").status_code == 404
