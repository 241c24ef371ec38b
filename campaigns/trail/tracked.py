"""Which fields of which tables the trail carries, and how a field's value is written in it."""
from __future__ import annotations

import unicodedata
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from django.db import models

from rules.system import System
from rules.values import Value

M = TypeVar("M", bound=type[models.Model])


# A field's value in the game's words: from the game, the field, its value, and the row's kind; None: as it stands.
InWords = Callable[[System, str, Value, str], str | None]


@dataclass(frozen=True)
class Tracked:
    """A tracked table: its name in the trail, its fields, and how its rows are found from a campaign.

    `campaign` is the lookup ("" when the row is the campaign itself). `subject` is the field that holds the id of what
    a person would look a row up by (a trait's character); None when that is the row itself.

    What an entry's page says of a row: `word` is what a row is called, "" where its rows are never spoken of; `unsaid`
    are fields that the row's name alone says, `unseen` those that are not shown at all; `in_words` reads a value
    as the game has it. `players_see` is the condition under which players may know what a row is called by now.

    `stored` is what the trail calls a field whose name in the table is another by now: entries keep the first one.
    """

    name: str
    model: type[models.Model]
    fields: tuple[str, ...]
    campaign: str
    subject: str | None
    word: str = ""
    unsaid: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    in_words: InWords | None = None
    players_see: models.Q = field(default_factory=models.Q)
    stored: Mapping[str, str] = field(default_factory=dict)

    def stored_name(self, name: str) -> str:
        """What the trail calls this field of the table."""
        return self.stored.get(name, name)

    def field_name(self, stored: str) -> str:
        """The table's field that the trail calls so."""
        return next((name for name, known in self.stored.items() if known == stored), stored)

    def rows(self, campaign_id: uuid.UUID) -> models.QuerySet[Any]:
        """All rows of a campaign."""
        return self.model._base_manager.filter(**{self.campaign or "pk": campaign_id})

    def state(self, obj: models.Model, fields: tuple[str, ...] | None = None) -> dict[str, Value]:
        """The tracked fields of a row, as the trail writes them."""
        return {self.stored_name(name): write_value(getattr(obj, name)) for name in fields or self.fields}

    def defaults(self) -> dict[str, Value]:
        """Of fields that may be younger than an entry: what they hold when nothing is said."""
        held: dict[str, Value] = {}
        for name in self.fields:
            field, stored = self._named(name), self.stored_name(name)
            if field.null:
                held[stored] = None
            elif field.has_default() and not callable(field.default):
                held[stored] = write_value(field.default)
            elif field.blank and field.empty_strings_allowed:
                held[stored] = ""
        return held

    def name_field(self) -> str:
        """The field that holds what a person calls a row; "" where there is none."""
        return next((name for name in ("title", "name") if name in self.fields), "")

    def said(self, rules: System, field: str, value: Value, kind: str = "") -> str | None:
        """A value in the game's words; None where it is said as it stands."""
        return self.in_words(rules, field, value, kind) if self.in_words else None

    def times(self) -> tuple[str, ...]:
        """The fields that hold a moment."""
        return tuple(name for name in self.fields if isinstance(self._named(name), models.DateTimeField))

    def _named(self, name: str) -> models.Field[Any, Any]:
        field: Any = self.model._meta.get_field(name.removesuffix("_id") if self._is_relation(name) else name)
        return field  # type: ignore[no-any-return]

    def read_state(self, state: dict[str, Value]) -> dict[str, Any]:
        """Trail values back to what the table's fields hold."""
        named = {self.field_name(stored): value for stored, value in state.items()}
        return {name: self._field(name).to_python(value) for name, value in named.items()}

    def settle(self, obj: models.Model) -> None:
        """Makes a new row's tracked values what the table will hold."""
        for name in self.fields:
            setattr(obj, name, self._field(name).to_python(as_kept(getattr(obj, name))))

    def _field(self, name: str) -> models.Field[Any, Any]:
        field: Any = self.model._meta.get_field(name.removesuffix("_id") if self._is_relation(name) else name)
        target: models.Field[Any, Any] = field.target_field if field.is_relation else field
        return target

    def _is_relation(self, name: str) -> bool:
        return name.endswith("_id") and any(f.attname == name and f.is_relation for f in self.model._meta.fields)


TRACKED: dict[str, Tracked] = {}


def tracked(
    name: str, *fields: str, campaign: str = "", subject: str | None = None, word: str = "",
    unsaid: tuple[str, ...] = (), unseen: tuple[str, ...] = (), in_words: InWords | None = None,
    players_see: models.Q | None = None, stored: Mapping[str, str] | None = None,
) -> Callable[[M], M]:
    """Marks a model as carried by the trail. Fields are named as columns are (`character_id`); `stored` has the names
    of those that the trail calls otherwise.
    """

    def mark(model: M) -> M:
        TRACKED[name] = Tracked(
            name, model, fields, campaign, subject, word, unsaid, unseen, in_words, players_see or models.Q(),
            stored or {})
        return model

    return mark


def tracked_of(obj: models.Model) -> Tracked:
    """How the trail carries this row; raises `LookupError` for one that it does not."""
    for table in TRACKED.values():
        if table.model is type(obj):
            return table
    raise LookupError(f"{type(obj).__name__} is not carried by the trail.")


def as_kept(value: Any) -> Any:
    """A value as the tables keep it: text in NFC, as the trail has it, so that the two always say the same."""
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


def write_value(value: Any) -> Value:
    """A field's value as the trail writes it: ids and times as text."""
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    raise TypeError(f"{type(value).__name__} has no place in the trail.")
