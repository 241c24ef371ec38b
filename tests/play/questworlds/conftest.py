"""A table of QuestWorlds: Ilse is Bob's, Tam is Dana's, and contests are played by posting what their pages offer."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.services.founding import found
from campaigns.trail.draft import Draft
from characters.models import Character
from play.models import Contest
from play.services import sessions
from tests import laid
from tests.conftest import join, person
from tests.html_forms import Page
from tests.play.conftest import body, character, state_of
from tests.play.pressing import read


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign, of another game than usual."""
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Character:
    return character(
        campaign,
        bobs,
        "Ilse",
        [
            ("keyword", "Mapmaker", 17),
            ("characteristic", "Stubborn", 17),
            ("ability", "Knife", 13),
            ("flaw", "In debt", 17),
        ],
        player=bobs,
    )


@laid.fixture
def dana(campaign: Any) -> Any:
    """Another player, and her browser."""
    return join(campaign, person("Dana"), "player")


@laid.fixture
def tam(campaign: Any, dana: Any) -> Character:
    return character(campaign, dana, "Tam", [("keyword", "Sailor", 27), ("ability", "Songs", 14)], player=dana)


@laid.fixture
def scene(campaign: Any, alices: Any, ilse: Character, tam: Character) -> Any:
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The quay", characters=[ilse.pk, tam.pk]
    )
    campaign.refresh_from_db()
    return campaign.scene_id


@pytest.fixture
def fall(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets which faces fall from now on, two at a time."""
    def set_faces(*faces: int) -> None:
        monkeypatch.setattr(Draft, "roll", lambda self, sides, client_seed: [*faces][: len(sides)])
    return set_faces


def begin(client: Client, campaign: Any, kind: str = "framed", **more: Any) -> Any:
    answer = client.post(f"/c/{campaign.slug}/contests/start/{kind}/", body(**{"title": "Past the guard", **more}))
    assert answer.status_code == 302, answer.content.decode()
    return Contest.objects.order_by("events").first()


def latest() -> Contest:
    return Contest.objects.select_related("campaign").prefetch_related("log").get(over=False)


def state() -> Any:
    return state_of(latest())


def press(client: Client, who: Any, action: str, **values: Any) -> Any:
    """What is offered, done by its form as the page shows it: a field or an option that is not there fails the test."""
    one = latest()
    address = f"/c/{one.campaign.slug}/contests/{one.pk}/"
    shown = Page(read(client, address)).matching(action=f"{action}/{who.pk if who else 'gm'}/")
    assert shown, f"{action} is not offered"
    form = max(shown, key=lambda one: len(one.controls))
    chip = next((button for button in form.buttons
                 if values.get(button.attributes.get("name", "")) == button.attributes.get("value", "")), None)
    if chip:
        values.pop(chip.attributes["name"])
    return form.send(client, chip, **values)


def act(client: Client, who: Any, action: str, **values: Any) -> Any:
    """What a page of before, or no page, would send."""
    one = latest()
    return client.post(f"/c/{one.campaign.slug}/contests/{one.pk}/{action}/{who.pk if who else 'gm'}/", body(**values))


def page(client: Client) -> str:
    one = Contest.objects.select_related("campaign").order_by("over").first()
    assert one is not None
    answer = read(client, f"/c/{one.campaign.slug}/contests/{one.pk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def of(who: Character, name: str) -> str:
    return str(who.traits.get(name=name).pk)


def frame(as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, **opposed: Any) -> None:
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="The guard at the gate")
    assert act(as_bob, ilse, "choose", tactic="A forged pass", ability=of(ilse, "Mapmaker")).status_code == 302
    answer = act(as_alice, None, "oppose", **{"name": "The guard", "resistance": "1M", **opposed})
    assert answer.status_code == 302, answer.content.decode()
