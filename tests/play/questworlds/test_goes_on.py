"""A long contest that goes on in the next session, and who has left the story in the middle of one (QW-59)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Campaign
from characters.services import lifecycle
from play.services import scenes, sessions
from tests.play.pressing import press
from tests.play.questworlds.conftest import act, latest, page
from tests.play.questworlds.longing import start

pytestmark = pytest.mark.django_db


def table(client: Client, campaign: Any) -> str:
    return client.get(f"/c/{campaign.slug}/").content.decode()


def test_qw_59_what_goes_on_in_the_next_session_is_a_card_on_the_table(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, alices: Any
) -> None:
    start(as_alice, campaign)
    by = {"actor": alices}
    scenes.close_scene(campaign=campaign, **by, op_id=uuid.uuid4(), values={})
    sessions.close_session(campaign=Campaign.objects.get(pk=campaign.pk), **by, op_id=uuid.uuid4())
    sessions.open_session(campaign=Campaign.objects.get(pk=campaign.pk), **by, op_id=uuid.uuid4())
    sessions.open_scene(campaign=Campaign.objects.get(pk=campaign.pk), **by, op_id=uuid.uuid4(), title="A week later",
                        characters=[ilse.pk, tam.pk])
    own = f"/c/{campaign.slug}/contests/{latest().pk}/"
    assert "card-here" not in table(as_bob, campaign), "it rests, and takes nobody's table"
    assert press(as_alice, page(as_alice), "Resume the contest").status_code == 302
    shown = table(as_bob, campaign)
    assert "card-here" in shown and f'id="offer-round-{ilse.pk}"' in shown
    assert f"?contest={latest().pk}#offer-round-" in as_bob.get("/").content.decode() + shown
    assert own in shown, "its own page stays"


def test_who_left_the_story_in_the_middle_of_it_is_not_asked_and_the_gm_is(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    start(as_alice, campaign)
    assert "Your turn" in page(as_bob)
    lifecycle.retire(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, retired=True)
    shown = page(as_bob)
    assert "Your turn" not in shown and "offer-round" not in shown
    refused = act(as_bob, ilse, "round", bout="0", tactic="normal", aim="")
    assert refused.status_code == 409 and "offer-round" not in refused.content.decode()
    assert f'id="offer-round-{ilse.pk}"' in page(as_alice) and "Your turn" in table(as_alice, campaign)
