"""Points that go from one holder to another: one effect, one row that tells their way, and the end of a session."""
from __future__ import annotations

import uuid
from typing import Any

import pytest

from campaigns import trail
from campaigns.errors import Refused
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import PendingAllocation, PoolTransfer
from play.services import pools, sessions
from rules.moves import Step
from rules.sheet import Enter, NewAllocation, Purse, Spend, TraitDraft, Transfer
from rules.system import PoolKind, SessionChange
from rules.systems.pdq.session import PdqSession

pytestmark = pytest.mark.django_db


@pytest.fixture
def luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose table holds luck, five to begin with."""
    monkeypatch.setattr(PdqSession, "shared_pools", (PoolKind("luck", "Luck", "What is left of it.", "XX-01"),))
    monkeypatch.setattr(PdqSession, "shared_start", lambda self, pool, players, settings: 5)


def applied(campaign: Any, actor: Any, *effects: Any) -> None:
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="a.test", title="Luck") as entry:
        pools.apply(entry, effects)
    campaign.refresh_from_db()


def test_each_way_is_told_once(campaign: Any, alices: Any, ilse: Character, luck: None) -> None:
    hers = Purse("xp", str(ilse.pk))
    applied(campaign, alices, Transfer(3, Purse("luck"), hers, "Good form"), Transfer(2, None, hers, "From outside"))
    applied(campaign, alices, Transfer(1, hers, None))
    assert ilse.pools.get(name="xp").value == 4 and pools.held(campaign, "luck") == 2
    first, second, third = PoolTransfer.objects.order_by("seq", "-amount")
    assert (first.source_pool, first.target_character_id, first.why) == ("luck", ilse.pk, "Good form")
    assert (second.source_pool, second.amount) == ("", 2) and (third.source_pool, third.target_pool) == ("xp", "")
    assert first.seq == second.seq == third.seq - 1 == campaign.head_seq - 1
    assert not list(differences(campaign.pk))


def test_nothing_moves_that_is_not_there(campaign: Any, alices: Any, ilse: Character, luck: None) -> None:
    with pytest.raises(Refused, match="not enough"):
        applied(campaign, alices, Transfer(6, Purse("luck"), Purse("xp", str(ilse.pk))))
    assert not PoolTransfer.objects.exists() and not ilse.pools.exists()


def test_an_effect_may_be_placed_later_and_bring_somebody_in(campaign: Any, alices: Any, ilse: Character) -> None:
    lines = (TraitDraft("strength", "Wine", 2), TraitDraft("strength", "Rumours", 1))
    healing = NewAllocation(str(ilse.pk), "recovery", 3, "A second wind")
    applied(campaign, alices, healing, Enter("Herman", lines, "Keeps a bar"))
    waiting = PendingAllocation.objects.get()
    assert (waiting.character, waiting.type, waiting.amount) == (ilse, "recovery", 3)
    herman = Character.objects.get(name="Herman")
    assert herman.npc and [trait.name for trait in herman.traits.order_by("place")] == ["Wine", "Rumours"]
    assert not list(differences(campaign.pk))


def test_a_session_ends_as_the_game_says(
    campaign: Any, alices: Any, ilse: Character, as_alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(self: Any, sheets: Any, pools: Any, settings: Any) -> SessionChange:
        return SessionChange((Step("XX-02", "All is lost."),), tuple(
            Spend(sheet.id, "xp", -sheet.pool("xp")) for sheet in sheets))

    def unspent(self: Any, sheets: Any, pools: Any, settings: Any) -> tuple[str, ...]:
        return tuple(f"{sheet.name} has {sheet.pool('xp')}." for sheet in sheets)

    monkeypatch.setattr(PdqSession, "end", end)
    monkeypatch.setattr(PdqSession, "unspent", unspent)
    applied(campaign, alices, Spend(str(ilse.pk), "xp", 4))
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    assert "Ilse has 4." in as_alice.get(f"/c/{campaign.slug}/chronicle/close/").content.decode()
    sessions.close_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    assert ilse.pools.get(name="xp").value == 0
    assert not list(differences(campaign.pk))
