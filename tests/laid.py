"""What many tests begin with is laid once in each process; from then on its rows are put into the tables as they were.

People, a campaign, characters and a scene took a quarter of the time of the tests of play, and were the same each time.
"""
from __future__ import annotations

import copyreg
import os
import pickle
import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import pytest
from django.db import connection, transaction
from django.test import Client

from campaigns import bounded

T = TypeVar("T")


class Kept(NamedTuple):
    """What was laid: rows by the statement that puts them in, and what the test is given, pickled."""

    rows: dict[str, list[Any]]
    value: bytes


KEPT: dict[str, Kept] = {}
KEEPS = True
DICE = os.environ.get("TEST_DICE", "")
EMPTY: list[str] = []  # the tables in which nothing stands before a test begins
VALUES = pytest.StashKey[dict[Callable[..., Any], Any]]()


def begin() -> None:
    """From now on it is so; before, and in processes that are no tests, all is laid where it is asked for."""
    EMPTY[:] = [table for table in connection.introspection.table_names()
                if not table.startswith("campaigns_found_words") and not _stands_in([table])]


def once(name: str, lay: Callable[[], T]) -> T:
    """What `lay` answers and writes: done where this `name` is met first, with chance of its own, in a test that has
    written nothing; what it answers is a copy each time."""
    if not EMPTY or _stands_in(EMPTY):
        return lay()
    bounded.forget()  # ids come again, and what they mean is another's
    if name in KEPT and KEEPS:
        _put(KEPT[name].rows)
    else:
        with chance(f"{DICE} {name}"):
            value = lay()
        if connection.vendor != "sqlite":
            return value
        KEPT[name] = Kept(_rows(), pickle.dumps(value))
    return pickle.loads(KEPT[name].value)  # type: ignore[no-any-return]


def fixture(lays: Callable[..., Any]) -> Any:
    """A fixture that writes into the database, and asks for others of the kind alone: all that a test asks for are laid
    together, in the order in which it names them."""

    @wraps(lays)
    def given(request: pytest.FixtureRequest, **given: Any) -> Any:
        values = request.node.stash.get(VALUES, None)
        if values is None:
            values = request.node.stash[VALUES] = _of_a_test(request.node)
        return values[lays] if lays in values else lays(**given)

    asked = signature(lays)
    given.__signature__ = asked.replace(  # type: ignore[attr-defined]
        parameters=[*asked.parameters.values(), Parameter("request", Parameter.KEYWORD_ONLY)])
    given.lays = lays  # type: ignore[attr-defined]
    return pytest.fixture(given)


def _of_a_test(test: Any) -> dict[Callable[..., Any], Any]:
    """All that are laid for it, by what lays them: what asks for another kind of fixture is not."""
    fixtures = test._fixtureinfo.name2fixturedefs

    def asked_by(lays: Callable[..., Any], name: str, before: int) -> list[tuple[str, int]]:
        return [(asked, before + 1 if asked == name else 1) for asked in signature(lays).parameters if asked != "db"]

    def is_laid(name: str, before: int = 1) -> bool:
        lays = getattr(fixtures[name][-before].func, "lays", None) if name in fixtures else None
        return lays is not None and all(is_laid(*asked) for asked in asked_by(lays, name, before))

    def lay() -> dict[str, Any]:
        values: dict[str, Any] = {}

        def value(name: str, before: int = 1) -> Any:
            lays = fixtures[name][-before].func.lays
            if (key := _name(lays)) not in values:
                given = {asked[0]: value(*asked) for asked in asked_by(lays, name, before)}
                values[key] = lays(**given, **({"db": None} if "db" in signature(lays).parameters else {}))
            return values[key]

        for name in names:
            value(name)
        return values

    names = [name for name in test.fixturenames if is_laid(name)]
    laid = [fixture.func.lays for name in names for fixture in fixtures[name] if hasattr(fixture.func, "lays")]
    values = once(" ".join(_name(fixtures[name][-1].func.lays) for name in names), lay)
    return {lays: values[_name(lays)] for lays in laid if _name(lays) in values}


def _name(lays: Callable[..., Any]) -> str:
    return f"{lays.__module__}.{lays.__qualname__}"


@contextmanager
def chance(name: str) -> Iterator[None]:
    """Secrets and ids come from a source that begins anew with this name."""
    source = random.Random(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rules.dice.secrets", SimpleNamespace(
            token_bytes=source.randbytes, token_urlsafe=secrets.token_urlsafe))
        patch.setattr("uuid.os", SimpleNamespace(urandom=source.randbytes))
        yield


def _stands_in(tables: list[str]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + " OR ".join(f'EXISTS (SELECT 1 FROM "{table}")' for table in tables))
        return bool(cursor.fetchone()[0])


def _rows() -> dict[str, list[Any]]:
    """All that stands in the tables, as it is stored: a column by its name alone would be made into a date."""
    kept = {}
    for table in EMPTY:
        columns = [f'"{column[1]}"' for column in connection.connection.execute(f'PRAGMA table_info("{table}")')]
        if rows := connection.connection.execute(f'SELECT +{", +".join(columns)} FROM "{table}"').fetchall():
            kept[f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES ({", ".join("?" for _ in columns)})'] = rows
    return kept


def _put(kept: dict[str, list[Any]]) -> None:
    with transaction.atomic():
        for statement, rows in kept.items():
            connection.connection.executemany(statement, rows)


def _browser(cookies: Any) -> Client:
    client = Client()
    client.cookies = cookies
    return client


copyreg.pickle(Client, lambda client: (_browser, (client.cookies,)))
