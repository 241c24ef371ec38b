"""Our own sentences where Django has stock ones: what is wrong with a field, and what to do about it."""
from __future__ import annotations

from typing import Any, cast

from django import forms

SENTENCES = {
    "required": "Fill this in.",
    "max_length": "Make this shorter: %(limit_value)d characters at most, and there are %(show_value)d.",
    "min_length": "Make this longer: %(limit_value)d characters at least.",
    "min_value": "Give %(limit_value)s or more.",
    "max_value": "Give %(limit_value)s or less.",
    "null_characters_not_allowed": "There is a character in here that can't be kept. Type it anew.",
    "invalid_choice": "Choose one of these.",
}
AGAIN = "Load the page again."  # what a hidden field can say
INVALID: dict[type[forms.Field], str] = {
    forms.IntegerField: "Give a whole number.",
    forms.EmailField: "Give an address such as name@example.org.",
    forms.UUIDField: AGAIN,
}


class OwnWords(forms.BaseForm):
    """A form whose fields speak as the site does. What a field was given on purpose stays."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            speak(field)


def choice(form: forms.BaseForm, name: str) -> forms.ChoiceField:
    """The field of this name, which is a choice."""
    return cast(forms.ChoiceField, form.fields[name])


def options(field: forms.Field) -> list[tuple[Any, Any]]:
    """What can be chosen in a field; nothing in one that is no choice."""
    return list(getattr(field, "choices", ()))


def speak(field: forms.Field) -> None:
    """Puts our sentences in place of the stock ones."""
    stock: dict[str, Any] = {}
    for kind in reversed(type(field).__mro__):
        stock |= getattr(kind, "default_error_messages", {})
    if field.widget.is_hidden:
        field.error_messages |= {"required": AGAIN, "invalid": AGAIN}
    invalid = next((INVALID[kind] for kind in type(field).__mro__ if kind in INVALID), None)
    for code, sentence in {**SENTENCES, **({"invalid": invalid} if invalid else {})}.items():
        if field.error_messages.get(code) == stock.get(code):
            field.error_messages[code] = sentence
