"""`[[names]]` in what people read of play: a link where the reader may go, else plain words."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from play.services import scenes, sessions
from tests.play.conftest import character

pytestmark = pytest.mark.django_db

TEXT = "Down to the river with [[nell|her friend]], [[The Ferryman]] and [[Nobody]]."


def test_names_in_recaps_scenes_and_stories_lead_where_the_reader_may_go(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    by: dict[str, Any] = {"campaign": campaign, "actor": alices}
    nell = character(campaign, bobs, "Nell", [], player=bobs)
    ilse = character(campaign, bobs, "Ilse", [], player=bobs, story=TEXT)
    ferryman = character(campaign, alices, "The Ferryman", [], npc=True, hidden=True)
    for number in (1, 2, 3):
        sessions.open_session(**by, op_id=uuid.uuid4())
        sessions.open_scene(**by, op_id=uuid.uuid4(), title=f"Scene {number}", text=TEXT, characters=[ilse.pk])
        if number < 3:
            scenes.close_scene(**by, op_id=uuid.uuid4(), values={})
            sessions.close_session(**by, op_id=uuid.uuid4(), title="", recap=TEXT)
    at = f"/c/{campaign.slug}/"
    sheet = lambda who: f'<a href="{at}characters/{who.pk}/"'  # noqa: E731
    for page in ("chronicle/", "", f"characters/{ilse.pk}/"):
        gm, player = (client.get(at + page).content.decode() for client in (as_alice, as_bob))
        line = player[player.index("Down to the river"):].partition("</div>")[0]
        assert sheet(nell) in line and "her friend</a>" in line and "[[" not in player
        assert "The Ferryman and Nobody." in line and str(ferryman.pk) not in player
        assert sheet(ferryman) in gm
    with CaptureQueriesContext(connection) as asked:
        as_bob.get(at + "chronicle/")
    assert 1 <= sum("'nell'" in query["sql"].lower() for query in asked) <= 3, "one look for all texts of the page"
