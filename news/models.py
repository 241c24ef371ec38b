"""What people want to be told by mail. It is theirs, so no trail carries it."""
from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from campaigns.models import Campaign, Member


class Pace(models.TextChoices):
    """How soon a member is told."""

    AT_ONCE = "at_once", "At once"
    DAILY = "daily", "Once a day"
    NEVER = "never", "Never"


class Subscription(models.Model):
    """What one member wants to be told of one campaign. Where there is no row, nothing but dates.

    `told_seq` is how far their mails have told the campaign, `dates_seq` how far those of dates have. Of dates up to
    `reminded` they were reminded.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+")
    member = models.OneToOneField(Member, models.CASCADE, related_name="subscription")
    pace = models.CharField(max_length=10, choices=Pace, default=Pace.NEVER)
    moves = models.BooleanField(default=True)
    requests = models.BooleanField(default=True)
    recaps = models.BooleanField(default=True)
    journals = models.BooleanField(default=True)
    dates = models.BooleanField(default=True)
    told_seq = models.PositiveIntegerField(default=0)
    dates_seq = models.PositiveIntegerField(default=0)
    reminded = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "pace"])]


class Mailbox(models.Model):
    """What became of mails to a person's address.

    The address itself is the account's alone. `confirmed` is the digest of the one that its person has confirmed, so
    another one has to be confirmed anew. `failures` counts refusals since the last mail that went out, `returned` the
    mails that came back from the address whose digest is `returned_from`: the last one at `returned_at`, and which
    one that was.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="mailbox")
    confirmed = models.CharField(max_length=64, blank=True)
    asked = models.CharField(max_length=64, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    returned = models.PositiveSmallIntegerField(default=0)
    returned_from = models.CharField(max_length=64, blank=True)
    returned_at = models.DateTimeField(null=True, blank=True)
    returned_letter = models.CharField(max_length=32, blank=True)
