"""Rows written as they are: no default is filled in, no time is set, no key is chosen."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models

MOST_VALUES = 30_000  # in one statement: PostgreSQL takes some more


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
    columns, blanks = ", ".join(f'"{field.column}"' for field in fields), f"({', '.join(['%s'] * len(fields))})"
    values = [
        [None if value is None else of(value, on) for of, value in zip(prepare, row, strict=True)] for row in rows]
    into = f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES'
    with on.cursor() as cursor:
        if on.vendor == "sqlite":
            cursor.executemany(f"{into} {blanks}", values)
            return
        most = max(1, MOST_VALUES // len(fields))
        for some in (values[start : start + most] for start in range(0, len(values), most)):
            cursor.execute(f"{into} {', '.join([blanks] * len(some))}", [value for row in some for value in row])
