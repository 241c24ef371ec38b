"""A game's settings as fields of a form, and what was set back to what the rules read."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from accounts.wording import options
from campaigns.rulefields import form_fields, values_of
from rules.common_settings import COMMON
from rules.fields import Field, Written
from rules.system import System
from rules.values import Value

FEW = 3  # as many options are shown at once; more are a list to open


def setting_fields(system: System, prefix: str = "", now: Mapping[str, Value] | None = None) -> dict[str, forms.Field]:
    """A form field for each setting, by prefixed name; `now` is how they stand, else they stand at their defaults."""
    known = (*system.setting_fields, *COMMON)
    fields, settings = {}, {setting.name: setting for setting in known}
    for name, field in form_fields(known).items():
        if isinstance(field, forms.ChoiceField) and len(options(field)) <= FEW:
            field = forms.ChoiceField(
                label=field.label, help_text=field.help_text, choices=field.choices, initial=field.initial,
                widget=forms.RadioSelect,
            )
        # A setting has a value always: an empty field would be a default that nobody chose, but where that is nothing.
        empty = isinstance(field, forms.BooleanField) or (name in settings and settings[name].default == "")
        field.required = not empty and not name.endswith("_number")
        if now is not None and name in now:
            field.initial = shown(settings.get(name), now[name])
        fields[prefix + name] = field
    return fields


def setting_values(system: System, cleaned: Mapping[str, Any], prefix: str = "") -> dict[str, Value]:
    """The settings as set, for `System.read_settings`."""
    own = {name.removeprefix(prefix): value for name, value in cleaned.items() if name.startswith(prefix)}
    return values_of((*system.setting_fields, *COMMON), own)


def shown(setting: Field | None, value: Any) -> Any:
    """A setting's value as its field shows it."""
    return setting.show(value) if isinstance(setting, Written) else value


def in_words(system: System, settings: Mapping[str, Value]) -> list[tuple[str, str]]:
    """Each setting's label and how it stands, as a person reads it."""
    rows = []
    for setting in (*system.setting_fields, *COMMON):
        value = shown(setting, settings.get(setting.name, setting.default))
        if isinstance(value, bool):
            value = "yes" if value else "no"
        rows.append((setting.label, dict(getattr(setting, "options", ())).get(str(value), str(value))))
    return rows
