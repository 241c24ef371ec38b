"""What is said of each request, and what a supervisor may ask."""
from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test import override_settings
from django.utils import timezone
from django_tasks import task
from prometheus_client import REGISTRY

from accounts.models import User
from campaigns.trail import triggers
from config import health, metrics
from config.health import Health
from config.logs import Discreet, Json, Text
from config.protocol import Receive, Scope, Send, body, start
from config.requests import NOTE, Note, noted
from jobs import queue
from jobs.models import Sign
from tests.databases import ROOT
from tests.jobs.working import work
from tests.live.client import Client, play, serve


@task()
def nothing() -> None:
    """A job."""


SECRET = "k3pt-between-u5"
INVITATION = f"/join/{SECRET}/"


async def answers(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send(start(200, "text/html"))
    await send(body(b""))


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """What was logged, as it would be written: as text, and as JSON."""
    said = []
    for record in caplog.records:
        Discreet().filter(record)
        said.append((Text().format(record), json.loads(Json().format(record))))
    return said


def test_a_request_is_one_line_that_holds_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "config.requests")
    client = Client(INVITATION, "GET")
    play(serve(lambda *asked: noted(answers, *asked), client))
    [(text, fields)] = lines(caplog)
    assert {**fields, "time": "", "id": "", "ms": 0} == {
        "time": "", "level": "INFO", "id": "", "method": "GET", "route": "join", "status": 200, "ms": 0, "person": ""}
    assert dict(client.sent[0]["headers"])[b"x-request-id"].decode() == fields["id"]
    assert f"INFO {fields['id']} GET join 200 " in text
    assert SECRET not in text + str(fields)
    assert REGISTRY.get_sample_value("site_requests_total", {"method": "GET", "route": "join", "status": "200"})


@pytest.mark.django_db
def test_the_view_and_the_person_are_told_to_the_note(as_alice: Browser) -> None:
    note = Note()
    as_alice.get("/", **{NOTE: note})
    assert (note.route, note.person) == ("home", str(User.objects.get(username="Alice").pk))


@pytest.mark.django_db
def test_a_foreign_name_and_a_fault_are_said_without_the_address(
    client: Browser, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with override_settings(ALLOWED_HOSTS=["localhost"]):
        client.get(INVITATION, headers={"host": "evil.example"})
    [(text, _)] = lines(caplog)
    assert "evil.example" in text
    assert "\n" not in text
    caplog.clear()

    def breaks(*_: Any) -> None:
        raise RuntimeError("on purpose")

    client.raise_request_exception = False
    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request", breaks)
    client.get(INVITATION)
    assert SECRET not in "".join(text for text, _ in lines(caplog))


@pytest.fixture
def asked() -> Iterator[Health]:
    made = Health(lambda: True)
    yield made
    made.close()


def ask(asked: Health, path: str, *headers: tuple[bytes, bytes]) -> Client:
    client = Client(path, "GET", headers=headers)
    play(serve(asked, client))
    return client


def test_the_process_says_that_it_lives(asked: Health) -> None:
    assert (ask(asked, "/healthz").status, ask(asked, "/healthz").text) == (200, "ok\n")


@pytest.mark.django_db
def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "close_old_connections", lambda: None)
    assert health._checked()["worker"] == "none has given a sign for a day"
    assert b"site_worker_sign_age_seconds" not in metrics.page()
    work()
    assert b"site_worker_sign_age_seconds 0." in metrics.page()
    assert health._checked() == {"database": "ok", "migrations": "ok", "triggers": "ok", "worker": "ok"}
    triggers.uninstall(connection)
    try:
        assert "missing: campaigns_entry_no_update" in health._checked()["triggers"]
    finally:
        triggers.install(connection)
    queue.ask(nothing, at=timezone.now() - timedelta(minutes=7))
    assert health._checked()["worker"] == "the first job is 7 minutes late"
    assert b"site_jobs_ready 1.0" in metrics.page()
    work()
    Sign.objects.update(at=timezone.now() - timedelta(minutes=9))
    assert health._checked()["worker"] == "its last sign is 9 minutes old"
    assert 539 < float(metrics.page().decode().rpartition("site_worker_sign_age_seconds ")[2].split()[0]) < 600


def test_a_database_that_fails_or_hangs_is_said_without_its_address(
    asked: Health, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> str:
        raise OSError("postgres://me:s3cret@host/name")

    monkeypatch.setattr(health, "CHECKS", {"database": fails})
    monkeypatch.setattr(health, "close_old_connections", lambda: None)
    client = ask(asked, "/readyz")
    assert (client.status, client.text) == (503, "database: failed (OSError)\nlistener: ok\n")
    monkeypatch.setattr(health, "KEPT", 0)
    monkeypatch.setattr(health, "WITHIN", 0.05)
    monkeypatch.setattr(health, "CHECKS", {"database": lambda: __import__("time").sleep(0.3) or "ok"})
    client = ask(asked, "/readyz")
    assert (client.status, client.text.splitlines()[0]) == (503, "database: no answer within 0.05 seconds")


@pytest.mark.django_db
def test_numbers_are_for_whoever_has_the_token(asked: Health, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics.Jobs, "collect", lambda _: iter(()))  # the thread has a database of its own here
    assert ask(asked, "/metrics", (b"authorization", b"Bearer ")).status == 404
    with override_settings(METRICS_TOKEN="a token"):
        assert ask(asked, "/metrics", (b"authorization", b"Bearer another")).status == 404
        client = ask(asked, "/metrics", (b"authorization", b"Bearer a token"))
    assert client.status == 200
    for name in ("site_request_seconds", "site_streams", "site_write_lock_wait_seconds", "site_threads_busy"):
        assert f"# TYPE {name} " in client.text


@pytest.mark.parametrize(("sql", "waits"), [("BEGIN IMMEDIATE", 1), ("SELECT 1 FOR UPDATE OF x", 1), ("SELECT 1", 0)])
def test_waiting_for_the_lock_is_timed(sql: str, waits: int) -> None:
    def count() -> float:
        return REGISTRY.get_sample_value("site_write_lock_wait_seconds_count") or 0

    before = count()
    assert metrics.timing_locks(lambda *_: "done", sql, (), False, {}) == "done"
    assert count() - before == waits


@pytest.mark.django_db
def test_the_dashboard_shows_what_is_counted() -> None:
    work()
    panels = json.loads((ROOT / "docs" / "dashboard.json").read_text())["panels"]
    asked = " ".join(target["expr"] for panel in panels for target in panel["targets"])
    shown = set(re.findall(r"site_\w+", asked))
    counted = set(re.findall(r"^# TYPE (\w+)", metrics.page().decode(), re.MULTILINE))
    assert {re.sub("_bucket$", "", name) for name in shown} <= counted
    assert {name for name in counted if name.startswith(("site_jobs", "site_worker"))} <= shown
    assert len({panel["id"] for panel in panels}) == len(panels)
