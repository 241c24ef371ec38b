"""Characters in a hurry: taken with one tap, or made of three lines, in every game; they join what goes on."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign
from campaigns.services.founding import found
from characters.models import Character
from play.models import Presence
from play.services import sessions
from rules.registry import SYSTEMS
from tests.conftest import join
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


def at(name: str, campaign: Campaign) -> str:
    return reverse(name, args=[campaign.slug])


def lines(**values: str) -> dict[str, Any]:
    return body(**{"name": "Ilse", "concept": "A mapmaker", "good_at": "Old maps, Short knife", **values})


@pytest.mark.parametrize("game", SYSTEMS)
def test_three_lines_make_a_sheet_in_every_game(as_bob: Client, alice: Any, bob: Any, game: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Short", system=game)
    seat = join(campaign, bob, "player")
    assert SYSTEMS[game].sheet.good_at_help[:20] in as_bob.get(at("character_begin", campaign)).content.decode()
    answer = as_bob.post(at("character_begin", campaign), lines())
    assert answer.status_code == 302 and answer["location"] == f"{at('table', campaign)}#tray"
    made = Character.objects.get()
    assert (made.player, made.npc, made.name) == (seat, False, "Ilse")
    assert {"Old maps", "Short knife"} <= set(made.traits.values_list("name", flat=True))
    assert as_bob.get(reverse("character_edit", args=[campaign.slug, made.pk])).status_code == 200


def test_what_is_wrong_stands_at_its_field(as_bob: Client, campaign: Campaign, bobs: Any) -> None:
    answer = as_bob.post(at("character_begin", campaign), lines(good_at=" , "))
    assert answer.status_code == 422 and not Character.objects.exists()
    answer = as_bob.post(at("character_begin", campaign), lines(good_at="Maps, knife, rope, oars, bread"))
    page = answer.content.decode()
    assert answer.status_code == 422 and "A mapmaker" in page and "Maps, knife, rope, oars, bread" in page
    assert not Character.objects.exists()


def test_the_gms_waits_for_a_player_who_takes_it(
    as_alice: Client, as_bob: Client, campaign: Campaign, bobs: Any
) -> None:
    as_alice.post(at("character_begin", campaign), lines())
    made = Character.objects.get()
    assert made.player is None and not made.npc
    assert "made by your GM" in as_bob.get(at("table", campaign)).content.decode()
    as_bob.post(at("character_take", campaign), body(character=str(made.pk)))
    made.refresh_from_db()
    assert made.player == bobs
    as_alice.post(at("character_begin", campaign), lines(name="Nell"))
    answer = as_bob.post(at("character_take", campaign), body(character=str(Character.objects.get(name="Nell").pk)))
    assert answer.status_code == 422 and "You already have a character." in answer.content.decode()


def test_a_ready_one_is_taken_once_with_one_tap(as_bob: Client, campaign: Campaign, bobs: Any) -> None:
    one = campaign.rules.sheet.ready_made[1]
    assert one.concept in as_bob.get(at("table", campaign)).content.decode()
    form = body(ready="2")
    for _ in range(2):  # the second is a press too many
        assert as_bob.post(at("character_take", campaign), form).status_code == 302
    assert Character.objects.get().name == one.name and Character.objects.get().player == bobs
    assert one.concept not in as_bob.get(at("character_begin", campaign)).content.decode()


@pytest.mark.parametrize(
    "given", [{"ready": "0"}, {"ready": "99"}, {"character": "x"}, {"character": str(uuid.uuid4())}, {}])
def test_who_is_not_there_is_not_taken(as_bob: Client, campaign: Campaign, bobs: Any, given: dict[str, str]) -> None:
    assert as_bob.post(at("character_take", campaign), body(**given)).status_code == 422
    assert not Character.objects.exists()


def test_nobody_takes_what_is_hidden_or_an_npc(as_bob: Client, campaign: Campaign, alices: Any, bobs: Any) -> None:
    for hidden in (True, False):
        one = character(campaign, alices, f"Guard {hidden}", [], npc=True, hidden=hidden)
        assert as_bob.post(at("character_take", campaign), body(character=str(one.pk))).status_code == 422
        assert one.name not in as_bob.get(at("character_begin", campaign)).content.decode()


def test_who_comes_while_a_scene_is_on_is_in_it(as_bob: Client, campaign: Campaign, alices: Any, bobs: Any) -> None:
    sessions.open_first_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier")
    as_bob.post(at("character_take", campaign), body(ready="1"))
    assert [presence.character
            for presence in Presence.objects.select_related("character")] == [Character.objects.get()]
    as_bob.post(at("character_begin", campaign), lines())
    assert Character.objects.count() == 2 and Presence.objects.count() == 1


def test_observers_take_nobody(as_dara: Client, campaign: Campaign) -> None:
    assert as_dara.get(at("character_begin", campaign)).status_code == 404
    assert as_dara.post(at("character_take", campaign), body(ready="1")).status_code == 404
