"""Files on their way in: kept, begun, stopped, ended, thrown away. Each changes one row, for whoever comes first."""
from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import IO, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts import tallies
from accounts.models import User
from campaigns.budgets import room_for_campaign
from campaigns.carrying import placing
from campaigns.errors import Refused
from config import limits
from config.models import OPEN, State, Upload, UploadPart
from jobs.queue import ask

KEPT = timedelta(days=1)
GONE = timedelta(minutes=2)  # without a sign of its worker another one begins anew
MOST_OPEN = 20  # on the whole server: 300 MB
PART = limits.MB
TOO_OFTEN = "You have imported as many campaigns as one account may in an hour."
ONE = "You are importing a campaign already. Wait until that is done, or stop it."
TOO_MANY = "Too many campaigns are being imported at the moment. Try again later."


class Stopped(Exception):
    """Somebody stopped it, or another worker is at it."""


def bounds(*, by_operator: bool) -> placing.Bounds:
    """What a file may hold. Whoever has an account may try anything: what it unpacks to, and how many places it makes,
    is bounded too."""
    if by_operator:
        return placing.Bounds(entries=settings.MOST_ENTRIES)
    return placing.Bounds(entries=settings.MOST_ENTRIES, people=100, unpacked=64 * limits.MB)


def keep(file: IO[bytes], *, user: Any, owner: Any, by_operator: bool) -> Upload:
    """Keeps a file for the worker; raises `Refused` or `Wait` where there is no room, and `BadFile` for what plainly is
    no campaign that can come here."""
    from config.importing import work

    last = placing.look(file, bounds(by_operator=by_operator))
    file.seek(0)
    if open_of(user):
        raise Refused(ONE)
    if not by_operator:
        room_for_campaign(user)
        tallies.take("import", most=settings.IMPORTS_AN_HOUR, account=str(user.pk), too_often=TOO_OFTEN)
    try:
        with transaction.atomic():
            if Upload.objects.filter(state__in=OPEN).count() >= MOST_OPEN:
                raise Refused(TOO_MANY)
            upload = Upload.objects.create(user=user, owner=owner, by_operator=by_operator, last=last)
            for place, content in enumerate(iter(lambda: file.read(PART), b"")):
                UploadPart.objects.create(upload=upload, place=place, content=content)
            ask(work.bring, str(upload.pk))
            ask(work.sweep, at=timezone.now() + KEPT)
    except IntegrityError as error:  # of two that came at one moment
        raise Refused(ONE) from error
    return upload


def open_of(user: Any) -> Upload | None:
    """What this person has on its way."""
    return Upload.objects.filter(user=user, state__in=OPEN).first()


def parts(upload: Upload) -> Iterator[bytes]:
    """The bytes of its file, some at a time."""
    for content in upload.parts.order_by("place").values_list("content", flat=True).iterator(chunk_size=1):
        yield bytes(content)


def begin(pk: uuid.UUID) -> Upload | None:
    """Takes it for a worker; None where it has ended. Raises `Stopped` where another worker still gives signs."""
    now, run = timezone.now(), uuid.uuid4()
    mine = Upload.objects.filter(Q(sign=None) | Q(sign__lt=now - GONE), pk=pk, state__in=OPEN)
    if mine.update(run=run, sign=now, seq=0, state=State.READ):
        return Upload.objects.select_related("owner").get(pk=pk)
    if is_open(pk):
        raise Stopped
    return None


def step(upload: Upload, doing: str, seq: int) -> None:
    """Says how far its worker is; raises `Stopped` where that is to end."""
    if not _of_worker(upload).update(state=doing, seq=seq, sign=timezone.now()):
        raise Stopped


def wait(upload: Upload) -> None:
    """Its worker could not go on, and it is begun anew."""
    _of_worker(upload).update(state=State.WAITING, seq=0, run=None, sign=None)


def end(upload: Upload, state: State, *, refusal: str = "", campaign_id: uuid.UUID | None = None) -> None:
    """It is over: its file goes. Raises `Stopped` where it was over before, or is another worker's."""
    with transaction.atomic():
        if not _of_worker(upload).update(state=state, refusal=refusal, campaign_id=campaign_id):
            raise Stopped
        upload.parts.all().delete()


def check_owner(upload: Upload) -> None:
    """Raises `Refused` where nobody is there any more to own the campaign, or they have no room for it."""
    if not User.objects.filter(pk=upload.owner_id, is_active=True).exists():
        raise Refused("The account that is to own it is locked or gone.")
    if not upload.by_operator:
        room_for_campaign(upload.owner)


def stop(upload: Upload) -> bool:
    """Ends it for whoever sent it; the worker sees that at its next step. False where it was over before."""
    with transaction.atomic():
        stopped = Upload.objects.filter(pk=upload.pk, state__in=OPEN).update(state=State.STOPPED)
        upload.parts.all().delete()
    return bool(stopped)


def sweep() -> None:
    """Throws away what was sent a day ago, and what is said of it."""
    Upload.objects.filter(made__lt=timezone.now() - KEPT).delete()


def is_open(pk: uuid.UUID) -> bool:
    """Whether something may still come of it."""
    return Upload.objects.filter(pk=pk, state__in=OPEN).exists()


def _of_worker(upload: Upload) -> Any:
    return Upload.objects.filter(pk=upload.pk, run=upload.run, state__in=OPEN)
