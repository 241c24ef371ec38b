"""Statements of every roll and every page. Their SQL is made once: Django makes it in two to five times as long as the
database takes to answer it. What is not asked at every turn is better left to the ORM.
"""
from __future__ import annotations

import functools
import uuid
from collections.abc import Callable, Collection, Sequence
from copy import copy
from datetime import datetime
from functools import cache
from typing import Any, ParamSpec, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import AutoField, DateTimeField, Field, IntegerField, Model, QuerySet, TextField, UUIDField, Value
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler

P = ParamSpec("P")
R = TypeVar("R")

FIELDS: dict[type, Field[Any, Any]] = {
    uuid.UUID: UUIDField(), int: IntegerField(), str: TextField(), datetime: DateTimeField(),
}


class Size(int):
    """How many rows are read at most: it shapes a query."""


class _Blank(Value):
    """Stands in a query where something is filled in later; `value` says what."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


class _Compiled(Query):
    """A query whose compiler is there already."""

    def __init__(self, query: Query, compiler: SQLCompiler) -> None:
        vars(self).update(vars(query))
        self._compiler = compiler

    def get_compiler(self, *args: Any, **kwargs: Any) -> SQLCompiler:
        return self._compiler


def compiled_once(compose: Callable[P, QuerySet[Any, R]]) -> Callable[P, list[R]]:
    """Makes of a function that composes a query one that answers its rows.

    Ids, whole numbers, text, moments, and lists of them may only be compared with. Sizes, True, False and None may
    shape the query, as may how long a list is: for each of those it is composed again.
    """
    made: dict[Any, tuple[QuerySet[Any, R], SQLCompiler, Sequence[Any]]] = {}

    @functools.wraps(compose)
    def rows(*args: P.args, **kwargs: P.kwargs) -> list[R]:
        on = connections[DEFAULT_DB_ALIAS]
        given: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
        shape = (on.vendor, *((name, _shape(value)) for name, value in given.items()))
        if shape not in made:
            blanks = {name: _blank(name, value) for name, value in given.items()}
            placed = [blanks.pop(place) for place in range(len(args))]
            made[shape] = _compiled(compose(*placed, **blanks), on)
        query, compiler, (sql, blank) = made[shape]
        filled = tuple(_filled(given, part, on) if isinstance(part, _Blank) else part for part in blank)
        ready = copy(compiler)
        vars(ready).update(connection=on, as_sql=lambda: (sql, filled))
        asked = QuerySet[Any, R](query.model, _Compiled(query.query, ready))
        asked._iterable_class = query._iterable_class
        return list(asked)

    return rows


def _compiled(query: QuerySet[Any, R], on: Any) -> tuple[QuerySet[Any, R], SQLCompiler, Sequence[Any]]:
    """A query with its compiler, its SQL, and the values in it."""
    compiler = query.query.get_compiler(connection=on)
    try:
        sql = compiler.as_sql()
    except EmptyResultSet:
        sql = "", ()  # nothing can be found, and nothing is asked
    converters = compiler.get_converters([column for column, *_ in compiler.select])
    vars(compiler).update(get_converters=lambda _: converters)
    return query, compiler, sql


def _shape(value: Any) -> Any:
    """What of a value shapes a query: its type, and of a list also how many blanks hold it."""
    if isinstance(value, list):
        return (type(value[0]), 1 << (len(value) - 1).bit_length()) if value else (None, 0)
    return value if _shapes(value) else type(value)


def _shapes(value: Any) -> bool:
    return value is None or isinstance(value, (bool, Size))


def _blank(name: Any, value: Any) -> Any:
    if isinstance(value, list):
        of, length = _shape(value)
        return [_Blank((name, place), FIELDS[of]) for place in range(length)]
    return value if _shapes(value) else _Blank((name, None), FIELDS[type(value)])


def _filled(given: dict[Any, Any], blank: _Blank, on: Any) -> Any:
    """What the database takes for a blank."""
    name, place = blank.value
    value = given[name]
    if place is not None:
        value = value[min(place, len(value) - 1)]  # filled up with the last
    return blank.output_field.get_db_prep_value(value, on)


def insert(rows: Sequence[Model]) -> None:
    """Writes new rows of one table. A number that the database gives them as their id is not read back."""
    if rows:
        table, fields = type(rows[0])._meta.db_table, _given(type(rows[0]))
        columns, blanks = ", ".join(f'"{field.column}"' for field in fields), ", ".join(["%s"] * len(fields))
        _execute(f'INSERT INTO "{table}" ({columns}) VALUES ({blanks})', rows, fields, new=True)
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def save(rows: Sequence[Model], names: Collection[str]) -> None:
    """Writes these fields of rows of one table; raises `DatabaseError` where one is gone."""
    meta = type(rows[0])._meta
    fields: list[Any] = [meta.get_field(name) for name in sorted(names)]
    columns = ", ".join(f'"{field.column}" = %s' for field in fields)
    sql = f'UPDATE "{meta.db_table}" SET {columns} WHERE "{meta.pk.column}" = %s'
    if _execute(sql, rows, [*fields, meta.pk]) < len(rows):
        raise DatabaseError(f"A {meta.verbose_name} is gone.")


@cache
def _given(model: type[Model]) -> list[Any]:
    """The fields whose values come from us."""
    return [field for field in model._meta.concrete_fields if not isinstance(field, AutoField)]


def _execute(sql: str, rows: Sequence[Model], fields: Sequence[Any], *, new: bool = False) -> int:
    """Does it for each of the rows with the values of these fields; answers how many there were."""
    on = connections[DEFAULT_DB_ALIAS]
    values = [[field.get_db_prep_save(field.pre_save(row, new), on) for field in fields] for row in rows]
    with on.cursor() as cursor:
        cursor.executemany(sql, values) if len(values) > 1 else cursor.execute(sql, values[0])
        number: int = cursor.rowcount
        return number
