"""Append-only in the database itself: triggers for each back end, and a test that they stand after every migration."""
from __future__ import annotations

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


def install(connection: BaseDatabaseWrapper) -> None:
    """Puts the triggers on, again and again if asked: SQLite drops them whenever a table is remade."""
    present = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for table in FROZEN + ERASABLE:
            if table in present:
                for statement in _statements(connection.vendor, table):
                    cursor.execute(statement)
        if _column(cursor, connection, SEEDS, "pinned"):
            for statement in _one_seed(connection.vendor):
                cursor.execute(statement)


def _column(cursor: Any, connection: BaseDatabaseWrapper, table: str, name: str) -> bool:
    """Whether there is such a column: migrations stop on the way, too."""
    found = connection.introspection
    return table in found.table_names(cursor) and name in {
        column.name for column in found.get_table_description(cursor, table)}


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


def _one_seed(vendor: str) -> list[str]:
    unlike = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"
    when = f"BEFORE UPDATE ON {SEEDS} FOR EACH ROW WHEN (OLD.pinned IS NOT NULL AND NEW.pinned {unlike} OLD.pinned)"
    if vendor == "sqlite":
        return [f"CREATE TRIGGER IF NOT EXISTS {KEEPS_ONE} {when} BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"]
    return [
        f"CREATE OR REPLACE FUNCTION {KEEPS_ONE}() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION '{MESSAGE}'; END $$",
        f"DROP TRIGGER IF EXISTS {KEEPS_ONE} ON {SEEDS}",
        f"CREATE TRIGGER {KEEPS_ONE} {when} EXECUTE FUNCTION {KEEPS_ONE}()",
    ]


def _statements(vendor: str, table: str) -> list[str]:
    update, delete, sweep = names(table)
    if vendor == "sqlite":
        erased = "WHEN NOT EXISTS (SELECT 1 FROM campaigns_erasure e WHERE e.entry_id = OLD.entry_id)"
        unless = erased if table in ERASABLE else ""
        key = "id" if table in ("campaigns_entry", "campaigns_change") else "entry_id"
        clash = f"{key} = NEW.{key}" + UNIQUE_TOO.get(table, "")
        stop = f"BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"
        return [
            f"CREATE TRIGGER IF NOT EXISTS {update} BEFORE UPDATE ON {table} {stop}",
            f"CREATE TRIGGER IF NOT EXISTS {delete} BEFORE DELETE ON {table} {unless} {stop}",
            # INSERT OR REPLACE would delete without firing the trigger above.
            f"CREATE TRIGGER IF NOT EXISTS {sweep} BEFORE INSERT ON {table}"
            f" WHEN EXISTS (SELECT 1 FROM {table} WHERE {clash}) {stop}",
        ]
    function = "campaigns_trail_erasable" if table in ERASABLE else "campaigns_trail_frozen"
    passes = "IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM campaigns_erasure e WHERE e.entry_id = OLD.entry_id)" \
             " THEN RETURN OLD; END IF; " if table in ERASABLE else ""
    return [
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN {passes}RAISE EXCEPTION '{MESSAGE}'; END $$",
        "CREATE OR REPLACE FUNCTION campaigns_trail_sweep() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION '{MESSAGE}'; END $$",
        *(f"DROP TRIGGER IF EXISTS {name} ON {table}" for name in names(table)),
        f"CREATE TRIGGER {update} BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()",
        f"CREATE TRIGGER {delete} BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()",
        f"CREATE TRIGGER {sweep} BEFORE TRUNCATE ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION campaigns_trail_sweep()",
    ]
