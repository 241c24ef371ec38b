"""The search has every entry from the moment it is written; what earlier versions left is laid out by no page."""
from __future__ import annotations

import io
import uuid
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns import search_building, search_index
from campaigns.access import Viewer
from campaigns.models import Campaign, Found
from campaigns.search import KINDS, VERSION, search
from characters.models import Character
from characters.services import npcs
from tests.campaigns.test_search import filled, titles

pytestmark = pytest.mark.django_db
__all__ = ["filled"]
UNFINISHED = "Older entries are still being added to the search."


def laid_out() -> set[tuple[Any, ...]]:
    return set(Found.objects.values_list("campaign", "of", "part", "object_id", "key", "title", "text", "words"))


@pytest.fixture
def old(campaign: Any, filled: Character) -> Any:
    """A campaign that an earlier version wrote and nobody searched."""
    Found.objects.all().delete()
    Campaign.objects.filter(pk=campaign.pk).update(search_version=0)
    campaign.refresh_from_db()
    return campaign


def searched(client: Client, campaign: Any, q: str) -> tuple[str, list[str]]:
    """The page, and what was asked of the database that is no plain reading."""
    with CaptureQueriesContext(connection) as asked:
        page = client.get(reverse("search", args=[campaign.slug]), {"q": q})
    assert page.status_code == 200
    told = [query["sql"] for query in asked]
    assert any("campaigns_found" in sql for sql in told)
    return page.content.decode(), [
        sql for sql in told if not sql.lstrip("( ").startswith("SELECT") or "FOR UPDATE" in sql]


def test_a_page_writes_nothing_and_says_that_something_is_missing(
    old: Any, alices: Any, as_alice: Client, as_bob: Client
) -> None:
    for client in (as_alice, as_bob):
        page, written = searched(client, old, "lantern")
        assert UNFINISHED in page and "Ropes" not in page
        assert written == []
    assert not Found.objects.exists()
    npcs.quick(campaign=old, actor=alices, op_id=uuid.uuid4(), line="guard, Fighting good")
    page, written = searched(as_alice, old, "guard")
    assert UNFINISHED in page and "guard joins" in page, "What is written from now on is there."
    call_command("search_index", stdout=io.StringIO())
    page, written = searched(as_alice, old, "lantern")
    assert UNFINISHED not in page and "Ropes" in page and written == []


def test_a_new_campaign_is_complete_from_its_first_entry(campaign: Any, alices: Any, filled: Character) -> None:
    assert Campaign.objects.get().search_version == VERSION
    followed = laid_out()
    assert titles(Viewer(campaign, alices), "salt road")
    search_building.build(campaign.pk)
    assert laid_out() == followed


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("batch", [1, 3, 100])
def test_migrate_lays_out_what_is_missing(
    batch: int, campaign: Any, filled: Character, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = laid_out()
    monkeypatch.setattr(search_building, "BATCH", batch)
    monkeypatch.setattr(search_building, "SAID", 3)
    Found.objects.filter(of="entry").delete()
    Found.objects.filter(of="character").update(words="as another version had it")
    Found.objects.create(campaign=campaign, of="scene", part="all", object_id=uuid.uuid4(), key="1", words="gone")
    Campaign.objects.update(search_version=VERSION - 1)
    call_command("migrate", verbosity=0)
    assert laid_out() == wanted
    assert Campaign.objects.get().search_version == VERSION
    said = capsys.readouterr()
    assert said.out == "" and f"{campaign.slug} is complete" in said.err and "so far" in said.err
    call_command("migrate", verbosity=0)
    assert capsys.readouterr().err == "", "There is nothing left to do."


def test_the_newest_come_first_also_of_what_was_laid_out_later(old: Any, alices: Any) -> None:
    npcs.quick(campaign=old, actor=alices, op_id=uuid.uuid4(), line="guard, Fighting good")
    search_building.build(old.pk)
    keys = [int(key) for key in Found.objects.filter(of="entry").order_by("pk").values_list("key", flat=True)]
    assert keys == sorted(keys) and len(keys) > 5


def test_each_batch_is_a_transaction_of_its_own_under_the_lock(old: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_building, "BATCH", 2)
    with CaptureQueriesContext(connection) as asked:
        search_building.build(old.pk)
    begun = [sql for sql in (query["sql"] for query in asked) if sql.startswith("SAVEPOINT")]
    entries = Found.objects.filter(of="entry").count()
    assert len(begun) >= entries / 2 > 3


def test_what_can_not_be_read_is_left_out_and_stops_nothing(
    campaign: Any, alices: Any, filled: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = KINDS["character"]

    def docs(campaign: Any, ids: Any) -> Any:
        if filled.pk in ids:
            raise ZeroDivisionError
        return kind.docs(campaign, ids)

    other = npcs.quick(campaign=campaign, actor=alices, op_id=uuid.uuid4(), line="guard, Fighting good")
    broken = type(kind)(kind.name, kind.label, kind.url, kind.watches, kind.ids, docs, kind.seen)
    monkeypatch.setitem(KINDS, "character", broken)
    search_building.build(campaign.pk)
    assert other and "Character" not in {label for label, _ in titles(Viewer(campaign, alices), "captain")}
    assert ("Character", "guard") in titles(Viewer(campaign, alices), "guard")
    from characters.services import sight

    sight.look(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=filled.pk, looks="A scar")
    assert Campaign.objects.get().search_version == VERSION


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="PostgreSQL’s planner")
def test_postgresql_asks_the_index_whatever_its_statistics_say(campaign: Any, alices: Any) -> None:
    """As after a restore: counted when there was nothing."""
    Found.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE campaigns_found")
    Found.objects.bulk_create(
        Found(campaign=campaign, of="entry", part="all", object_id=uuid.uuid4(), key=str(number), title="A title",
              words=f"common word{number} {'and much more ' * 20}")
        for number in range(2000))

    def scans() -> tuple[int, int]:
        """How often the index was asked in this transaction, and how often the table was read through."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_get_xact_numscans('campaigns_found_words'::regclass),"
                           " pg_stat_get_xact_numscans('campaigns_found'::regclass)")
            index, table = cursor.fetchone()
        return index, table

    before = scans()
    assert len(search(Viewer(campaign, alices), "word17 common").rows) == 0, "No entry stands behind these rows."
    asked, read = scans()
    assert asked > before[0] and read == before[1], "The index is asked, and the table is not read through."


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="PostgreSQL’s statistics")
def test_what_was_restored_is_counted(campaign: Any, alices: Any) -> None:
    def rows() -> float:
        with connection.cursor() as cursor:
            cursor.execute("SELECT reltuples FROM pg_class WHERE oid = 'campaigns_found'::regclass")
            return float(cursor.fetchone()[0])

    before = rows()
    search_index.analyse(connection, always=before > 0)
    assert rows() > 0
