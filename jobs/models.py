"""What workers say of themselves."""
from __future__ import annotations

from django.db import models


class Sign(models.Model):
    """When a worker last said that it is there."""

    worker = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField()
