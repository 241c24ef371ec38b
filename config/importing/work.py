"""What the worker does with a campaign's file."""
from __future__ import annotations

import logging
import time
import uuid
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction
from django.utils import timezone
from django_tasks import task

from campaigns.errors import Refused
from campaigns.models import Campaign
from campaigns.search import VERSION
from campaigns.trail import rebuild
from config.importing import scratch, services
from config.models import State, Upload
from config.sqlite import elsewhere
from jobs.queue import ask

SAID = 0.5  # seconds between two words of how far it is
NOTHING = "Nothing was imported."
FAULT = f"Something went wrong on the server. {NOTHING} The person who runs it finds the reason in its log."

logger = logging.getLogger(__name__)


@task()
def bring(upload: str) -> None:
    """Makes a campaign of a file, all of it or nothing; then what follows from it, as words for the search."""
    try:
        if taken := services.begin(uuid.UUID(upload)):
            _bring(taken)
    except services.Stopped:
        if services.is_open(uuid.UUID(upload)):  # another worker is at it: should that be killed, this one goes on
            ask(bring, upload, at=timezone.now() + services.GONE)
        return
    _follow(uuid.UUID(upload))


@task()
def sweep() -> None:
    """Throws away what a day has gone by of."""
    services.sweep()


def _bring(upload: Upload) -> None:
    owner = upload.owner
    try:
        with scratch.made(upload.pk) as folder:
            _fetch(upload, folder)
            campaign_id = scratch.place(
                folder, owner, _Steps(upload), services.bounds(by_operator=upload.by_operator))
            with transaction.atomic():
                services.end(upload, State.DONE, campaign_id=campaign_id)
                services.check_owner(upload)
                scratch.copy(folder, campaign_id, owner)
    except Refused as refused:
        services.end(upload, State.REFUSED, refusal=f"{refused.sentence} {NOTHING}")
    except (DatabaseError, OSError):  # the database is busy, the disk is full: it is tried again
        services.wait(upload)
        raise
    except services.Stopped:
        raise
    except Exception:
        logger.exception("A campaign’s file could not be imported")
        services.end(upload, State.REFUSED, refusal=FAULT)


def _fetch(upload: Upload, folder: Path) -> None:
    with (folder / "file").open("wb") as file:
        file.writelines(services.parts(upload))


def _follow(pk: uuid.UUID) -> None:
    """Nobody waits for it. Where a worker is killed at it, the next one begins it anew."""
    imported = Upload.objects.filter(pk=pk, state=State.DONE).values("campaign_id")
    for campaign in Campaign.objects.filter(pk__in=imported).exclude(search_version=VERSION):
        for follow in rebuild.FOLLOW:
            follow(campaign.pk)


class _Steps:
    """Says in the site's own database how far it is, now and then, while this thread's is another one."""

    def __init__(self, upload: Upload) -> None:
        self._upload, self._site, self._said = upload, connections[DEFAULT_DB_ALIAS], 0.0

    def __call__(self, doing: str, seq: int, last: int) -> None:
        if time.monotonic() - self._said > SAID:
            self._said = time.monotonic()
            with elsewhere.using(self._site):
                services.step(self._upload, doing, seq)
