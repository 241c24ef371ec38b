"""What a page answers where the database fails, and what it never says."""
from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.test import Client

from accounts.troubles import AWAY, BUSY, FULL, LOST, trouble_of
from campaigns.models import Entry
from config.live import Live
from config.visits import Visits

pytestmark = pytest.mark.django_db


def as_django_says_it(cause: Exception) -> OperationalError:
    error = OperationalError(*cause.args)
    error.__cause__ = cause
    return error


def full() -> OperationalError:
    """What SQLite says when its file can't grow."""
    opened = sqlite3.connect(":memory:")
    opened.executescript("PRAGMA max_page_count = 2; CREATE TABLE line (text)")
    with pytest.raises(sqlite3.OperationalError, match="full") as said:
        opened.execute("INSERT INTO line VALUES (?)", ["x" * 10_000])
    return as_django_says_it(said.value)


def fail(*_given: Any, **_named: Any) -> None:
    raise full()


def of_sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("as it says")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(("cause", "trouble"), [
    (of_sqlite(sqlite3.SQLITE_FULL), FULL), (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), FULL),
    (of_sqlite(sqlite3.SQLITE_BUSY), BUSY), (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), BUSY),
    (of_sqlite(sqlite3.SQLITE_CANTOPEN), AWAY), (of_sqlite(sqlite3.SQLITE_ERROR), None),
    (psycopg.errors.DiskFull(), FULL), (psycopg.errors.DeadlockDetected(), BUSY),
    (psycopg.errors.LockNotAvailable(), BUSY), (psycopg.errors.AdminShutdown(), LOST),
    (psycopg.errors.UndefinedTable(), None), (ValueError(), None),
])
def test_what_a_database_suffers_from_is_told_by_its_code(cause: Exception, trouble: Any) -> None:
    assert trouble_of(as_django_says_it(cause)) is trouble


def test_what_is_no_failure_of_the_database_stays_a_fault_of_ours(
    as_alice: Client, monkeypatch: pytest.MonkeyPatch,
) -> None:
    as_alice.raise_request_exception = False

    def broken(*_given: Any, **_named: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM no_such_table")

    monkeypatch.setattr("campaigns.views.home.render_page", broken)
    answer = as_alice.get("/")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.content.decode()


def told(campaign: Any, browser: Client) -> Callable[[], Any]:
    """Changes the campaign's name, which leaves a notice for the next page."""
    def change() -> Any:
        form = browser.get(f"/c/{campaign.slug}/settings/").context["form"]
        said = {name: form[name].value() for name in form.fields}
        sent = {name: value for name, value in said.items() if value is not None}
        return browser.post(f"/c/{campaign.slug}/settings/", {**sent, "name": "The Glass Sea"})
    return change


def test_what_was_written_is_not_taken_back_by_a_notice_that_could_not_be(
    campaign: Any, alices: Any, as_alice: Client, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Session, "save", fail)  # Django says then that the session was deleted
    before = Entry.objects.filter(campaign=campaign).count()
    assert told(campaign, as_alice)().status_code == 302
    assert Entry.objects.filter(campaign=campaign).count() == before + 1


def test_a_notice_is_read_though_it_can_not_be_taken_away(
    campaign: Any, alices: Any, as_alice: Client, monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert told(campaign, as_alice)().status_code == 302
    with monkeypatch.context() as while_full:
        while_full.setattr(SessionStore, "save", fail)
        for _ in range(2):
            answer = as_alice.get(f"/c/{campaign.slug}/settings/")
            assert answer.status_code == 200
            assert "Settings saved." in answer.content.decode()
    assert "Settings saved." in as_alice.get(f"/c/{campaign.slug}/settings/").content.decode()
    assert "Settings saved." not in as_alice.get(f"/c/{campaign.slug}/settings/").content.decode()


def test_who_cannot_be_logged_in_is_told_so(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Client(raise_request_exception=False)
    monkeypatch.setattr(SessionStore, "save", fail)
    answer = browser.post("/log-in/", {"username": "Alice", "password": "a long password"})
    assert answer.status_code == 503
    page = answer.content.decode()
    assert "Nothing was saved." in page
    assert 'value="Alice"' in page
    assert "a long password" not in page
    assert "passwords are not kept" in page
    assert "sessionid" not in browser.cookies


def test_who_cannot_look_as_somebody_is_told_so(
    campaign: Any, alices: Any, bobs: Any, as_alice: Client, monkeypatch: pytest.MonkeyPatch,
) -> None:
    as_alice.raise_request_exception = False
    monkeypatch.setattr(SessionStore, "save", fail)
    assert as_alice.post(f"/c/{campaign.slug}/people/{bobs.pk}/view-as/").status_code == 503


def test_who_wants_to_listen_meanwhile_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.live._looked_up", fail)
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async def listen() -> None:
        live = Live(Visits(most=9, most_each=9, most_bytes=9))
        cookie = (b"cookie", b"sessionid=" + b"x" * 32)
        await live({"type": "http", "headers": [cookie], "client": ("127.0.0.1", 1)}, receive, send, "the-salt-road")
        await live.close()

    asyncio.run(listen())
    assert sent[0]["status"] == 503 and FULL.sentence("GET").encode() in sent[1]["body"]
