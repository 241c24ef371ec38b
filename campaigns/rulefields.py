"""The rules' typed fields as form fields, and what was typed back to what the rules read."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms

from accounts.widgets import Steps
from accounts.wording import NOTHING_CHOSEN, Pairs, speak
from accounts.wording import options as options_of
from rules.fields import REQUIRED, Allocation, Choice, ChoiceOrWhole, Field, Flag, Group, Listing, Text, Whole, Written
from rules.values import Value

Options = Mapping[str, Sequence[tuple[str, str]]]
Common = dict[str, Any]  # what every form field takes

LONG = 2000  # from so many characters on a text has lines
FEW = 5  # up to so many are rows to tap, more a list to open
NUMBER = "number"  # the option that stands for "a number as it stands"


def hide_said(made: Mapping[str, forms.Field], options: Options | None, title: str) -> None:
    """Hides what asks nothing: a field that stands at its only answer, where the title of its form names that."""
    for name, known in (options or {}).items():
        if len(known) == 1 and name in made and made[name].initial == known[0][0] and known[0][1] in title:
            made[name].widget = forms.HiddenInput()


def form_fields(fields: Iterable[Field], options: Options | None = None) -> dict[str, forms.Field]:
    """Form fields by name; a field that takes a word or a number becomes two, a list of groups some rows.

    `options` are the ids that a field may name, each with the words that a person reads.
    """
    made: dict[str, forms.Field] = {}
    for field in fields:
        known = (options or {}).get(field.name)
        common: Common = {
            "label": field.label, "help_text": field.help, "required": field.default is REQUIRED,
            "initial": None if field.default is REQUIRED else field.default,
        }
        own = _of(field, common, None if known is None else list(known))
        if field.missing and field.name in own:
            own[field.name].error_messages["required"] = field.missing
        made |= own
    for form_field in made.values():
        speak(form_field)
    return made


def _of(field: Field, common: Common, choices: list[tuple[str, str]] | None) -> dict[str, forms.Field]:
    """The form fields of one field, by name; `choices` are the ids that it may name, None where it names none."""
    match field:
        case Listing():
            return _listing(field, common, choices or [])
        case Allocation():
            return {
                f"{field.name}_{number}": forms.IntegerField(
                    label=label, required=False, initial=0, min_value=0, max_value=field.most, widget=Steps)
                for number, (_, label) in enumerate(choices or [])
            }
        case ChoiceOrWhole():
            words = [*field.options, (NUMBER, field.number_label)]
            number = forms.IntegerField(
                label=field.number_label, required=False, min_value=field.least, max_value=field.most)
            return {field.name: _choice(words, common), f"{field.name}_{NUMBER}": number}
        case Text() if choices is not None:
            return {field.name: _one_of_few(choices, common) if common["required"] else _choice(choices, common)}
        case _:
            return {field.name: _single(field, common)}


def _listing(field: Listing, common: Common, choices: list[tuple[str, str]]) -> dict[str, forms.Field]:
    """Several that are chosen, or some rows of a group of fields."""
    if not isinstance(field.of, Group):
        return {field.name: forms.MultipleChoiceField(
            choices=Pairs(choices), widget=forms.CheckboxSelectMultiple, **{**common, "initial": ()})}
    made = {}
    for number in range(field.rows):
        for name, form_field in form_fields(field.of.fields).items():
            form_field.required = False
            if isinstance(form_field, forms.ChoiceField):
                form_field.choices = Pairs([("", "None"), *options_of(form_field)])
            made[f"{field.name}_{number}_{name}"] = form_field
    return made


def _choice(choices: Sequence[tuple[str, str]], common: Common) -> forms.ChoiceField:
    """One of several, or none where that is allowed."""
    return forms.ChoiceField(choices=Pairs(choices if common["required"] else [NOTHING_CHOSEN, *choices]), **common)


def _one_of_few(choices: Sequence[tuple[str, str]], common: Common) -> forms.ChoiceField:
    """One that has to be chosen: few stand in rows, one tap each, and where there is one alone it is chosen."""
    if len(choices) > FEW:
        return _choice(choices, common)
    alone = choices[0][0] if len(choices) == 1 else common["initial"]
    return forms.ChoiceField(choices=Pairs(choices), widget=forms.RadioSelect, **{**common, "initial": alone})


def _single(field: Field, common: Common) -> forms.Field:
    """The one form field of a field that takes one value."""
    match field:
        case Text():
            text = forms.Textarea(attrs={"rows": 3}) if field.lines or field.most >= LONG else forms.TextInput()
            return forms.CharField(max_length=field.most, widget=text, **common)
        case Written():
            return forms.CharField(max_length=12, **{**common, "initial": field.show(common["initial"])})
        case Flag():
            return forms.BooleanField(**{**common, "required": False})
        case Whole():
            return forms.IntegerField(min_value=field.least, max_value=field.most, **common)
        case Choice():
            widget = forms.HiddenInput if len(field.options) == 1 else forms.Select
            return forms.ChoiceField(choices=Pairs(field.options), widget=widget, **common)
        case _:
            raise TypeError(f"{type(field).__name__} has no form.")


def initial_of(fields: Iterable[Field], values: Mapping[str, Any], options: Options | None = None) -> dict[str, Any]:
    """What form fields start with, so that they say what `values` say; the other way round from `values_of`."""
    started: dict[str, Any] = {}
    for field in fields:
        value = values.get(field.name)
        if value is None:
            continue
        if isinstance(field, ChoiceOrWhole) and not isinstance(value, str):
            started |= {field.name: NUMBER, f"{field.name}_{NUMBER}": value}
        elif isinstance(field, Listing) and isinstance(field.of, Group):
            started |= {
                f"{field.name}_{number}_{name}": part
                for number, row in enumerate(value[:field.rows]) for name, part in row.items()
            }
        elif isinstance(field, Written) and not isinstance(value, str):
            started[field.name] = field.show(value)
        elif isinstance(field, Allocation):
            named = enumerate((options or {}).get(field.name, ()))
            started |= {f"{field.name}_{number}": value[pk] for number, (pk, _) in named if pk in value}
        else:
            started[field.name] = value
    return started


def in_words(fields: Iterable[Field], values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each field that says something, as (label, value) for a person; a list of groups row by row. A 0 says something
    where it is no default: somebody chose it."""
    rows = []
    for field in fields:
        value = values.get(field.name)
        if isinstance(field, Listing) and isinstance(field.of, Group):
            for row in value or ():
                rows.append((field.of.label, " ".join(str(said) for _, said in in_words(field.of.fields, row))))
        elif isinstance(value, (list, tuple)):
            rows.append((field.label, ", ".join(map(str, value))))
        elif _says(field, value) and len(getattr(field, "options", "two")) > 1:
            words = dict(getattr(field, "options", ()))
            rows.append((field.label, "yes" if value is True else words.get(str(value), str(value))))
    return rows


def _says(field: Field, value: Any) -> bool:
    if type(value) is int and value == 0:
        return bool(field.default != 0)
    return value not in (None, "", False)


def values_of(fields: Iterable[Field], cleaned: dict[str, Any], options: Options | None = None) -> dict[str, Value]:
    """What the rules read, from a form's cleaned data; empty fields are left to their defaults."""
    values: dict[str, Value] = {}
    for field in fields:
        value = cleaned.get(field.name)
        if isinstance(field, ChoiceOrWhole) and value == NUMBER:
            value = cleaned.get(f"{field.name}_{NUMBER}")
        elif isinstance(field, Listing) and isinstance(field.of, Group):
            value = _rows(field, field.of, cleaned)
        elif isinstance(field, Allocation):
            named = enumerate((options or {}).get(field.name, ()))
            value = {pk: cleaned[f"{field.name}_{n}"] for n, (pk, _) in named if cleaned.get(f"{field.name}_{n}")}
        if value not in (None, "", [], {}):
            values[field.name] = value
    return values


def _rows(field: Listing, group: Group, cleaned: dict[str, Any]) -> list[Value]:
    """The rows in which the first field was chosen."""
    rows: list[Value] = []
    for number in range(field.rows):
        row = {column.name: cleaned.get(f"{field.name}_{number}_{column.name}") for column in group.fields}
        if row[group.fields[0].name]:
            rows.append({name: value for name, value in row.items() if value not in (None, "")})
    return rows
