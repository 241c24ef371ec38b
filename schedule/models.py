"""Dates at which a campaign may be played, what each person answers to them, and series of them."""
from __future__ import annotations

import uuid
from datetime import date, datetime, time, timedelta

from django.core.exceptions import ValidationError
from django.db import models

from accounts.zones import is_zone
from campaigns.models import Campaign, Member
from campaigns.trail.tracked import tracked
from rules.system import System
from rules.values import Value

EVERY = {1: "Every", 2: "Every second", 3: "Every third", 4: "Every fourth"}  # how a series repeats, by its weeks
YEARS = range(2000, 2200)  # in which there are dates: every clock can count in them


class State(models.TextChoices):
    """What became of a date."""

    PROPOSED = "proposed", "Proposed"
    FIXED = "fixed", "Set"
    PASSED_OVER = "passed over", "Not chosen"
    CALLED_OFF = "called off", "Called off"


class Says(models.TextChoices):
    """What a person can answer to a date."""

    YES = "yes", "Yes"
    MAYBE = "maybe", "If need be"
    NO = "no", "No"


def _in_words(rules: System, field: str, value: Value, kind: str) -> str | None:
    """States and answers as pages have them."""
    words = {choice.value: str(choice.label) for choice in (*State, *Says)}
    return words.get(str(value)) if field in ("state", "says") else None


def _check_clock(year: int, zone: str) -> None:
    if year not in YEARS:
        raise ValidationError(f"A date in it is in the year {year}.")
    if not is_zone(zone):
        raise ValidationError("A date in it has a time zone that this server does not know.")


@tracked(
    "date_series", "first_day", "at", "every", "zone", "minutes", "place", "ended", campaign="campaign_id",
    word="Series of dates",
)
class Series(models.Model):
    """An evening every so many weeks: at the same time of a wall clock in one zone, whatever clocks do meanwhile.

    `first_day` is a day as in 2026-11-26, `at` a time as in 19:30. Its evenings follow from it (`schedule.series`); one
    has a row only when something is said of it alone. From `ended` on there are no more.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    first_day = models.CharField(max_length=10)
    at = models.CharField(max_length=5)
    every = models.PositiveSmallIntegerField()  # weeks
    zone = models.CharField(max_length=64)
    minutes = models.PositiveSmallIntegerField()
    place = models.CharField(max_length=120, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    def clean(self) -> None:
        """What no page could have written, as in a campaign's file that somebody made up, is said."""
        if self.every not in EVERY:
            raise ValidationError(f"A series of dates in it repeats every {self.every} weeks.")
        _check_clock(self.first.year, self.zone)
        self.wall  # noqa: B018 - it is read to see that it can be

    @property
    def first(self) -> date:
        """The day of the first evening."""
        return date.fromisoformat(self.first_day)

    @property
    def wall(self) -> time:
        """What the clock says when an evening begins."""
        return time.fromisoformat(self.at)


@tracked(
    "date", "starts", "minutes", "zone", "place", "state", "series_id", "session_id", campaign="campaign_id",
    word="Date", unseen=("zone",), in_words=_in_words,
)
class Evening(models.Model):
    """A date at which the campaign may be played. `zone` is where whoever proposed it reads the clock.

    One of a series has an id that follows from the series and the day: it is the same before it has a row and after.
    `session_id` is the session that was opened on it; sessions live in an app above, so it is a plain id.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    starts = models.DateTimeField()
    minutes = models.PositiveSmallIntegerField()
    zone = models.CharField(max_length=64)
    place = models.CharField(max_length=120, blank=True)
    state = models.CharField(max_length=12, choices=State)
    series = models.ForeignKey(Series, models.PROTECT, null=True, blank=True, related_name="+")
    session_id = models.UUIDField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "starts"])]

    def clean(self) -> None:
        """What no page could have written is said."""
        _check_clock(self.starts.year, self.zone)

    @property
    def ends(self) -> datetime:
        """When it is over."""
        return self.starts + timedelta(minutes=self.minutes)


@tracked(
    "date_answer", "evening_id", "member_id", "says", campaign="campaign_id", subject="evening_id", word="Answer",
    in_words=_in_words,
)
class Answer(models.Model):
    """What one person says to a date."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    evening = models.ForeignKey(Evening, models.PROTECT, related_name="answers")
    member = models.ForeignKey(Member, models.PROTECT, related_name="+")
    says = models.CharField(max_length=5, choices=Says)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["evening", "member"], name="one_answer_each")]
