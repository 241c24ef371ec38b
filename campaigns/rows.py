"""Rows written as they are: no default is filled in, no time is set, no key is chosen."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models

MOST_VALUES = 30_000  # in one statement: both databases take some more


def insert_as_they_are(rows: Sequence[models.Model], *, without: tuple[str, ...] = ()) -> None:
    """Writes rows of one table, some at a time; `without` are fields that the database fills in."""
    if rows:
        names = [field.attname for field in type(rows[0])._meta.concrete_fields if field.name not in without]
        insert_values(type(rows[0]), names, [[getattr(row, name) for name in names] for row in rows])


def insert_values(model: type[models.Model], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Writes rows of a table that has no other columns, some at a time: the values of these fields (`…_id` of one that
    points at another row). By a statement made once: Django makes one for all values, in twice the time of all else.
    """
    if not rows:
        return
    on = connections[DEFAULT_DB_ALIAS]
    by_name: dict[str, Any] = {field.attname: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in names]
    prepare = [getattr(field, "target_field", field).get_db_prep_save for field in fields]
    values = [
        [None if value is None else of(value, on) for of, value in zip(prepare, row, strict=True)] for row in rows]
    insert_prepared(model._meta.db_table, [field.column for field in fields], values)


def insert_prepared(table: str, columns: Sequence[str], values: Sequence[Sequence[Any]]) -> None:
    """Writes rows of a table, some at a time: the values of these columns, as the database takes them."""
    on = connections[DEFAULT_DB_ALIAS]
    blanks = f"({', '.join(['%s'] * len(columns))})"
    named = ", ".join(f'"{column}"' for column in columns)
    into = f'INSERT INTO "{table}" ({named}) VALUES'
    # Many rows in a statement: SQLite, which may have to take back each of them alone, took thrice as long row by row.
    with on.cursor() as cursor:
        most = max(1, MOST_VALUES // len(columns))
        for some in (values[start : start + most] for start in range(0, len(values), most)):
            cursor.execute(f"{into} {', '.join([blanks] * len(some))}", [value for row in some for value in row])
