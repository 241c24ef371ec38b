"""Taking a server to another database: SQLite to PostgreSQL, and back. The old one stays as it is.

Every row of every table goes, in one transaction, and is read again and compared. `take_in` runs in a process whose own
database is the new one.
"""
from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction

from campaigns.keeping.database import NotKept, Say, for_itself, manage
from campaigns.rows import insert_as_they_are

OLD = "old"  # the alias of the database that everything comes from
BATCH = 500
SAID = 50_000  # rows between two words of how far it is


def move(to: str, say: Say) -> None:
    """Brings everything to the database at this address, which is empty or not there; raises `NotKept`."""
    with for_itself():
        _move(to, say)


def _move(to: str, say: Say) -> None:
    here = json.dumps(settings.DATABASES[DEFAULT_DB_ALIAS], default=str)
    for arguments, given, doing in (
        (("migrate", "--verbosity", "0", "--no-input"), "", "Making the tables"),
        (("move", "--take-in"), here, "Bringing the rows"),
        (("retire_dice",), "", "Retiring the unused secrets of dice"),
        (("rebuild", "--all", "--check"), "", "Checking the Ledgers"),
    ):
        say(f"{doing} …")
        done = manage(to, *arguments, given=given, say=say)
        if done.returncode:
            raise NotKept(f"{doing} failed; this database is as it was. {done.why}")


def take_in(old: dict[str, Any], say: Say) -> None:
    """Brings everything from the database with these settings into the one of this process; raises `NotKept`."""
    connections.settings[OLD] = connections.configure_settings({DEFAULT_DB_ALIAS: old})[DEFAULT_DB_ALIAS]
    _refuse_other_version()
    tables = list(apps.get_models(include_auto_created=True))
    with transaction.atomic(), transaction.atomic(using=OLD):
        _make_room(tables)
        count = sum(_bring(model, say) for model in tables)
        _number_on(tables)
    say(f"{count:,} rows came over, and were compared one by one.")


def _refuse_other_version() -> None:
    from django.db.migrations.recorder import MigrationRecorder

    there, here = (set(MigrationRecorder(connections[alias]).applied_migrations()) for alias in (OLD, DEFAULT_DB_ALIAS))
    if there != here:
        raise NotKept("The database was written by another version. Run manage.py migrate on it first.")


def _make_room(tables: list[type[models.Model]]) -> None:
    """What `migrate` wrote itself goes; where there is anything else, nothing is brought."""
    its_own = ("auth.permission", "contenttypes.contenttype")
    for model in tables:
        if model._meta.label_lower not in its_own and model._base_manager.exists():
            raise NotKept("There is something in that database already. Choose an empty one.")
    for label in its_own:
        apps.get_model(label)._base_manager.all().delete()


def _bring(model: type[models.Model], say: Say) -> int:
    """All rows of a table, as they are: no default is filled in, no time is set."""
    rows = _rows(model, OLD)
    count = brought = 0
    while some := list(islice(rows, BATCH)):
        brought += sum(map(_number_of, some))
        insert_as_they_are(some)
        count += len(some)
        if count % SAID == 0:
            say(f"{model._meta.verbose_name_plural}: {count:,} …")
    if sum(map(_number_of, _rows(model, DEFAULT_DB_ALIAS))) != brought:
        raise NotKept(f"Rows of {model._meta.db_table} did not arrive as they were. Nothing was kept.")
    return count


def _rows(model: type[models.Model], alias: str) -> Iterator[models.Model]:
    return iter(model._base_manager.using(alias).order_by().iterator(chunk_size=BATCH))


def _number_of(row: models.Model) -> int:
    """A hash of a row. Those of a table are added up, so that it does not matter how a database orders them."""
    values = ((field.attname, getattr(row, field.attname)) for field in row._meta.concrete_fields)
    said = repr([(name, bytes(value) if isinstance(value, memoryview) else value) for name, value in values])
    return int.from_bytes(hashlib.sha256(said.encode()).digest(), "big")


def _number_on(tables: list[type[models.Model]]) -> None:
    """What is written next gets a number that nothing has."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)


