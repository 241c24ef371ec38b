"""What pages of play ask of the database: so many queries at most, however many people are in the scene."""
from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.models.sql.compiler import SQLCompiler, SQLInsertCompiler, SQLUpdateCompiler
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.access import Viewer
from play import queries
from play.now import KEPT as ASKED
from play.services import scenes, sessions
from play.waiting import KEPT as WAITS
from tests.play.conftest import body
from tests.play.tray_page import shown

pytestmark = pytest.mark.django_db


@contextmanager
def at_most(queries: int) -> Iterator[None]:
    """Fails where more are asked; nothing is known from an earlier request."""
    ASKED.clear()
    WAITS.clear()
    with CaptureQueriesContext(connection) as asked:
        yield
    assert len(asked) <= queries, "\n".join([str(len(asked)), *(query["sql"] for query in asked.captured_queries)])


def test_the_table_asks_for_what_waits_only_where_something_does(
    as_alice: Client, campaign: Any, scene: Any
) -> None:
    with at_most(17):
        assert as_alice.get(f"/c/{campaign.slug}/").status_code == 200


def test_odds_ask_for_what_they_are_reckoned_from(as_bob: Client, campaign: Any, scene: Any, ilse: Any) -> None:
    chosen = {"character": str(ilse.pk), "shown": shown(as_bob, campaign, ilse),
              "traits": [str(trait.pk) for trait in ilse.traits.all()]}
    with at_most(7):
        answer = as_bob.post(f"/c/{campaign.slug}/tray/", chosen, headers={"HX-Request": "true"})
    assert b'id="forecast"' in answer.content and b'id="now"' not in answer.content


def test_only_who_is_in_the_scene_is_read_as_there(campaign: Any, alices: Any, scene: Any) -> None:
    def names() -> tuple[list[str], list[str]]:
        campaign.refresh_from_db()
        rollable, here = queries.rollable_and_present(Viewer(campaign, alices))
        return [character.name for character in rollable], [character.name for character in here]

    assert names() == (["Ilse", "Old Marrow"], ["Ilse", "Old Marrow"])
    scenes.close_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), values={})
    assert names() == (["Ilse"], [])
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The road", characters=[])
    assert names() == (["Ilse"], [])


def test_a_sheet_is_read_once(as_alice: Client, as_bob: Client, campaign: Any, ilse: Any) -> None:
    for browser in (as_alice, as_bob):
        with at_most(12):  # one of them for one's other characters
            assert browser.get(f"/c/{campaign.slug}/characters/{ilse.pk}/").status_code == 200


def test_a_roll_its_odds_and_its_news_make_no_sql_anew(
    as_bob: Client, campaign: Any, ilse: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(make: Any) -> Any:
        def as_sql(self: Any, *args: Any, **kwargs: Any) -> Any:
            made.append(self.query.model.__name__)
            return make(self, *args, **kwargs)

        return as_sql

    for compiler in (SQLCompiler, SQLInsertCompiler, SQLUpdateCompiler):
        monkeypatch.setattr(compiler, "as_sql", counted(compiler.as_sql))

    def play() -> None:
        campaign.refresh_from_db()
        seen, at = campaign.head_seq, f"/c/{campaign.slug}"
        sent = {"character": str(ilse.pk), "difficulty": "good", "shown": shown(as_bob, campaign, ilse),
                "traits": [str(trait.pk) for trait in ilse.traits.all()]}
        made.clear()
        assert as_bob.post(f"{at}/tray/", sent, headers={"HX-Request": "true"}).status_code == 200
        assert as_bob.post(f"{at}/roll/?since={seen}", body(**sent), headers={"HX-Request": "true"}).status_code == 200
        assert as_bob.get(f"{at}/ledger/since/{seen}/").status_code == 200
        assert as_bob.get(f"{at}/feed/?since={seen}", headers={"HX-Request": "true"}).status_code == 200

    play()
    play()
    assert made == ["Member"], "only how far whoever rolled has read"
