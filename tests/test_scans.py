"""No page reads a table from end to end: each query of each page is explained, and finds its rows by an index.

What a page reads by an index may still be much, as all entries of a campaign would be; that pages stay as quick as
they were is for `python -m bench` to say. SQLite says what it would do with these few rows as with many, for it
knows no numbers without ANALYZE. PostgreSQL is told to scan no table that it need not scan: what it scans all the same
has no index; which of several it takes depends on numbers, so that SQLite's answer is the stricter.
"""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from campaigns.models import Member
from tests.test_every_url import ROUTES, Site, site

__all__ = ["site"]

pytestmark = pytest.mark.django_db

# Tables that have a few rows for ever. All others grow with campaigns, people or years.
SMALL = {"auth_permission", "auth_group", "django_content_type"}
GROWING = {model._meta.db_table for model in apps.get_models()} - SMALL
Plan = list[tuple[str, str]]  # tables that are read from end to end, and what the plan says of it

WORDS = "INNER|LEFT|WHERE|ON|ORDER|GROUP|LIMIT|CROSS"  # what follows a table that has no other name
NAMED = re.compile(rf'(?:FROM|JOIN) \(?"(\w+)"(?: (?:AS )?"?(?!(?:{WORDS})\b)(\w+)"?)?', re.IGNORECASE)


def scans_of_sqlite(sql: str, given: Any) -> Plan:
    called = {other or table: table for table, other in NAMED.findall(sql)}
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", given)
        lines = [row[3] for row in cursor.fetchall()]
    scans = ((line, line.split()[1]) for line in lines if line.startswith("SCAN "))
    return [(called.get(name, name), line) for line, name in scans]


def scans_of_postgresql(sql: str, given: Any) -> Plan:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", given)
        [[said]] = cursor.fetchall()
        cursor.execute("SET LOCAL enable_seqscan = on")
    plan = (json.loads(said) if isinstance(said, str) else said)[0]["Plan"]
    return [(node["Relation Name"], "Seq Scan") for node in nodes(plan) if node["Node Type"] == "Seq Scan"]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


SCANS: dict[str, Callable[[str, Any], Plan]] = {"sqlite": scans_of_sqlite, "postgresql": scans_of_postgresql}


@contextmanager
def queries() -> Iterator[dict[str, Any]]:
    """What is asked meanwhile, each statement once, and what it was given."""
    asked: dict[str, Any] = {}

    def ask(execute: Any, sql: str, given: Any, many: bool, context: Any) -> Any:
        if not many and sql.lstrip().upper().startswith(("SELECT", "WITH")):
            asked.setdefault(sql, given)
        return execute(sql, given, many, context)

    with connection.execute_wrapper(ask):
        yield asked


def scanned(asked: dict[str, Any]) -> set[tuple[str, str, str]]:
    """Growing tables that these queries read whole."""
    explain = SCANS[connection.vendor]
    return {(table, plan, sql) for sql, given in asked.items()
            for table, plan in explain(sql, given) if table in GROWING}


def test_no_page_scans_what_grows(site: Site) -> None:
    wrong, known = [], {}
    for route, needed in ROUTES:
        with queries() as asked:
            site.ask("owner", "get", site.address(route, needed, site.here))
        new = {sql: given for sql, given in asked.items() if sql not in known}
        known |= new
        wrong += [f"{route} reads all of {table} ({plan}):\n    {sql}" for table, plan, sql in scanned(new)]
    assert len(known) > 150, "Hardly anything was asked: the pages are not walked."
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("role", ["owner", "player"])
def test_no_search_scans_what_grows(site: Site, role: str) -> None:
    with queries() as asked:
        for words in ("well", "the dry well", "nobody wrote this"):
            answer = site.ask(role, "get", site.address("search", ("slug",), site.here), {"q": words})
            assert answer.status_code == 200
    assert any("campaigns_found" in sql for sql in asked)
    wrong = scanned(asked)
    assert not wrong, "\n".join(f"all of {table} ({plan}):\n    {sql}" for table, plan, sql in wrong)


@pytest.mark.parametrize("role", ["owner", "player"])
def test_no_narrowed_ledger_scans_what_grows(site: Site, role: str) -> None:
    owner, character = Member.objects.earliest("joined").pk, site.here["character_id"]
    with queries() as asked:
        for narrowed in ({"kind": "rolls"}, {"kind": "people"}, {"person": owner}, {"character": character},
                         {"session": site.here["session_id"]}, {"person": owner, "session": site.here["session_id"]},
                         {"kind": "rolls", "character": character, "person": owner}):
            answer = site.ask(role, "get", site.address("ledger", ("slug",), site.here), narrowed)
            assert answer.status_code == 200
    assert any("WITH RECURSIVE" in sql for sql in asked)
    wrong = scanned(asked)
    assert not wrong, "\n".join(f"all of {table} ({plan}):\n    {sql}" for table, plan, sql in wrong)


def test_a_scan_is_seen() -> None:
    with queries() as asked, connection.cursor() as cursor:
        cursor.execute('SELECT "title" FROM "campaigns_page" WHERE "text" = %s', ["nobody wrote this"])
    assert {table for table, _, _ in scanned(asked)} == {"campaigns_page"}
