"""What is to be done outside requests, and what has come of it.

The jobs stand in the table of `django-tasks-db`. This adds what that has not: one job for however many askings, tries
again after pauses that grow, and a lease, so that a job is taken from a worker that died. It is done at least once.
"""
from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta
from traceback import format_exception
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_tasks.base import Task, TaskResultStatus
from django_tasks_db.models import DBTaskResult

from jobs.models import Sign

Job = DBTaskResult[..., Any]  # a row of its table

LEASE = timedelta(minutes=5)  # a job that takes longer has lost its worker
GIVEN_UP = timedelta(days=1)  # for so long it is tried
FORGOTTEN = timedelta(days=1)  # signs of workers that are gone
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=2)
NAMES = uuid.UUID("7d0c2f0e-58d5-4a55-9a0b-6f2f0a2f3c11")  # the ids of jobs are made with it

# A job that has begun is done again afterwards. One that waits goes on waiting, unless it is wanted sooner.
ONCE = """
ON CONFLICT ("id") DO UPDATE SET "status" = excluded."status", "run_after" = excluded."run_after",
  "enqueued_at" = excluded."enqueued_at", "worker_ids" = excluded."worker_ids"
WHERE "{0}"."status" <> excluded."status" OR "{0}"."run_after" > excluded."run_after"
"""


def ask(work: Task[Any, Any], *args: str, at: datetime | None = None) -> None:
    """Has a job done, now or at a time, as part of the caller's transaction: one statement.

    The same work with the same arguments is one job until it begins, however often it is asked for. So the work itself
    finds out what there is to do. `args` are ids, nothing that a person wrote.
    """
    now = timezone.now()
    job = Job(
        id=uuid.uuid5(NAMES, json.dumps([work.module_path, *args])), status=TaskResultStatus.READY, enqueued_at=now,
        args_kwargs={"args": list(args), "kwargs": {}}, task_path=work.module_path, queue_name=work.queue_name,
        backend_name=work.backend, priority=work.priority, run_after=at or now, worker_ids=[],
    )
    on, fields = connections[DEFAULT_DB_ALIAS], Job._meta.concrete_fields
    columns, blanks = ", ".join(f'"{field.column}"' for field in fields), ", ".join(["%s"] * len(fields))
    table = Job._meta.db_table
    sql = f'INSERT INTO "{table}" ({columns}) VALUES ({blanks}) {ONCE.format(table)}'  # noqa: S608 - the names are the table's own
    with on.cursor() as cursor:
        cursor.execute(sql, [field.get_db_prep_save(getattr(job, field.attname), on) for field in fields])


def ready() -> QuerySet[Job]:
    """What is to be done now, the longest waiting first."""
    return Job.objects.ready().order_by("-priority", "run_after", "enqueued_at")


def given_up() -> QuerySet[Job]:
    """What was tried for a day and never done, the newest first: the operator looks at it."""
    return Job.objects.failed().order_by("-finished_at")


def late() -> timedelta:
    """For how long the first job has waited beyond its time: much more than a minute, and no worker runs."""
    first = ready().order_by("run_after").values_list("run_after", flat=True).first()
    return timezone.now() - first if first else timedelta()


def done(job: Job) -> None:
    """A job is over; one that was asked for again meanwhile stays."""
    _still(job).delete()


def failed(job: Job, error: BaseException) -> None:
    """A job is tried again after a pause, or given up."""
    now = timezone.now()
    over = now - job.enqueued_at >= GIVEN_UP
    pause = min(FIRST_PAUSE * 2 ** (len(job.worker_ids) - 1), LONGEST_PAUSE)
    _still(job).update(
        status=TaskResultStatus.FAILED if over else TaskResultStatus.READY, run_after=now + pause,
        finished_at=now if over else None, traceback="".join(format_exception(error)),
        exception_class_path=f"{type(error).__module__}.{type(error).__qualname__}",
    )


def try_again(jobs: QuerySet[Job]) -> int:
    """Has jobs done that were given up; answers how many."""
    now = timezone.now()
    return jobs.filter(status=TaskResultStatus.FAILED).update(
        status=TaskResultStatus.READY, run_after=now, enqueued_at=now, worker_ids=[])


def take_back() -> int:
    """Frees the jobs of workers that are gone; answers how many. What a day has not seen done is given up."""
    now = timezone.now()
    lost = Job.objects.running().filter(started_at__lt=now - LEASE)
    lost.filter(enqueued_at__lte=now - GIVEN_UP).update(
        status=TaskResultStatus.FAILED, finished_at=now, exception_class_path="", traceback="Its worker ended.")
    return lost.update(status=TaskResultStatus.READY)


def give_sign(worker: str) -> None:
    """A worker is there. What others said long ago goes."""
    now = timezone.now()
    Sign.objects.update_or_create(worker=worker, defaults={"at": now})
    Sign.objects.filter(at__lt=now - FORGOTTEN).delete()


def last_sign() -> timedelta | None:
    """How long ago a worker last said that it is there; None where none did for a day."""
    newest = Sign.objects.order_by("-at").values_list("at", flat=True).first()
    return timezone.now() - newest if newest else None


def _still(job: Job) -> QuerySet[Job]:
    """The job, if it is still this worker's."""
    return Job.objects.filter(Q(started_at=job.started_at), pk=job.pk, status=TaskResultStatus.RUNNING)
