"""Rows written as they are: no default is filled in, no time is set, no key is chosen."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, models
from django.db.models.query import QuerySet

MOST_VALUES = 30_000  # in one statement: SQLite and PostgreSQL take some more


def insert_as_they_are(rows: Sequence[models.Model], *, without: tuple[str, ...] = ()) -> None:
    """Writes rows of one table, some at a time; `without` are fields that the database fills in."""
    if rows:
        model = type(rows[0])
        fields = [field for field in model._meta.concrete_fields if field.name not in without]
        into: Any = QuerySet(model, using=DEFAULT_DB_ALIAS)
        most = max(1, MOST_VALUES // len(fields))
        for start in range(0, len(rows), most):
            into._insert(rows[start : start + most], fields=fields, using=DEFAULT_DB_ALIAS, raw=True)
