"""What the site keeps that belongs to no app below it: campaigns' files on their way in."""
from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models


class State(models.TextChoices):
    """How far an upload is."""

    WAITING = "waiting"
    READ = "read"
    CHECKED = "checked"
    DONE = "done"
    REFUSED = "refused"
    STOPPED = "stopped"


OPEN = (State.WAITING, State.READ, State.CHECKED)


class Upload(models.Model):
    """A campaign's file that somebody sent, until a day has gone by. Only they see it.

    `run` is the worker's that is at it, and `sign` when it last said so. `refusal` is why nothing came of it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    by_operator = models.BooleanField()
    made = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    seq = models.PositiveIntegerField(default=0)
    last = models.PositiveIntegerField()
    run = models.UUIDField(null=True)
    sign = models.DateTimeField(null=True)
    refusal = models.TextField(blank=True)
    campaign_id = models.UUIDField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=models.Q(state__in=OPEN), name="one_upload_at_a_time")]

    @property
    def is_open(self) -> bool:
        """Whether something may still come of it."""
        return self.state in OPEN

    @property
    def far(self) -> str:
        """How far it is, or what came of it."""
        match self.state:
            case State.WAITING:
                return f"Your file waits to be read: {self.last:,} entries."
            case State.READ:
                return f"{self.seq:,} of {self.last:,} entries read."
            case State.CHECKED:
                return f"{self.seq:,} of {self.last:,} entries checked."
            case State.DONE:
                return f"All {self.last:,} entries are checked and here."
            case State.STOPPED:
                return "You stopped this import. Nothing was imported."
        return self.refusal


class UploadPart(models.Model):
    """Some bytes of it, in the database as all else: the worker may be on another machine. Gone once it has ended."""

    upload = models.ForeignKey(Upload, models.CASCADE, related_name="parts")
    place = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["upload", "place"], name="upload_part_place")]
