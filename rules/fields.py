"""Typed fields: what a move asks for. The forms, the JSON contract and the help are all derived from them.

    >>> Whole(name="upshifts", label="Upshifts", default=0, most=20).read({"upshifts": 2})
    2
"""
from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from rules.values import BadMove, Value


class Required(Enum):
    """Stands where a field has no default; it reads the same in every process."""

    REQUIRED = "required"


REQUIRED: Any = Required.REQUIRED


class Word(Enum):
    """Whose word it is what stands in a field, where a player fills it who does not run the game."""

    OWN = "own"  # theirs: what stands on their sheet, what they spend, what their character does
    SAID = "said"  # theirs, and it changes a roll: it counts at once, marked as theirs, or the campaign asks first
    GM = "gm"  # never theirs: what pays or earns, how difficult something is, what kills


@dataclass(frozen=True, kw_only=True)
class Field:
    """One thing that a move asks for. `read` takes the whole of `given` and answers this field's value.

    `missing` is what is said where it may not be left out and was; without it, `asking` and the label.
    """

    asking: ClassVar[str] = "Enter"

    name: str
    label: str
    help: str = ""
    default: Any = REQUIRED
    missing: str = ""
    word: Word = Word.OWN

    def read(self, given: Mapping[str, Value]) -> Any:
        """The checked value of this field in `given`; raises `BadMove` with a sentence and the field's name."""
        if self.name not in given:
            if self.default is REQUIRED:
                raise BadMove(self.ask, self.name)
            return self.default
        try:
            return self.check(given[self.name])
        except BadMove as bad:
            raise bad.inside(self.name) from None

    @property
    def ask(self) -> str:
        """The sentence that asks for it."""
        return self.missing or f"{self.asking} {self.label[:1].lower()}{self.label[1:].rstrip('?')}."

    def check(self, value: Value) -> Any:
        """The value, checked; raises `BadMove`."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Whole(Field):
    """A whole number between `least` and `most`, both allowed."""

    least: int = 0
    most: int = 1000

    def check(self, value: Value) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadMove("Enter a whole number.")
        if not self.least <= value <= self.most:
            raise BadMove(f"Enter a whole number from {self.least} to {self.most}.")
        return value


@dataclass(frozen=True, kw_only=True)
class Written(Field):
    """A number that a game writes in its own way: typed as text, and `check` reads both. `show` writes it."""

    may_lack: bool = False

    def show(self, value: Any) -> str:
        """The value as a form shows it."""
        return "" if value is None else str(value)


class ListsChanges:
    """A field whose every change is listed on the pages of settings and odds, where it is a setting of a campaign."""


@dataclass(frozen=True, kw_only=True)
class Flag(Field):
    """Yes or no."""

    default: Any = False

    def check(self, value: Value) -> bool:
        if not isinstance(value, bool):
            raise BadMove("Answer yes or no (true or false).")
        return value


@dataclass(frozen=True, kw_only=True)
class Text(Field):
    """Words, at most `most` characters; blanks around them are dropped, and they are stored in NFC."""

    default: Any = ""
    most: int = 500
    lines: bool = False  # whether a form gives it several lines, however short it is

    def check(self, value: Value) -> str:
        if not isinstance(value, str):
            raise BadMove("Enter this as text.")
        if len(value) > self.most:
            raise BadMove(f"Use at most {self.most} characters.")
        return unicodedata.normalize("NFC", value).strip()


def text(name: str, label: str, help: str = "", *, needed: bool = False, most: int = 300) -> Text:
    """Words, that may be left out unless they are `needed`."""
    return Text(name=name, label=label, help=help, most=most, default=REQUIRED if needed else "")


@dataclass(frozen=True, kw_only=True)
class Choice(Field):
    """One of a few words; `options` are (word, what a person reads)."""

    asking: ClassVar[str] = "Choose"

    options: tuple[tuple[str, str], ...]

    def check(self, value: Value) -> str:
        words = [word for word, _ in self.options]
        if not isinstance(value, str) or value not in words:
            raise BadMove(f"Choose one of: {', '.join(words)}.")
        return value


@dataclass(frozen=True, kw_only=True)
class ChoiceOrWhole(Field):
    """One of a few words, or a whole number."""

    asking: ClassVar[str] = "Choose"

    options: tuple[tuple[str, str], ...]
    least: int = 0
    most: int = 100
    number_label: str = "A number"

    def check(self, value: Value) -> Any:
        words = [word for word, _ in self.options]
        if isinstance(value, str) and value in words:
            return value
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        raise BadMove(f"Choose one of {', '.join(words)}, or a whole number from {self.least} to {self.most}.")


@dataclass(frozen=True, kw_only=True)
class Listing(Field):
    """Several values, each checked by `of`; at most `most` of them. Of a group of fields a form has so many `rows`."""

    asking: ClassVar[str] = "Choose"
    rows: ClassVar[int] = 2

    of: Field
    most: int = 50

    def check(self, value: Value) -> tuple[Any, ...]:
        if isinstance(value, str) or not isinstance(value, (list, tuple)):
            raise BadMove("Enter a list.")
        if len(value) > self.most:
            raise BadMove(f"Choose at most {self.most}.")
        read = []
        for index, item in enumerate(value):
            try:
                read.append(self.of.check(item))
            except BadMove as bad:
                raise bad.inside(index) from None
        return tuple(read)


@dataclass(frozen=True, kw_only=True)
class Group(Field):
    """Fields that belong together, answered as a dictionary of checked values."""

    fields: tuple[Field, ...]

    def check(self, value: Value) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise BadMove("Enter these fields: " + ", ".join(field.name for field in self.fields) + ".")
        return read_all(self.fields, value)


@dataclass(frozen=True, kw_only=True)
class Allocation(Field):
    """Whole numbers by id (`{"7f": 2, "a0": 1}`), each from 0 to `most`; answered without the zeros."""

    most: int = 1000

    def check(self, value: Value) -> dict[str, int]:
        if not isinstance(value, Mapping):
            raise BadMove("Enter a whole number for each id.")
        read = {}
        for name, amount in value.items():
            if isinstance(amount, bool) or not isinstance(amount, int) or not 0 <= amount <= self.most:
                raise BadMove(f"Enter a whole number from 0 to {self.most}.", str(name))
            if amount:
                read[str(name)] = amount
        return read


def of_players(fields: tuple[Field, ...], *, asks_first: bool) -> tuple[Field, ...]:
    """Those of the fields that players fill; `asks_first`: where nothing counts before the GM agrees to it."""
    shut = {Word.GM, *((Word.SAID,) if asks_first else ())}
    return tuple(field for field in fields if field.word not in shut)


def read_all(fields: tuple[Field, ...], given: Mapping[str, Value]) -> dict[str, Any]:
    """Every field read from `given`; raises `BadMove` for a wrong value and for a name that no field has."""
    known = {field.name for field in fields}
    for name in given:
        if name not in known:
            raise BadMove(f"There is no field of this name; the fields are: {', '.join(sorted(known))}.", str(name))
    return {field.name: field.read(given) for field in fields}
