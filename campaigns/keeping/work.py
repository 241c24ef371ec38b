"""The job of every night. The first is asked for after a migration, which each start does; each asks for the next."""
from __future__ import annotations

import logging
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.utils import timezone
from django_tasks import task

from campaigns.keeping.nightly import nightly
from jobs.queue import ask

HOUR = 3  # by the site's clock: hardly anybody plays

logger = logging.getLogger(__name__)


@task()
def back_up(night: str) -> None:
    """Writes the backup of a night, a day by ISO 8601; what fails is tried again.

    A large one takes longer than a job's lease, so that another worker begins it too: that one is refused while the
    first is at it, and later finds what that has written.
    """
    ask_for_next()
    nightly(logger.info, since=_begins(date.fromisoformat(night)))


def ask_for_next() -> None:
    """Asks for the next backup, where the settings say where it goes."""
    if settings.BACKUPS:
        now = timezone.localtime()
        day = now.date() if now.hour < HOUR else now.date() + timedelta(days=1)
        ask(back_up, day.isoformat(), at=_begins(day))


def _begins(night: date) -> datetime:
    return timezone.make_aware(datetime.combine(night, time(HOUR)))
