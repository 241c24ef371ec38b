"""The rules' typed fields as form fields, and what was typed back to what the rules read."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from rules.fields import REQUIRED, Choice, ChoiceOrWhole, Field, Flag, Whole
from rules.values import Value

NUMBER = "number"  # the option that stands for "a number as it stands"


def form_fields(fields: Iterable[Field]) -> dict[str, forms.Field]:
    """Form fields by name; a field that takes a word or a number becomes two."""
    made: dict[str, forms.Field] = {}
    for field in fields:
        common: dict[str, Any] = {
            "label": field.label, "help_text": field.help, "required": field.default is REQUIRED,
            "initial": None if field.default is REQUIRED else field.default,
        }
        if isinstance(field, Flag):
            made[field.name] = forms.BooleanField(**{**common, "required": False})
        elif isinstance(field, Whole):
            made[field.name] = forms.IntegerField(min_value=field.least, max_value=field.most, **common)
        elif isinstance(field, ChoiceOrWhole):
            choices = [*field.options, (NUMBER, field.number_label)]
            made[field.name] = forms.ChoiceField(choices=choices, **common)
            made[f"{field.name}_{NUMBER}"] = forms.IntegerField(
                label=field.number_label, required=False, min_value=field.least, max_value=field.most
            )
        elif isinstance(field, Choice):
            made[field.name] = forms.ChoiceField(choices=field.options, **common)
        else:
            raise TypeError(f"{type(field).__name__} has no form.")
    return made


def values_of(fields: Iterable[Field], cleaned: dict[str, Any]) -> dict[str, Value]:
    """What the rules read, from a form's cleaned data; empty fields are left to their defaults."""
    values: dict[str, Value] = {}
    for field in fields:
        value = cleaned.get(field.name)
        if isinstance(field, ChoiceOrWhole) and value == NUMBER:
            value = cleaned.get(f"{field.name}_{NUMBER}")
        if value not in (None, ""):
            values[field.name] = value
    return values
