"""Append-only in the database itself: triggers for each back end, and a test that they stand after every migration."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

# Never changed, never deleted.
FROZEN = ("campaigns_entry", "campaigns_revelation", "campaigns_erasure")
# Never changed; deleted only where an erasure is on record.
ERASABLE = ("campaigns_payload", "campaigns_change")

# What a REPLACE could collide with besides the primary key.
UNIQUE_TOO = {
    "campaigns_entry": " OR (campaign_id = NEW.campaign_id AND (seq = NEW.seq OR op_id = NEW.op_id))",
    "campaigns_change": " OR (entry_id = NEW.entry_id AND object_id = NEW.object_id AND field = NEW.field)",
}

MESSAGE = "the trail is append-only"
# A secret keeps one seed for good: else somebody could throw, see, and throw again.
SEEDS, KEEPS_ONE = "campaigns_commitment", "campaigns_commitment_keeps_one_seed"

STOP = f"BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"  # on SQLite
_REFUSE = f" BEGIN RAISE EXCEPTION '{MESSAGE}'; END "
FUNCTIONS = {  # on PostgreSQL
    "campaigns_trail_frozen": _REFUSE,
    "campaigns_trail_erasable":
        " BEGIN IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM campaigns_erasure e WHERE e.entry_id = OLD.entry_id)"
        f" THEN RETURN OLD; END IF; RAISE EXCEPTION '{MESSAGE}'; END ",
    "campaigns_trail_sweep": _REFUSE,
    KEEPS_ONE: _REFUSE,
}


@dataclass(frozen=True)
class Trigger:
    """One trigger: when it goes off and what it then does; on PostgreSQL that is a function's name."""

    name: str
    table: str
    when: str
    does: str

    @property
    def sql(self) -> str:
        """The statement that makes it."""
        return f"CREATE TRIGGER {self.name} {self.when} {self.does}"


def install(connection: BaseDatabaseWrapper) -> None:
    """Puts on the triggers that are not there as they are wanted: SQLite drops them whenever a table is remade.

    One that is there is not touched: PostgreSQL would have it wait for whoever reads, and all others wait for it.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for name, source in _missing_functions(cursor):
                cursor.execute(f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${source}$$")
        for trigger in _missing(connection, cursor):
            on = f" ON {trigger.table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}{on}")
            cursor.execute(trigger.sql)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """The triggers and functions that are not there, or not as they are wanted."""
    with connection.cursor() as cursor:
        functions = _missing_functions(cursor) if connection.vendor == "postgresql" else []
        return [*(trigger.name for trigger in _missing(connection, cursor)), *(name for name, _ in functions)]


def _missing(connection: BaseDatabaseWrapper, cursor: Any) -> list[Trigger]:
    if connection.vendor == "sqlite":
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    else:
        cursor.execute(
            "SELECT tgname, pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
            " WHERE pg_table_is_visible(tgrelid) AND tgenabled = 'O' AND NOT tgisinternal")
    there = {name: _plain(sql) for name, sql in cursor.fetchall()}
    return [trigger for trigger in _wanted(connection, cursor) if there.get(trigger.name) != _plain(trigger.sql)]


def _plain(sql: str) -> str:
    """A statement without what a database writes in its own way: brackets, casts, the schema."""
    return re.sub(r"::[a-z]+( varying)?|\bpublic\.|[()\s]", "", sql.lower())


def _missing_functions(cursor: Any) -> list[tuple[str, str]]:
    cursor.execute("SELECT proname, prosrc FROM pg_proc WHERE proname = ANY(%s) AND pg_function_is_visible(oid)",
                   [[*FUNCTIONS]])
    there = dict(cursor.fetchall())
    return [(name, source) for name, source in FUNCTIONS.items() if there.get(name) != source]


def _wanted(connection: BaseDatabaseWrapper, cursor: Any) -> list[Trigger]:
    """Those of the tables that are there."""
    present = set(connection.introspection.table_names(cursor))
    of_trail = [table for table in FROZEN + ERASABLE if table in present]
    wanted = [trigger for table in of_trail for trigger in _of_table(connection.vendor, table)]
    return wanted + (_one_seed(connection.vendor) if _column(cursor, connection, SEEDS, "pinned") else [])


def _column(cursor: Any, connection: BaseDatabaseWrapper, table: str, name: str) -> bool:
    """Whether there is such a column: migrations stop on the way, too."""
    schema = connection.introspection
    return table in schema.table_names(cursor) and name in {
        column.name for column in schema.get_table_description(cursor, table)}


def uninstall(connection: BaseDatabaseWrapper) -> None:
    """Takes the triggers off: for the tests' own clearing of tables, and nothing else."""
    present = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for table in FROZEN + ERASABLE:
            if table not in present:
                continue
            for name in names(table):
                on = f" ON {table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
        if SEEDS in present:
            on = f" ON {SEEDS}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {KEEPS_ONE}{on}")


def names(table: str) -> tuple[str, ...]:
    """The triggers of a table."""
    return tuple(f"{table}_no_{what}" for what in ("update", "delete", "sweep"))


def _one_seed(vendor: str) -> list[Trigger]:
    unlike = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"
    when = f"BEFORE UPDATE ON {SEEDS} FOR EACH ROW WHEN (OLD.pinned IS NOT NULL AND NEW.pinned {unlike} OLD.pinned)"
    return [Trigger(KEEPS_ONE, SEEDS, when, STOP if vendor == "sqlite" else f"EXECUTE FUNCTION {KEEPS_ONE}()")]


def _of_table(vendor: str, table: str) -> list[Trigger]:
    update, delete, sweep = names(table)
    if vendor == "sqlite":
        erased = "WHEN NOT EXISTS (SELECT 1 FROM campaigns_erasure e WHERE e.entry_id = OLD.entry_id)"
        unless = f" {erased}" if table in ERASABLE else ""
        key = "id" if table in ("campaigns_entry", "campaigns_change") else "entry_id"
        clash = f"{key} = NEW.{key}" + UNIQUE_TOO.get(table, "")
        return [
            Trigger(update, table, f"BEFORE UPDATE ON {table}", STOP),
            Trigger(delete, table, f"BEFORE DELETE ON {table}{unless}", STOP),
            # INSERT OR REPLACE would delete without firing the trigger above.
            Trigger(sweep, table, f"BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE {clash})", STOP),
        ]
    does = f"EXECUTE FUNCTION {'campaigns_trail_erasable' if table in ERASABLE else 'campaigns_trail_frozen'}()"
    return [
        Trigger(update, table, f"BEFORE UPDATE ON {table} FOR EACH ROW", does),
        Trigger(delete, table, f"BEFORE DELETE ON {table} FOR EACH ROW", does),
        Trigger(sweep, table, f"BEFORE TRUNCATE ON {table} FOR EACH STATEMENT",
                "EXECUTE FUNCTION campaigns_trail_sweep()"),
    ]
