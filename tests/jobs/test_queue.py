"""What is asked for is done: once for many askings, again where it failed, by another where its worker died."""
from __future__ import annotations

import time
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks import task

from jobs import queue
from jobs.queue import Job, ask
from jobs.worker import Worker
from tests.jobs import working

pytestmark = pytest.mark.django_db

DONE: list[str] = []
WHILE: list[Any] = []  # what happens while a job is being done


@task()
def note(name: str) -> None:
    if WHILE:
        WHILE.pop(0)()
    DONE.append(name)


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    DONE.clear()
    WHILE.clear()


def work(later: timedelta = timedelta()) -> list[str]:
    """The worker does what is ready when so much time has gone by; answers what was done."""
    before = len(DONE)
    working.work(later)
    return DONE[before:]


def fails() -> None:
    raise ConnectionError("no mail server")


def dies() -> None:
    raise KeyboardInterrupt


def test_many_askings_are_one_job_by_one_statement_each() -> None:
    with CaptureQueriesContext(connection) as asked:
        for _ in range(3):
            ask(note, "a")
    assert len(asked) == 3
    ask(note, "b")
    assert work() == ["a", "b"] and work() == []
    assert not Job.objects.exists()


def test_what_is_rolled_back_asks_for_nothing() -> None:
    with transaction.atomic():
        ask(note, "a")
        transaction.set_rollback(True)
    assert work() == []


def test_what_waits_for_a_time_is_done_then_and_sooner_where_it_is_asked_for_sooner() -> None:
    now = timezone.now()
    ask(note, "a", at=now + timedelta(hours=2))
    ask(note, "a", at=now + timedelta(hours=3))
    assert work() == [] and work(timedelta(hours=2)) == ["a"]
    ask(note, "a", at=now + timedelta(hours=2))
    ask(note, "a")
    assert work() == ["a"]


def test_what_is_asked_for_while_it_is_being_done_is_done_again() -> None:
    ask(note, "a")
    WHILE.append(lambda: ask(note, "a"))
    assert work() == ["a", "a"]


def test_what_fails_is_tried_after_pauses_that_grow_and_given_up_after_a_day(capsys: Any) -> None:
    ask(note, "a")
    WHILE.extend([fails] * 40)
    pauses = []
    for _ in range(40):
        if queue.given_up().exists():
            break
        assert work(timedelta(seconds=10)) == []
        job = Job.objects.get()
        pauses.append(job.run_after - timezone.now())
        assert work(pauses[-1] - timedelta(seconds=5)) == []
    minutes = [round(pause.total_seconds() / 60) for pause in pauses]
    assert minutes[:8] == [1, 2, 4, 8, 16, 32, 64, 120]
    assert 12 < len(minutes) < 24
    call_command("jobs")
    assert "no mail server" in capsys.readouterr().out
    WHILE.clear()
    assert work(timedelta(days=9)) == []
    call_command("jobs", "--retry")
    assert work() == ["a"]


def test_a_job_is_taken_from_a_worker_that_is_gone() -> None:
    ask(note, "a")
    WHILE.append(dies)
    with pytest.raises(KeyboardInterrupt):
        work()
    assert work(queue.LEASE - timedelta(seconds=5)) == []
    assert work(timedelta(seconds=10)) == ["a"]


def test_how_late_the_first_one_is_says_that_no_worker_runs() -> None:
    assert queue.late() == timedelta()
    ask(note, "a", at=timezone.now() + timedelta(hours=1))
    assert queue.late() == timedelta()
    ask(note, "b", at=timezone.now() - timedelta(hours=1))
    assert queue.late() >= timedelta(hours=1)


@pytest.mark.parametrize("broken", ["take_back", "ready", "done"])
def test_a_worker_outlives_a_database_that_is_away(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it breaks, it looks again after pauses that grow; what was under way is done when its lease is over."""
    ask(note, "a")
    pauses: list[float] = []
    sound, away = getattr(queue, broken), OperationalError("server login has been failing")
    monkeypatch.setattr(queue, broken, Mock(side_effect=away))

    def wait(pause: float) -> None:
        pauses.append(pause)
        Job.objects.exclude(started_at=None).update(started_at=F("started_at") - queue.LEASE)
        if len(pauses) == 6:
            monkeypatch.setattr(queue, broken, sound)
        if len(pauses) == 7:
            worker.running = False

    monkeypatch.setattr(time, "sleep", wait)
    monkeypatch.setattr("jobs.worker.LOOK_FOR_LOST", 0.0)
    worker = Worker(worker_id="steady", interval=0)
    with working.one_connection():
        worker.run()
    assert DONE and not Job.objects.exists()
    assert pauses == [1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 0.0]
