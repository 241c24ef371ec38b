"""What the bare view writes."""
from __future__ import annotations

from django.conf import settings
from django.db import models


class Line(models.Model):
    """A line that somebody wrote."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    text = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)
