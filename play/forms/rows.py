"""A tray's choices as rows to tap: a name, its number at the margin, and what counts with it as chips upon it."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django import forms

from rules.fields import Field, Listing

UNHURT: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Chip:
    """Something that counts with a row, or may: `bound` is what counts whatever is ticked."""

    id: str
    name: str
    value: str
    label: str
    checked: bool
    bound: bool = False


@dataclass(frozen=True)
class Row:
    """One line to use. `was` is its number without the damage upon it, "" where it has none."""

    id: str
    type: str
    name: str
    value: str
    label: str
    number: str
    checked: bool
    was: str = ""


@dataclass(frozen=True)
class Chips:
    """What is upon the row that is used: what counts and can't be left out, what is ready, and what else there is."""

    ready: tuple[Chip, ...]
    more: tuple[Chip, ...]


def rows(bound: forms.BoundField, was: Mapping[str, str] = UNHURT) -> list[Row]:
    """The choices of a field as rows; what a label says after its last dot is its number."""
    drawn = []
    for subwidget in bound.subwidgets:
        data, (name, _, number) = subwidget.data, str(subwidget.data["label"]).partition(" · ")
        value = str(data["value"] or "")
        drawn.append(Row(data["attrs"].get("id", ""), data["type"], data["name"], value, name, number,
                         bool(data["selected"]), was.get(value, "")))
    return drawn


def ticks(form: forms.BaseForm, fields: Iterable[Field]) -> dict[str, str]:
    """The id of the control of each choice of these fields that can be ticked in a form, by what it chooses."""
    listed = (form[field.name] for field in fields if isinstance(field, Listing) and field.name in form.fields)
    return {row.value: row.id for bound in listed if isinstance(bound.field.widget, forms.CheckboxSelectMultiple)
            for row in rows(bound)}


def chips(bound: forms.BoundField, fitting: Collection[str], binding: Collection[str]) -> Chips:
    """The choices of a list of what may count, for a row with which some fit, and some count in any case."""
    made = [Chip(row.id, row.name, row.value, f"{row.label} {row.number}".strip(), row.checked, row.value in binding)
             for row in rows(bound)]
    ready = [chip for chip in made if chip.bound or chip.checked or chip.value in fitting]
    return Chips(tuple(ready), tuple(chip for chip in made if chip not in ready))
