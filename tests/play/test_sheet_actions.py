"""What a game lets one do with a sheet at any time; lines that a game gives to every sheet."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from play.services import sheet_actions
from rules.fields import Whole
from rules.moves import Need, Step
from rules.procedure import ActResult, Offer
from rules.sheet import Damage, TraitDraft
from rules.systems.pdq.sheet import PdqSheet
from tests.conftest import refusal
from tests.play.conftest import body, trait

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bruises(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which a player may bruise a first line by a die, and a GM by a number."""
    by = Whole(name="by", label="By", least=1, most=3)

    def offers(self: Any, sheet: Any, settings: Any) -> Any:
        return Offer("stumble", sheet.id, "Stumble"), Offer("strike", "", "Strike", fields=(by,))

    def do(self: Any, sheet: Any, settings: Any, action: str, given: Any, faces: Any = ()) -> Any:
        if action == "stumble" and not faces:
            return Need((3,))
        amount = faces[0] if faces else given["by"]
        step = Step("PQ-16", f"{sheet.name} stumbles.")
        return ActResult((), (step,), effects=(Damage(sheet.traits[0].id, amount),))

    monkeypatch.setattr(PdqSheet, "actions", offers)
    monkeypatch.setattr(PdqSheet, "act", do)


def at(campaign: Any, who: Any, action: str = "") -> str:
    return f"/c/{campaign.slug}/sheet-actions/{who.pk}/{action}{'/' if action else ''}"


def test_a_player_does_their_own(as_bob: Client, campaign: Any, ilse: Any) -> None:
    page = as_bob.get(at(campaign, ilse)).content.decode()
    assert "Stumble" in page and "Strike" not in page
    assert as_bob.post(at(campaign, ilse, "stumble"), body()).status_code == 302
    assert 1 <= trait(ilse, "Maps").damage <= 3
    entry = Entry.objects.latest("seq")
    assert entry.kind == "deed.stumble" and "Ilse stumbles." in entry.payload.text


def test_only_the_gm_does_the_rest(as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, marrow: Any) -> None:
    before = Entry.objects.count()
    assert as_bob.post(at(campaign, ilse, "strike"), body(by="2")).status_code == 302
    assert as_bob.post(at(campaign, marrow, "stumble"), body()).status_code == 404
    assert Entry.objects.count() == before
    refused = as_alice.post(at(campaign, ilse, "strike"), body(by="9"))
    assert refused.status_code == 422 and 'value="9"' in refused.content.decode()
    assert as_alice.post(at(campaign, ilse, "strike"), body(by="2")).status_code == 302
    assert trait(ilse, "Maps").damage == 2


def test_a_new_sheet_has_the_games_own_lines(
    as_bob: Client, campaign: Any, bobs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PdqSheet, "starting_lines", lambda self: (TraitDraft("strength", "Walking", 1, "on two feet"),))
    page = as_bob.get(f"/c/{campaign.slug}/characters/new/").content.decode()
    assert 'value="Walking"' in page and 'value="on two feet"' in page


def test_what_is_offered_is_looked_up_again_under_the_lock(
    campaign: Any, alices: Any, bobs: Any, ilse: Any, marrow: Any
) -> None:
    def said(actor: Any, whose: uuid.UUID, action: str) -> tuple[str, str]:
        return refusal(sheet_actions.act, campaign=campaign, actor=actor, client_seed="", character_id=whose,
                       action=action, given={})

    assert said(bobs, ilse.pk, "strike") == ("", "Only the GM can do this.")
    assert said(alices, ilse.pk, "heal") == ("", "This can’t be done now. Reload the page.")
    assert said(bobs, uuid.uuid4(), "stumble") == ("", "This no longer exists. Reload the page.")
    assert said(bobs, marrow.pk, "stumble") == ("", "Only its player and the GM can change this sheet.")
