"""What is done about trial tables outside requests."""
from __future__ import annotations

from django_tasks import task

from config.trials import files
from jobs.queue import ask


@task()
def sweep() -> None:
    """Deletes those that are over, and comes again for the next."""
    files.sweep()
    if left := files.there():
        ask(sweep, at=files.until(left[0].name))
