"""What the database takes back, since others wrote meanwhile, is done again: once, and never as a part of something."""
from __future__ import annotations

import uuid
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, transaction

from accounts import conflicts
from campaigns import trail
from campaigns.models import Entry

CONFLICTS = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)


def taken_back(kind: type[Exception] = psycopg.errors.SerializationFailure) -> OperationalError:
    """What Django raises for it."""
    error = OperationalError("could not serialize access")
    error.__cause__ = kind("could not serialize access")
    return error


class Work:
    """Fails so often, then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.tries = list(errors), 0

    def __call__(self) -> str:
        self.tries += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests run in a transaction; what is tried here does not."""
    monkeypatch.setattr(conflicts, "connection", SimpleNamespace(in_atomic_block=False))


@pytest.mark.parametrize("kind", CONFLICTS)
def test_what_was_taken_back_is_done_again_until_it_is_written(kind: type[Exception]) -> None:
    work = Work(taken_back(kind), taken_back(kind), taken_back(kind))
    assert trail.retried(work)() == "done"
    assert work.tries == 4


@pytest.mark.parametrize("error", [
    OperationalError("disk full"), taken_back(psycopg.errors.DiskFull), ValueError("no"),
])
def test_any_other_error_is_raised_at_once(error: Exception) -> None:
    work = Work(error)
    with pytest.raises(type(error)):
        trail.retried(work)()
    assert work.tries == 1


def test_after_a_while_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflicts, "WITHIN", -1.0)
    with pytest.raises(OperationalError):
        trail.retried(Work(taken_back()))()


def test_a_part_is_not_done_again_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflicts, "connection", SimpleNamespace(in_atomic_block=True))
    work = Work(taken_back())
    with pytest.raises(OperationalError):
        trail.retried(work)()
    assert work.tries == 1


@pytest.mark.django_db
def test_a_service_that_is_done_again_writes_one_entry(campaign: Any, alices: Any) -> None:
    errors = [taken_back()]

    @trail.answers_once
    def said(op_id: uuid.UUID) -> Entry:
        with transaction.atomic(), trail.entry(
            campaign=campaign, actor=alices, op_id=op_id, kind="note.add", title="A word"
        ) as entry:
            if errors:
                raise errors.pop()
        return entry.written

    before = Entry.objects.filter(campaign=campaign).count()
    assert said(uuid.uuid4()).seq == before + 1
    assert Entry.objects.filter(campaign=campaign).count() == before + 1
