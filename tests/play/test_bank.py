"""The GM's bank: prepared, changed, doubled, shown, used, taken away; sealed from the players until it is shown."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from play.models import Prepared
from play.services import bank
from rules.fields import Choice, Text, Whole
from rules.system import BankKind
from rules.systems.pdq import Pdq
from rules.systems.pdq.scene import DANGER
from tests.play.conftest import deed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def traps(monkeypatch: pytest.MonkeyPatch) -> BankKind:
    """A game in which one prepares traps; the danger is a field of its conflicts too."""
    fields = (
        Whole(name="depth", label="Depth", least=1, most=9), Text(name="teeth", label="Teeth"),
        Choice(name="danger", label="The danger", default="momentary", options=DANGER.options),
    )
    kind = BankKind("trap", "Trap", "Traps", "A trap waits until somebody steps on it.", fields)
    monkeypatch.setattr(Pdq, "bank", (kind,))
    return kind


def prepare(as_alice: Client, campaign: Any, **more: Any) -> Prepared:
    sent = {"name": "The pit", "depth": "3", "danger": "continuing", "text": "Under the leaves.", **more}
    answer = as_alice.post(f"/c/{campaign.slug}/prepare/new/trap/", deed(**sent))
    assert answer.status_code == 302, answer.content.decode()
    return Prepared.objects.latest("pk")


def test_an_empty_bank_teaches(as_alice: Client, campaign: Any) -> None:
    page = as_alice.get(f"/c/{campaign.slug}/prepare/").content.decode()
    assert "A trap waits until somebody steps on it." in page and "Prepare a trap" in page


def test_what_is_prepared_is_sealed(as_alice: Client, as_bob: Client, campaign: Any, bobs: Any) -> None:
    pit = prepare(as_alice, campaign)
    assert bank.spec_of(pit) == {"depth": 3, "danger": "continuing"}
    assert "Depth: 3" in as_alice.get(f"/c/{campaign.slug}/prepare/").content.decode()
    assert Entry.objects.get(kind="bank.write").audience == "gm"
    assert "The pit" not in as_bob.get(reverse("trail", args=[campaign.slug])).content.decode()
    assert as_bob.get(f"/c/{campaign.slug}/prepare/").status_code in (403, 404)
    assert not list(differences(campaign.pk))


def test_a_refusal_keeps_what_was_typed(as_alice: Client, campaign: Any) -> None:
    answer = as_alice.post(f"/c/{campaign.slug}/prepare/new/trap/", deed(name="The pit", depth="12", text="Kept words"))
    assert answer.status_code == 422
    assert "Kept words" in answer.content.decode()
    assert not Prepared.objects.exists()


def test_it_is_changed_doubled_shown_and_taken_away(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any
) -> None:
    pit = prepare(as_alice, campaign)
    at = f"/c/{campaign.slug}/prepare"
    page = as_alice.get(f"{at}/trap/{pit.pk}/").content.decode()
    assert 'value="3"' in page and "Under the leaves." in page
    sent = deed(name="The deep pit", depth="5", danger="momentary", text="Under the leaves.")
    assert as_alice.post(f"{at}/trap/{pit.pk}/", sent).status_code == 302
    assert as_alice.post(f"{at}/{pit.pk}/press/", deed(again="1")).status_code == 302
    assert sorted(Prepared.objects.values_list("name", flat=True)) == ["The deep pit", "The deep pit, again"]
    assert as_alice.post(f"{at}/{pit.pk}/press/", deed(show="1")).status_code == 302
    seen = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert "Trap: The deep pit" in seen and "Under the leaves." in seen
    assert as_alice.post(f"{at}/{pit.pk}/press/", deed(remove="1")).status_code == 302
    assert Prepared.objects.get().name == "The deep pit, again"
    assert as_alice.post(f"{at}/{pit.pk}/press/", deed(remove="1")).status_code == 422
    assert not list(differences(campaign.pk))


def test_nobody_else_presses(as_alice: Client, as_bob: Client, campaign: Any, bobs: Any) -> None:
    pit = prepare(as_alice, campaign)
    assert as_bob.post(f"/c/{campaign.slug}/prepare/{pit.pk}/press/", deed(show="1")).status_code in (403, 404)
    assert not Prepared.objects.get().shown


def test_what_is_prepared_fills_the_setup_of_a_contest(as_alice: Client, campaign: Any, scene: Any) -> None:
    pit = prepare(as_alice, campaign)
    at = f"/c/{campaign.slug}/contests/start/conflict/?prepared={pit.pk}"
    assert at in as_alice.get(f"/c/{campaign.slug}/prepare/").content.decode()
    page = as_alice.get(at).content.decode()
    assert 'value="The pit"' in page and '<option value="continuing" selected>' in page
    assert "Under the leaves." in page
