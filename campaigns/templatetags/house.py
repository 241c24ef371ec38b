"""Tags of the house: its name, its places, how forms are drawn. Loaded in every template."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms, template
from django.urls import NoReverseMatch, reverse

register = template.Library()

PRODUCT = "Ledger & Lantern"


@register.simple_tag
def product() -> str:
    """What this house is called."""
    return PRODUCT


@register.simple_tag
def place(name: str, *args: Any) -> str:
    """The address of a place, or "" where there is none: `{% place 'trail' viewer.campaign.slug as url %}`."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a campaign, as the rail shows it. `thumb` is its name in a phone's bar, "" where it has none."""

    label: str
    url: str
    current: str = ""
    thumb: str = ""
    apart: bool = False


# The name of the address, its label, its name in the phone's bar, and whether it is the GM's.
PLACES = (
    ("table", "Table", "Table", False),
    ("my_sheet", "My sheet", "Sheet", False),
    ("characters", "Characters", "", False),
    ("trail", "Chronicle", "Chronicle", False),
    ("sessions", "Sessions", "", False),
    ("odds", "Odds", "", False),
    ("people", "People", "", False),
    ("prepare", "Prepare", "", True),
    ("campaign_settings", "Settings", "", False),
)


@register.simple_tag(takes_context=True)
def places(context: template.Context) -> list[Place]:
    """The places of the campaign that exist for this viewer, the current one marked."""
    viewer, request = context["viewer"], context.get("request")
    path = request.path if request else ""
    found = [
        (place(name, viewer.campaign.slug), label, thumb, gm)
        for name, label, thumb, gm in PLACES
        if viewer.runs or not gm
    ]
    found = [each for each in found if each[0]]
    # The table's address is how every other one begins, so the longest that fits is where one is.
    here = max((url for url, *_ in found if path.startswith(url)), key=len, default="")
    return [
        Place(label, url, ("page" if url == path else "true") if url == here else "", thumb, gm)
        for url, label, thumb, gm in found
    ]


@register.inclusion_tag("shared/field.html")
def field(bound: forms.BoundField, **options: Any) -> dict[str, Any]:
    """One field with its label, help and errors: `{% field form.name %}`.

    `label=` and `help=` say it otherwise; `quiet=True` leaves the label to those who listen.
    """
    widget = bound.field.widget
    if bound.is_hidden:
        kind = "hidden"
    elif isinstance(widget, (forms.RadioSelect, forms.CheckboxSelectMultiple)):
        kind = "choices"
    else:
        kind = "check" if isinstance(widget, forms.CheckboxInput) else "line"
    return {
        "field": bound, "kind": kind, "label": bound.label, "help": bound.help_text,
        "described": bound.aria_describedby or "", **options,
    }


@register.inclusion_tag("shared/deed.html", takes_context=True)
def deed(context: template.Context, form: forms.Form) -> dict[str, Any]:
    """What every form that does something starts with: the hidden fields, and a refusal that belongs to no field."""
    return {"form": form, "csrf_token": context.get("csrf_token"), "request": context.get("request")}
