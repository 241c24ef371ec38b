"""Tags of the house: how forms are drawn. Loaded in every template."""
from __future__ import annotations

from typing import Any

from django import forms, template

register = template.Library()


@register.inclusion_tag("shared/field.html")
def field(bound: forms.BoundField, **options: Any) -> dict[str, Any]:
    """One field with its label, help and errors: `{% field form.name %}`."""
    return {"field": bound, **options}


@register.inclusion_tag("shared/deed.html", takes_context=True)
def deed(context: template.Context, form: forms.Form) -> dict[str, Any]:
    """What every form that does something starts with: the hidden fields, and a refusal that belongs to no field."""
    return {"form": form, "csrf_token": context.get("csrf_token"), "request": context.get("request")}
