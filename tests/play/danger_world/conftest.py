"""A campaign of Danger World: Mara is Bob's, Tamsin Alice's own; dice that fall as a test says."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.trail import dice as trail_dice
from characters.models import Character
from tests import laid
from tests.play.conftest import body


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign."""
    from campaigns.services.founding import found

    return found(user=alice, op_id=uuid.uuid4(), name="The Glass Harbour", system="danger_world")


@laid.fixture
def mara(campaign: Any, bobs: Any) -> Character:
    """Bob's roof runner."""
    from characters.services import editing

    _, drafts = campaign.rules.sheet.from_line(
        "Mara, agility 4, speed 3, strength 4, Born on the roofs, In debt, Not shy")
    lines = [editing.Line(draft.kind, draft.name, draft.value) for draft in drafts]
    entry = editing.create(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), name="Mara", player=bobs, lines=lines)
    return Character.objects.get(pk=editing.id_from(campaign, entry.op_id))


@laid.fixture
def session(as_alice: Client, campaign: Any, mara: Any) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    here = body(title="The market", characters=[str(mara.pk)])
    assert as_alice.post(f"/c/{campaign.slug}/scene/open/", here).status_code == 302


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Faces that fall next, one after the other."""
    coming: list[int] = []
    monkeypatch.setattr(trail_dice.Roll, "roll", lambda self, sides: [coming.pop(0) for _ in sides])
    return coming


@laid.fixture
def tamsin(campaign: Any, alices: Any) -> Character:
    """A healer, Alice's own character, with two boxes filled."""
    from characters.services import editing

    _, drafts = campaign.rules.sheet.from_line("Tamsin, agility 4, speed 2, Steady hands")
    lines = [editing.Line(draft.kind, draft.name, draft.value) for draft in drafts]
    op_id = uuid.uuid4()
    made = editing.create(campaign=campaign, actor=alices, op_id=op_id, name="Tamsin", player=alices, lines=lines)
    tamsin = Character.objects.get(pk=editing.id_from(campaign, made.op_id))
    tamsin.traits.filter(name__in=("Bashed", "Stunned")).update(damage=1)
    return tamsin
