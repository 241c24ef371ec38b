"""What the site lets a game do that its first game does not need: no tray, points at a session's start, conditions."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from campaigns.trail.visible import payload_of
from play.services import sessions
from rules.moves import Step
from rules.sheet import Spend
from rules.system import SessionChange, TraitKind
from tests.play.conftest import body

pytestmark = pytest.mark.django_db


def test_a_game_without_a_tray_has_a_table(
    as_bob: Client, campaign: Any, ilse: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(campaign.rules), "solo_procedure", None)
    page = as_bob.get(f"/c/{campaign.slug}/")
    assert page.status_code == 200
    assert 'id="tray"' not in page.content.decode()
    for door in ("tray", "roll"):
        assert as_bob.post(f"/c/{campaign.slug}/{door}/", body(character=str(ilse.pk))).status_code == 404
    assert "Roll with this sheet" not in as_bob.get(f"/c/{campaign.slug}/characters/{ilse.pk}/").content.decode()


def test_a_session_deals_out_what_the_game_says(
    campaign: Any, alices: Any, ilse: Any, marrow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt = []

    def begin(self: Any, sheets: Any, settings: Any) -> SessionChange:
        dealt.extend(sheet.name for sheet in sheets)
        return SessionChange((Step("XX-01", "Each gets two."),), tuple(Spend(sheet.id, "xp", 2) for sheet in sheets))

    monkeypatch.setattr(type(campaign.rules.session), "begin", begin)
    entry = sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    assert dealt == ["Ilse"]
    assert ilse.pools.get(name="xp").value == 2
    payload = payload_of(entry)
    assert payload is not None and payload["outcome"]["steps"] == [{"rule": "XX-01", "text": "Each gets two."}]
    assert not list(differences(campaign.pk))


def test_a_new_sheet_has_no_empty_lines_for_a_condition(
    as_bob: Client, campaign: Any, bobs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = campaign.rules.sheet.trait_kinds
    wound = TraitKind("wound", "Wound", "Wounds", "What hurts.", ((1, "bad"), (2, "worse")), 1, condition=True)
    monkeypatch.setattr(type(campaign.rules.sheet), "trait_kinds", (*kinds, wound))
    builder = as_bob.get(f"/c/{campaign.slug}/characters/new/").context["builder"]
    assert {line.trait_kind.name for line in builder.lines} == {kind.name for kind in kinds}
    assert [section.kind.name for section in builder.sections][-1] == "wound"
