"""A hidden NPC rolls behind the screen, by the GM's own tray: the dice are the GM's alone (QW-10)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from characters.models import Character
from play.models import Contest, Presence
from play.services import obstacles
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import character

pytestmark = pytest.mark.django_db


@laid.fixture
def rook(campaign: Any, alices: Any, scene: Any) -> Character:
    """Somebody on the scene of whom players know nothing."""
    unseen = character(campaign, alices, "Rook", [("ability", "Listening", 17), ("consequence", "Deafened", 2)],
                       npc=True, hidden=True)
    unseen.traits.filter(kind="consequence").update(note="Listening")
    Presence.objects.create(campaign=campaign, scene_id=scene, character=unseen)
    return unseen


def tray(client: Client, campaign: Any, who: Character) -> Any:
    return Page(client.get(f"/c/{campaign.slug}/?character={who.pk}")).form(action=f"/c/{campaign.slug}/roll/")


def test_qw_10_a_hidden_npc_rolls_behind_the_screen_and_the_dice_are_the_gms_alone(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, rook: Character
) -> None:
    obstacles.put(campaign=campaign, actor=alices, op_id=uuid.uuid4(), name="The thin wall",
                  values={"resistance": "20"})
    answer = tray(as_alice, campaign, rook).send(as_alice, character=str(rook.pk))
    assert answer.status_code == 302, Page(answer).errors
    entry = Entry.objects.order_by("seq").last()
    assert entry is not None and (entry.kind, entry.audience) == ("questworlds.contest", "gm")
    assert not Contest.objects.exists(), "nothing goes on that a player could open"
    shown = as_alice.get(answer["Location"].partition("#")[0]).content.decode()
    assert "Rook" in shown and "Deafened" in shown and "11" in shown
    for address in ("", "ledger/", "people/"):
        assert "Rook" not in as_bob.get(f"/c/{campaign.slug}/{address}").content.decode()


def test_qw_10_without_anything_in_the_way_the_page_says_what_to_do(
    as_alice: Client, campaign: Any, rook: Character
) -> None:
    answer = tray(as_alice, campaign, rook).send(as_alice, character=str(rook.pk), tactic="Listening in")
    assert answer.status_code == 422 and "Listening in" in answer.content.decode()
    assert "Add an obstacle to the scene" in answer.content.decode()
    assert not Contest.objects.exists()


def test_who_is_dead_or_retired_is_never_offered_a_roll(
    as_alice: Client, campaign: Any, rook: Character, ilse: Character, tam: Character
) -> None:
    Character.objects.filter(pk=rook.pk).update(dead=True)
    Character.objects.filter(pk=tam.pk).update(retired=True)
    who = tray(as_alice, campaign, ilse).controls["character"]
    offered = [*who.offered, *who.opens]  # where there is nobody else, it is not asked
    assert str(rook.pk) not in offered and str(tam.pk) not in offered and str(ilse.pk) in offered
    start = Page(as_alice.get(f"/c/{campaign.slug}/contests/start/group/")).form(action="start/group/")
    assert len([name for name in start.controls if name.endswith("_side")]) <= 1, "only Ilse is left"
