"""What a GM says of dates: times of the wall clock in their own zone."""
from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.zones import NoSuchTime, instant
from campaigns.web import ActionForm
from schedule.models import EVERY
from schedule.queries import MOST
from schedule.services.proposing import PAST, TOO_MANY, Wanted

T = TypeVar("T")
UNREAD = "Enter a day and a time, such as 2026-12-01 20:30."
TOO_FAR = "Choose a date within the next two years."
FAR = timedelta(days=731)
LENGTHS = tuple((str(minutes), f"{minutes // 60} hour{'s' * (minutes >= 120)}{' 30 minutes' if minutes % 60 else ''}")
                for minutes in (60, 90, 120, 150, 180, 210, 240, 270, 300, 360, 420, 480, 600, 720))


class _Picker(forms.TextInput):
    """What a browser shows a calendar and a clock for."""

    input_type = "datetime-local"


class WallClock(forms.CharField):
    """A day and a time as somebody's clock shows them; which zone that is, the form knows."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=30, widget=_Picker, **kwargs)

    def clean(self, value: Any) -> datetime | None:
        """Without a zone; None where nothing was typed."""
        text = super().clean(value)
        if not text:
            return None
        try:
            wall = datetime.fromisoformat(text).replace(second=0, microsecond=0)
        except ValueError:
            raise ValidationError(UNREAD) from None
        if wall.tzinfo is not None:
            raise ValidationError(UNREAD)
        # Whatever the zone: neither is a moment that a clock may fail at, such as the first or last that there is.
        if (away := wall - timezone.now().replace(tzinfo=None)) > FAR or away < -timedelta(days=2):
            raise ValidationError(TOO_FAR if away > FAR else PAST)
        return wall


class EveningForm(ActionForm):
    """How long an evening is and where; `zone` is that of whoever fills it in."""

    minutes = forms.ChoiceField(label="Length", choices=LENGTHS, initial="180")
    place = forms.CharField(label="Place", max_length=120, required=False,
                            help_text="An address, or a link to the call.")

    def __init__(self, zone: str, *args: Any, **kwargs: Any) -> None:
        self.zone = zone
        super().__init__(*args, **kwargs)

    def starts(self, name: str, of: Callable[[datetime, str], T]) -> T | None:
        """What was typed into a field, as `of` makes it a moment; a time that is skipped is refused at the field."""
        wall = self.cleaned_data.get(name)
        try:
            return of(wall, self.zone) if wall else None
        except NoSuchTime as skipped:
            self.add_error(name, str(skipped))
            return None

    def evening(self) -> dict[str, Any]:
        """What services take."""
        data = self.cleaned_data
        return {"minutes": int(data["minutes"]), "zone": self.zone, "place": data["place"], **self.submission()}


class ProposeForm(EveningForm):
    """Up to six dates."""

    NAMES = tuple(f"when_{number}" for number in range(1, MOST + 1))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number, name in enumerate(self.NAMES, 1):
            # All but the first may be left blank.
            field = WallClock(label="Day and time" if number == 1 else f"Date {number}", required=number == 1)
            field.error_messages["required"] = "Choose a date."
            self.fields[name] = field

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that are seen at once."""
        return [self[name] for name in self.NAMES[:3]]

    @property
    def more(self) -> list[forms.BoundField]:
        """The fields behind them."""
        return [self[name] for name in self.NAMES[3:]]

    def clean(self) -> dict[str, Any]:
        """With the moments that were meant."""
        data = self.cleaned_data
        moments = ((name, self.starts(name, instant)) for name in self.NAMES)
        data["wanted"] = [Wanted(starts, name) for name, starts in moments if starts]
        if any(self.data.get(name) for name in self.data if name.startswith("when_") and name not in self.NAMES):
            self.add_error(self.NAMES[-1], f"{TOO_MANY} Remove the others.")
        return data


class MoveForm(EveningForm):
    """Another time or place for one evening."""

    when = WallClock(label="Day and time")
    field_order = ["when", "minutes", "place"]

    def clean(self) -> dict[str, Any]:
        """With the moment that was meant."""
        self.cleaned_data["starts"] = self.starts("when", instant)
        return self.cleaned_data


class RepeatForm(ActionForm):
    """How often an evening comes again."""

    every = forms.ChoiceField(label="Repeats", choices=[(str(weeks), f"{said} week") for weeks, said in EVERY.items()],
                              initial="2")


class SeriesForm(RepeatForm, MoveForm):
    """An evening every so many weeks."""

    when = WallClock(label="First date")
    field_order = ["when", "every", "minutes", "place"]
