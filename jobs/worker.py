"""Does what is asked for, one job after the other, until it is told to end."""
from __future__ import annotations

import logging
import os
import time

from django.db import InterfaceError, OperationalError, close_old_connections
from django_tasks_db.management.commands.db_worker import Worker as PlainWorker

from jobs import queue
from jobs.queue import Job

logger = logging.getLogger(__name__)

LOOK_FOR_LOST = 30.0  # seconds between looks for jobs whose worker is gone, and between signs of one's own
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 15.0  # seconds until it looks again, while the database is away


class Worker(PlainWorker):
    """The worker of `django-tasks-db`, with leases and further tries."""

    def __init__(self, *, worker_id: str, interval: float, once: bool = False, parent: int = 0) -> None:
        super().__init__(
            queue_names=["*"], excluded_queue_names=[], interval=interval, batch=True, backend_name="default",
            startup_delay=False, max_tasks=None, worker_id=worker_id)
        self.once, self.parent = once, parent
        self._looked = float("-inf")

    def run(self) -> None:
        """Works until `shutdown`; with `once` until nothing is ready, with `parent` until that process is gone.

        It outlives a database that is away, busy or full: it looks again after pauses that grow. A job that was under
        way then is done again, when its lease is over.
        """
        away = 0.0
        while self.running:
            try:
                self._round()
                away = 0.0
            except (OperationalError, InterfaceError) as error:
                if self.once:
                    raise
                away = min(2 * away, LONGEST_PAUSE) if away else FIRST_PAUSE
                logger.warning("The worker looks again in %.0f s: %s", away, error)
            if self.once or (self.parent and os.getppid() != self.parent):
                return
            if self.running:
                time.sleep(away or self.interval)

    def _round(self) -> None:
        """Does what is ready. Looking whether there is anything takes no lock, so that who writes at the table never
        waits for it."""
        close_old_connections()
        if time.monotonic() - self._looked > LOOK_FOR_LOST:
            queue.take_back()
            queue.give_sign(self.worker_id)
            self._looked = time.monotonic()
        if queue.ready().exists():
            super().run()

    def run_task(self, db_task_result: Job) -> None:
        """Does one job; what fails is tried again later."""
        self.running_task = True
        try:
            work = db_task_result.task
            work.call(*db_task_result.args_kwargs["args"], **db_task_result.args_kwargs["kwargs"])
        except Exception as error:
            logger.warning("%s %s: %r", db_task_result.task_name, db_task_result.pk, error)
            queue.failed(db_task_result, error)
        else:
            queue.done(db_task_result)
        finally:
            self.running_task = False
            self._run_tasks += 1
