"""Pages of a long campaign ask as little of the database as those of a short one: counted in SQLite's own steps.

`python -m bench.flat` measures the same pages in time, at 100,000 entries and on PostgreSQL too.
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from bench import long_road
from bench.flat import pages
from campaigns.carrying.placing import bring_in
from characters.snapshots import STEP
from tests.conftest import logged_in, person

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite counts its steps, PostgreSQL does not")]
SHORT, LONG = 3 * STEP + 32, 11 * STEP + 32  # entries: whole pages of everything, and as many since a snapshot
EVERY = 20  # steps between two counts
MOST = 1.2
BARE = 3000  # steps that a page may differ by, however few it has: how trees are filled


def laid(entries: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """A campaign of so many entries, and its owner's browser."""
    for name in ("CAMPAIGN", "OWNER", "SHEET"):
        monkeypatch.setattr(long_road, name, getattr(long_road, name))
    long_road.another(str(entries))
    file = folder / f"{entries}.gz"
    long_road.write(file, entries)
    owner = person(f"Mara{entries}")
    with file.open("rb") as opened:
        return bring_in(opened, owner=owner, people={}), logged_in(owner)


def steps(browser: Any, address: str, query: str) -> int:
    """What a page asks of SQLite, once what is kept in the process is kept."""
    browser.get(address, QUERY_STRING=query)
    count = 0

    def counted() -> int:
        nonlocal count
        count += EVERY
        return 0

    connection.connection.set_progress_handler(counted, EVERY)
    try:
        answer = browser.get(address, QUERY_STRING=query)
    finally:
        connection.connection.set_progress_handler(None, 0)
    assert answer.status_code == 200
    return count


def test_no_page_asks_more_of_a_longer_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: dict[str, list[int]] = {}
    for entries in (SHORT, LONG):
        campaign, browser = laid(entries, tmp_path, monkeypatch)
        for name, (address, query) in pages(campaign).items():
            counts.setdefault(name, []).append(steps(browser, address, query))
    grown = {name: both for name, both in counts.items() if both[1] > max(MOST * both[0], both[0] + BARE)}
    assert not grown, f"Steps at {SHORT} and at {LONG} entries: {grown}"
    assert all(short for short, _ in counts.values()) and len(counts) > 12
