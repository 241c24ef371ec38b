"""Who uses the house."""
from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person. An account that was deleted stays as an empty row, so that the trail keeps its pseudonym."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    first_name = None
    last_name = None
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    @property
    def shown_name(self) -> str:
        """What others read: the name, or that there is nobody behind it any more."""
        return "someone who left" if self.deleted_at else self.username
