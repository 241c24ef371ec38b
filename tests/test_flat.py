"""Pages of a long campaign ask as little of the database as those of a short one: counted in SQLite's own steps.

`python -m bench.flat` measures the same pages in time, at 100,000 entries and on PostgreSQL too.
"""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from bench import long_road
from bench.flat import WHOLE, pages
from campaigns.carrying.placing import bring_in
from campaigns.models import Campaign
from campaigns.trail import looking
from campaigns.trail import queries as trail_queries
from characters import queries as character_queries
from characters.snapshots import STEP
from play import journals, session_summary, threads
from tests.conftest import logged_in, person
from tests.effort import some
from tests.gate import seldom
from tests.test_every_url import ROUTES, Site, site
from tests.test_scans import nodes, queries
from tests.years import pass_by

__all__ = ["site"]

pytestmark = pytest.mark.django_db
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
    assert not query or answer.status_code == 200
    return count


@seldom
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="Two whole campaigns: PostgreSQL counts below.")
def test_no_page_asks_more_of_a_longer_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: dict[str, list[int]] = {}
    for entries in (SHORT, LONG):
        campaign, browser = laid(entries, tmp_path, monkeypatch)
        for name, (address, query) in pages(campaign).items():
            counts.setdefault(name, []).append(steps(browser, address, query))
    grown = {name: both for name, both in counts.items() if both[1] > max(MOST * both[0], both[0] + BARE)}
    assert not grown, f"Steps at {SHORT} and at {LONG} entries: {grown}"
    assert all(short for short, _ in counts.values()) and len(counts) > 40


BEGAN, LATER = 5 * STEP, 15 * STEP  # entries that are written before each of the two counts
# Of so few rows PostgreSQL may read all for a join, as that is cheaper than one by one; once, and not of many.
ROWS_BARE = LATER // 2


def measured(browser: Any, address: str) -> int:
    """How much a page has the database read: steps of SQLite, rows that PostgreSQL's plan went through."""
    if connection.vendor == "sqlite":
        return steps(browser, address, "")
    browser.get(address)
    with queries() as asked:
        browser.get(address)
    return sum(_rows_read(sql, given) for sql, given in asked.items())


def _rows_read(sql: str, given: Any) -> int:
    with connection.cursor() as cursor:
        # To read a small table whole is cheaper than an index; these tables grow.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) {sql}", given)
        [[said]] = cursor.fetchall()
        cursor.execute("SET LOCAL enable_seqscan = on")
    plan = (json.loads(said) if isinstance(said, str) else said)[0]["Plan"]
    counts = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")
    return sum(int(node["Actual Loops"] * sum(node.get(count, 0) for count in counts)) for node in nodes(plan))


def addresses(site: Site) -> dict[str, str]:
    """Each page of the campaign, and the Ledger and the journal as they are narrowed."""
    asked = {name: site.address(name, needed, site.here) for name, needed in ROUTES
             if "slug" in needed and name not in WHOLE}
    campaign = Campaign.objects.get(slug=site.here["slug"])
    owner, ledger = campaign.members.earliest("joined"), asked["ledger"]
    narrowed = {
        "a rare kind": "?kind=people", "a frequent kind": "?kind=rolls", "nothing": "?kind=undone",
        "a character": f"?character={site.here['character_id']}", "a person": f"?person={owner.pk}",
        "a person in a session": f"?person={owner.pk}&session={campaign.session_id}",
        "a session": f"?session={campaign.session_id}",
        "all of it": f"?person={owner.pk}&session={campaign.session_id}&kind=people&"
                     f"character={site.here['character_id']}"}
    asked |= {f"Ledger, {name}": ledger + query for name, query in narrowed.items()}
    scene = asked["journal"].replace(str(campaign.session_id), str(campaign.scene_id))
    return {**asked, "journal of a scene": scene}


@pytest.mark.parametrize("role", some(["owner", "player"], "player"))
def test_no_route_asks_more_of_a_longer_campaign(site: Site, role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (looking, trail_queries, journals, character_queries, session_summary):
        monkeypatch.setattr(module, "LOOKED", STEP)
    monkeypatch.setattr(threads, "READ", STEP)
    campaign, counts = Campaign.objects.get(slug=site.here["slug"]), dict[str, list[int]]()
    pages_asked = addresses(site)
    for entries in (BEGAN, LATER):
        pass_by(campaign, entries)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        for name, address in pages_asked.items():
            counts.setdefault(name, []).append(measured(site.browsers[role], address))
    bare = BARE if connection.vendor == "sqlite" else ROWS_BARE
    grown = {name: both for name, both in counts.items() if both[1] > max(MOST * both[0], both[0] + bare)}
    assert not grown, f"Read at {BEGAN} and at {BEGAN + LATER} entries: {grown}"
    assert len(counts) > 100
