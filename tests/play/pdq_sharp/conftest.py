"""A campaign of PDQ#: Perpetua is Bob's, Corvin Alice's villain, the guards a squad of hers; dice as a test says."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.trail import dice as trail_dice
from characters.models import Character
from tests.play.conftest import body

PERPETUA = ("Perpetua Vane, lieutenant, Fencing expert, Repartee good, Acrobatics good, Gambler good, "
            "Motivation: Clear her name good, Past: Ropewalker good, Foible: Must have the last word, "
            "Idiom: Mocking, Weapon: Rapier, Location: Rooftops, Maneuver: Feint, Foe: Duke’s men")


@pytest.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign."""
    from campaigns.services.founding import found

    return found(user=alice, op_id=uuid.uuid4(), name="The Gilded Compass", system="pdq_sharp")


def from_line(campaign: Any, actor: Any, line: str, **fields: Any) -> Character:
    """A character from one line; the threat level is left out where somebody plays it."""
    from characters.services import editing

    name, drafts = campaign.rules.sheet.from_line(line)
    lines = [editing.Line(each.kind, each.name, each.value, each.note, within=each.within) for each in drafts
             if each.kind != "threat" or fields.get("npc")]
    entry = editing.create(campaign=campaign, actor=actor, op_id=uuid.uuid4(), name=name, lines=lines, **fields)
    campaign.refresh_from_db()
    return Character.objects.get(pk=editing.id_from(campaign, entry.op_id))


@pytest.fixture
def perpetua(campaign: Any, bobs: Any) -> Character:
    """Bob's duellist."""
    return from_line(campaign, bobs, PERPETUA, player=bobs)


@pytest.fixture
def corvin(campaign: Any, alices: Any) -> Character:
    """Alice's villain."""
    return from_line(campaign, alices, "Corvin Ashgrove, villain", npc=True)


@pytest.fixture
def guards(campaign: Any, alices: Any) -> Character:
    """A squad."""
    return from_line(campaign, alices, "squad of 5 guards, good", npc=True)


@pytest.fixture
def session(as_alice: Client, campaign: Any, perpetua: Character, corvin: Character) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    here = body(title="The bridge", characters=[str(perpetua.pk), str(corvin.pk)])
    assert as_alice.post(f"/c/{campaign.slug}/scene/open/", here).status_code == 302
    campaign.refresh_from_db()


def suffers(campaign: Any, *effects: Any) -> None:
    """Effects on sheets, by an entry of the trail."""
    from campaigns import trail
    from play.services import pools

    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="a.test", title="A test") as entry:
        pools.apply(entry, effects)
    campaign.refresh_from_db()


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Faces that fall next, one after the other."""
    coming: list[int] = []
    monkeypatch.setattr(trail_dice.Roll, "roll", lambda self, sides: [coming.pop(0) for _ in sides])
    return coming
