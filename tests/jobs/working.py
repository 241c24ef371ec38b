"""The worker, in a test's own transaction."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from unittest.mock import patch

from django.db.models import F
from django_tasks_db.management.commands import db_worker

from jobs import worker
from jobs.queue import Job


def work(later: timedelta = timedelta()) -> None:
    """Does what is ready when so much time has gone by."""
    Job.objects.update(run_after=F("run_after") - later, enqueued_at=F("enqueued_at") - later)
    Job.objects.exclude(started_at=None).update(started_at=F("started_at") - later)
    with one_connection():
        worker.Worker(worker_id="test", interval=0, once=True).run()


@contextmanager
def one_connection() -> Iterator[None]:
    """A transaction would be gone with its connection. Django's test client keeps that the same way."""
    with patch.object(worker, "close_old_connections"), patch.object(db_worker, "close_old_connections"):
        yield
