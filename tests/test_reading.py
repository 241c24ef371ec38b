"""Whoever reads needs nothing to be written: a full disk, a backup or another writer holds up no page."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from tests.effort import some
from tests.test_every_url import ROUTES, Site, site

__all__ = ["site"]

pytestmark = [
    pytest.mark.django_db(transaction=True),  # pages are made outside of any transaction
    pytest.mark.skipif("__import__('django').db.connection.vendor != 'sqlite'", reason="SQLite"),
]


@contextmanager
def only_reading() -> Iterator[None]:
    """The database refuses to write, and to begin a transaction that might."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
        try:
            yield
        finally:
            cursor.execute("PRAGMA query_only = OFF")


@pytest.mark.parametrize("role", some(["anonymous", "outsider", "player", "owner"], "anonymous", "owner"))
def test_every_page_can_be_read_where_nothing_can_be_written(site: Site, role: str) -> None:
    wrong = []
    for route, needed in ROUTES:
        address = site.address(route, needed, site.here)
        with only_reading():  # first: much is written only by the first visit
            status = site.browsers[role].get(address).status_code
        usual = site.browsers[role].get(address).status_code
        if status != usual:
            wrong.append(f"{route}: {status}, not {usual}")
    assert not wrong, "\n".join(wrong)
