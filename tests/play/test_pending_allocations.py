"""The end of a scene: recovery, and placing what is owed (PQ-07, PQ-16, PQ-18)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from play.models import PendingAllocation
from play.services import pending_allocations, scenes
from tests.conftest import refusal
from tests.play.conftest import body, trait
from tests.play.tray_page import shown

pytestmark = pytest.mark.django_db


def hurt(campaign: Any, actor: Any, character: Any, name: str, damage: int) -> None:
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="character.edit", title="Hurt"
    ) as entry:
        entry.change(trait(character, name), damage=damage)


def close(client: Client, campaign: Any, danger: str) -> Any:
    return client.post(f"/c/{campaign.slug}/scene/close/", body(danger=danger))


def settle(client: Client, campaign: Any, allocation: PendingAllocation, **values: Any) -> Any:
    return client.post(f"/c/{campaign.slug}/to-place/{allocation.pk}/", body(**values))


def on(character: Any, name: str) -> str:
    return f"on_{trait(character, name).pk.hex}"


def test_pq_18_a_momentary_danger_heals_everybody(
    as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    hurt(campaign, alices, ilse, "Maps", 3)
    hurt(campaign, alices, marrow, "Club", 1)
    assert close(as_alice, campaign, "momentary").status_code == 302
    assert (trait(ilse, "Maps").damage, trait(marrow, "Club").damage) == (0, 0)
    assert not PendingAllocation.objects.exists()
    assert not list(differences(campaign.pk))


def test_pq_18_a_continuing_danger_lets_each_player_roll_and_place(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any
) -> None:
    hurt(campaign, alices, ilse, "Maps", 3)
    close(as_alice, campaign, "continuing")
    roll = PendingAllocation.objects.get()
    assert (roll.character, roll.type) == (ilse, "roll")
    # The weakness bears on healing too: 1d6 − 2, never below 0.
    assert settle(as_bob, campaign, roll, traits=[str(trait(ilse, "In debt").pk)]).status_code == 302
    entry = Entry.objects.get(kind="pdq.recovery")
    assert "PQ-18" in entry.payload.text
    allocation = PendingAllocation.objects.filter(settled=False).first()
    if allocation is None:
        assert '"recovered":0' in entry.payload.text
        return
    assert 1 <= allocation.amount <= 3
    assert settle(as_bob, campaign, allocation, **{on(ilse, "Maps"): "9"}).status_code == 422
    assert settle(as_bob, campaign, allocation, **{on(ilse, "Maps"): str(allocation.amount)}).status_code == 302
    assert trait(ilse, "Maps").damage == 3 - allocation.amount
    assert not list(differences(campaign.pk))


def test_pq_18_again_only_at_the_gms_word(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any
) -> None:
    hurt(campaign, alices, ilse, "Maps", 1)
    again = body(characters=[str(ilse.pk)], danger="continuing")
    assert as_bob.post(f"/c/{campaign.slug}/scene/recover/", again).status_code == 404
    assert as_alice.post(f"/c/{campaign.slug}/scene/recover/", again).status_code == 302
    assert PendingAllocation.objects.get().type == "roll"


def test_pq_16_damage_goes_where_the_player_likes(as_bob: Client, campaign: Any, ilse: Any) -> None:
    sent = body(character=str(ilse.pk), difficulty="number", difficulty_number=20, harm="on",
                shown=shown(as_bob, campaign, ilse))
    assert as_bob.post(f"/c/{campaign.slug}/roll/", sent).status_code == 302
    allocation = PendingAllocation.objects.get()
    wrong = settle(as_bob, campaign, allocation, **{on(ilse, "Maps"): "1"})
    assert wrong.status_code == 422
    assert "in all; you have assigned 1" in wrong.content.decode()
    # Maps can lose four, Knife three, the weakness one: eight in all, whatever the roll said.
    whole = min(allocation.amount, 8)
    spread = {"Maps": min(whole, 4), "Knife": max(0, min(whole - 4, 3)), "In debt": max(0, whole - 7)}
    assert settle(as_bob, campaign, allocation, **{on(ilse, n): str(s) for n, s in spread.items()}).status_code == 302
    assert sum(trait.damage for trait in ilse.traits.all()) == whole
    assert settle(as_bob, campaign, allocation, **{on(ilse, "Maps"): "1"}).status_code == 404


def test_nobody_places_for_another(as_charlie: Client, as_bob: Client, campaign: Any, alices: Any, marrow: Any) -> None:
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="due.test", title="Owed") as entry:
        allocation = entry.create(PendingAllocation(
            campaign=entry.campaign, character=marrow, type="damage", amount=1, reason="A fall"))
    before = Entry.objects.count()
    for client in (as_bob, as_charlie):
        assert settle(client, campaign, allocation, **{on(marrow, "Club"): "1"}).status_code == 404
    assert Entry.objects.count() == before


def test_what_was_placed_meanwhile_is_not_placed_again(
    campaign: Any, alice: Any, alices: Any, bobs: Any, ilse: Any, marrow: Any
) -> None:
    def owed(whose: Any) -> PendingAllocation:
        with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="due.test", title="Owed") as entry:
            return entry.create(PendingAllocation(
                campaign=entry.campaign, character=whose, type="damage", amount=1, reason="A fall"))

    def said(which: PendingAllocation) -> tuple[str, str]:
        return refusal(pending_allocations.place, campaign=campaign, actor=bobs, allocation_id=which.pk, spread=spread)

    spread, own, theirs = {str(trait(ilse, "Maps").pk): 1}, owed(ilse), owed(marrow)
    assert said(theirs) == ("", "This is not yours to assign.")
    pending_allocations.place(
        campaign=campaign, actor=bobs, op_id=uuid.uuid4(), allocation_id=own.pk, spread=spread)
    assert said(own) == ("", "This is settled already.")
    salt = found(user=alice, op_id=uuid.uuid4(), name="Salt", system="questworlds")
    assert refusal(pending_allocations.roll_recovery, campaign=salt, actor=salt.members.get(), client_seed="",
                   allocation_id=own.pk) == ("", "This game has nothing to assign.")


def test_recovery_once_more_is_of_somebody(campaign: Any, alices: Any) -> None:
    assert refusal(scenes.recover_again, campaign=campaign, actor=alices, characters=[uuid.uuid4()],
                   values={}) == ("characters", "Choose at least one character.")


def test_pq_18_a_line_that_went_meanwhile_heals_nobody(
    as_alice: Client, campaign: Any, alices: Any, bobs: Any, scene: Any, ilse: Any
) -> None:
    hurt(campaign, alices, ilse, "Maps", 3)
    close(as_alice, campaign, "continuing")
    assert refusal(
        pending_allocations.roll_recovery, campaign=campaign, actor=bobs, client_seed="",
        allocation_id=PendingAllocation.objects.get().pk, traits=[str(uuid.uuid4())],
    ) == ("traits", "Some of these traits are no longer on the sheet. Reload the page.")
