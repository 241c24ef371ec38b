"""Our own sentences where Django has stock ones: what is wrong with a field, and what to do about it."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, Self, cast

from django import forms
from django.utils.choices import BaseChoiceIterator

SENTENCES = {
    "required": "Fill this in.",
    "max_length": "Make this shorter: %(limit_value)d characters at most, and there are %(show_value)d.",
    "min_length": "Make this longer: %(limit_value)d characters at least.",
    "min_value": "Enter %(limit_value)s or more.",
    "max_value": "Enter %(limit_value)s or less.",
    "null_characters_not_allowed": "One character in here can’t be stored. Type it again.",
    "invalid_choice": "Choose one of these.",
}
AGAIN = "Reload the page."  # what a hidden field can say
INVALID: dict[type[forms.Field], str] = {
    forms.IntegerField: "Enter a whole number.",
    forms.EmailField: "Enter an address such as name@example.org.",
    forms.UUIDField: AGAIN,
}


class OwnWords(forms.BaseForm):
    """A form whose fields speak as the site does. What a field was given on purpose stays.

    Fields in `needed` are not called optional, though they need not be sent: at times they are refused left blank.
    """

    needed: Collection[str] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            speak(field)

    def __getitem__(self, name: str) -> forms.BoundField:
        # A template looks for whatever it asks of a form among its fields first, hundreds of times on a page: the
        # framework's error would name all of them.
        if name not in self.fields:
            raise KeyError(name)
        return super().__getitem__(name)


def choice(form: forms.BaseForm, name: str) -> forms.ChoiceField:
    """The field of this name, which is a choice."""
    return cast(forms.ChoiceField, form.fields[name])


class Pairs(BaseChoiceIterator):
    """What can be chosen, as pairs of a value and its words. In a plain list the framework looks for groups, twice."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._pairs = tuple(pairs)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __deepcopy__(self, memo: Any) -> Self:
        return self  # nobody changes it, and each form copies its class's fields


NOTHING_CHOSEN = ("", "—")  # of a field in which nothing need be chosen


def options(field: forms.Field) -> list[tuple[Any, Any]]:
    """What can be chosen in a field; nothing in one that is no choice."""
    return list(getattr(field, "choices", ()))


def speak(field: forms.Field) -> None:
    """Puts our sentences in place of the stock ones."""
    if field.widget.is_hidden:
        field.error_messages |= {"required": AGAIN, "invalid": AGAIN}
    for code, stock, sentence in _instead(type(field).__mro__):
        # The very object: to compare what the stock ones say, each would have to be translated first.
        if field.error_messages.get(code) is stock:
            field.error_messages[code] = sentence


@cache
def _instead(kinds: tuple[type, ...]) -> tuple[tuple[str, Any, str], ...]:
    """For fields of a class that is all of these: the code of a sentence, the stock one, and ours."""
    stock: dict[str, Any] = {}
    for kind in reversed(kinds):
        stock |= getattr(kind, "default_error_messages", {})
    invalid = next((INVALID[kind] for kind in kinds if kind in INVALID), None)
    ours = {**SENTENCES, **({"invalid": invalid} if invalid else {})}
    return tuple((code, stock.get(code), sentence) for code, sentence in ours.items())
