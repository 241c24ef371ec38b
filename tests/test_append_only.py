"""The trail is append-only in the database itself, whichever way somebody goes at it."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from campaigns.models import Change, Entry, Erasure, Payload, Revelation
from campaigns.trail import triggers
from campaigns.trail.triggers import ERASABLE, FROZEN

TABLES = [Entry, Payload, Change, Revelation, Erasure]
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="SQLite’s own statement")
on_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="PostgreSQL’s own statement")


@pytest.fixture(autouse=True)
def rows(campaign: Any, bobs: Any) -> Any:
    """At least one row in every table: an entry that was revealed, and one that may be erased."""
    first, second = campaign.entries.order_by("seq")[:2]
    Revelation.objects.create(entry=first, campaign=campaign, by=second)
    Erasure.objects.create(entry=second, campaign=campaign, by=first)
    return campaign


def dump() -> list[Any]:
    """All that the five tables hold."""
    return [list(model.objects.order_by("pk").values()) for model in TABLES]


def refused(attempt: Callable[[], Any]) -> None:
    """The attempt fails for being against the trail, and leaves every row as it was."""
    before = dump()
    with pytest.raises(DatabaseError, match=triggers.MESSAGE), transaction.atomic():
        attempt()
    assert dump() == before


def sql(statement: str, *parameters: Any) -> Callable[[], Any]:
    """An attempt in plain SQL."""

    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement, parameters)

    return run


def kept(model: type[models.Model]) -> Any:
    """A row that no erasure lets go."""
    rows = model._default_manager.order_by("pk")
    return (rows if model in (Entry, Revelation, Erasure) else rows.filter(entry__erasure=None)).first()


@pytest.mark.parametrize("model", TABLES)
def test_saving_a_changed_row(model: Any) -> None:
    row = kept(model)
    refused(row.save)
    refused(lambda: row.save(force_update=True))


@pytest.mark.parametrize("model", TABLES)
def test_updates(model: Any) -> None:
    campaign_id = kept(model).campaign_id
    refused(lambda: model.objects.update(campaign=campaign_id))
    refused(lambda: model.objects.filter(pk=kept(model).pk).update(campaign=campaign_id))
    refused(lambda: model.objects.bulk_update([kept(model)], ["campaign"]))
    refused(sql(f"UPDATE {model._meta.db_table} SET campaign_id = campaign_id"))


@pytest.mark.parametrize("model", TABLES)
def test_deletes(model: Any) -> None:
    rows = model.objects.filter(pk=kept(model).pk)
    refused(lambda: rows._raw_delete(rows.db))
    refused(sql(f"DELETE FROM {model._meta.db_table}"))


@pytest.mark.parametrize("model", [Payload, Change])
def test_deletes_by_the_orm(model: Any) -> None:
    refused(kept(model).delete)
    refused(model.objects.all().delete)


def test_an_entry_is_protected_by_what_hangs_on_it(rows: Any) -> None:
    for attempt in (kept(Entry).delete, rows.delete):
        before = dump()
        with pytest.raises(models.ProtectedError):
            attempt()
        assert dump() == before


@pytest.mark.parametrize("model", TABLES)
def test_upserts_of_rows_with_the_same_key(model: Any) -> None:
    table, pk = model._meta.db_table, model._meta.pk.column
    copy = f"INTO {table} SELECT * FROM {table} WHERE true"
    refused(sql(f"INSERT {copy} ON CONFLICT ({pk}) DO UPDATE SET campaign_id = excluded.campaign_id"))
    names = [field.name for field in model._meta.fields if not field.primary_key]
    refused(lambda: model.objects.bulk_create(
        list(model.objects.all()), update_conflicts=True, unique_fields=[model._meta.pk.name], update_fields=names
    ))
    if connection.vendor == "sqlite":
        refused(sql(f"INSERT OR REPLACE {copy}"))
        refused(sql(f"REPLACE {copy}"))


@on_sqlite
def test_replacing_an_entry_by_its_number_or_its_operation() -> None:
    """A REPLACE that collides with a unique constraint deletes the row in its way, whatever its key is."""
    columns = [field.column for field in Entry._meta.fields]
    fresh = {"id": f"'{uuid.uuid4().hex}'", "seq": "99", "op_id": f"'{uuid.uuid4().hex}'"}
    for collides in ("seq", "op_id"):
        chosen = ", ".join(column if column == collides else fresh.get(column, column) for column in columns)
        source = f"SELECT {chosen} FROM campaigns_entry WHERE seq = 1"
        refused(sql(f"INSERT OR REPLACE INTO campaigns_entry ({', '.join(columns)}) {source}"))


@on_sqlite
def test_replacing_a_mark() -> None:
    columns = "campaign_id, entry_id, seq, object_id, field"
    chosen = f"SELECT {columns} FROM campaigns_change LIMIT 1"
    refused(sql(f"INSERT OR REPLACE INTO campaigns_change ({columns}) {chosen}"))


@on_postgresql
@pytest.mark.parametrize("table", FROZEN + ERASABLE)
def test_truncate(table: str) -> None:
    connection.check_constraints()  # what is still to be checked would stop a TRUNCATE by itself
    refused(sql(f"TRUNCATE {table} CASCADE"))
    refused(sql("TRUNCATE campaigns_campaign CASCADE"))


def test_a_payload_goes_only_where_an_erasure_is_on_record(rows: Any) -> None:
    erased = Payload.objects.filter(entry__erasure__isnull=False)
    assert erased.count() == 1
    erased.delete()
    refused(Payload.objects.all().delete)
    refused(Change.objects.all().delete)


def test_an_entry_is_still_written_afterwards(rows: Any, alices: Any) -> None:
    with trail.entry(campaign=rows, actor=alices, op_id=uuid.uuid4(), kind="note", title="On it goes") as entry:
        entry.change(entry.campaign, name="The Salt Road, again")
    assert entry.written.seq == rows.head_seq + 1


def standing() -> set[str]:
    """The names of the triggers in the database."""
    statement = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    if connection.vendor == "postgresql":
        statement = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return {name for (name,) in cursor.fetchall()}


ALL = {name for table in FROZEN + ERASABLE for name in triggers.names(table)}


def test_the_triggers_stand_after_migrating() -> None:
    assert standing() >= ALL


def test_migrating_again_puts_missing_triggers_back() -> None:
    triggers.uninstall(connection)
    assert not standing() & ALL
    call_command("migrate", verbosity=0)
    assert standing() >= ALL


def test_what_is_there_as_wanted_is_left_alone_and_what_differs_is_made_again() -> None:
    """On PostgreSQL making one waits for all who read its table, and everybody else then waits for that."""
    with CaptureQueriesContext(connection) as nothing:
        triggers.install(connection)
    assert not [query["sql"] for query in nothing if query["sql"].startswith(("CREATE", "DROP"))]
    assert triggers.missing(connection) == []
    of_postgresql = " FOR EACH ROW EXECUTE FUNCTION campaigns_trail_frozen()"
    does = of_postgresql if connection.vendor == "postgresql" else " BEGIN SELECT 1; END"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER campaigns_entry_no_update{' ON campaigns_entry' * bool(of_postgresql in does)}")
        # One that looks alike and lets changes through.
        cursor.execute(f"CREATE TRIGGER campaigns_entry_no_update AFTER UPDATE ON campaigns_entry{does}")
    assert triggers.missing(connection) == ["campaigns_entry_no_update"]
    with CaptureQueriesContext(connection) as again:
        triggers.install(connection)
    assert len([query["sql"] for query in again if query["sql"].startswith("CREATE TRIGGER")]) == 1
    assert triggers.missing(connection) == []


@on_postgresql
def test_a_function_that_does_nothing_is_made_again() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE OR REPLACE FUNCTION campaigns_trail_frozen() RETURNS trigger LANGUAGE plpgsql"
                       " AS $$ BEGIN RETURN NEW; END $$")
    assert triggers.missing(connection) == ["campaigns_trail_frozen"]
    triggers.install(connection)
    assert triggers.missing(connection) == []
    refused(lambda: Entry.objects.update(kind="x"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("model", TABLES)
def test_a_table_that_is_remade_has_its_triggers_after_the_migration(model: Any) -> None:
    """SQLite drops triggers without a word when a migration alters a field."""
    field = model._meta.get_field("campaign")
    with connection.schema_editor() as editor:
        if connection.vendor == "sqlite":
            if model is Erasure:
                # The payload's trigger looks into this table: a migration of it takes the triggers off first.
                triggers.uninstall(connection)
            editor._remake_table(model, alter_fields=[(field, field)])
    call_command("migrate", verbosity=0)
    assert standing() >= ALL
