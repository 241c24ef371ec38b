"""The widgets of forms as HTML, the same as the framework's own, and fields with their labels.

A page has dozens of them. The framework draws each by a template that includes another for its attributes, and one for
every choice: a fifth of what a page with forms costs. Whatever is not drawn here is drawn there.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from django import forms
from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from accounts.wording import NOTHING_CHOSEN
from accounts.wording import options as options_of

Widget = Mapping[str, Any]  # what a widget gives its template


def _escaped(text: Any) -> str:
    """The same as the framework's `conditional_escape`, which looks at each text for what is not translated yet: a page
    has a thousand of them."""
    said = str(text) if isinstance(text, Promise) else text
    return str(said.__html__()) if hasattr(said, "__html__") else escape(str(said))


def _attributes(widget: Widget) -> str:
    return "".join(
        f" {_escaped(name)}" + ("" if value is True else f'="{_escaped(str(value))}"')
        for name, value in widget["attrs"].items() if value is not False)


def _input(widget: Widget) -> str:
    value = "" if widget["value"] is None else f' value="{_escaped(str(widget["value"]))}"'
    return f'<input type="{widget["type"]}" name="{_escaped(widget["name"])}"{value}{_attributes(widget)}>'


def _textarea(widget: Widget) -> str:
    value = _escaped(widget["value"]) if widget["value"] else ""
    return f'<textarea name="{_escaped(widget["name"])}"{_attributes(widget)}>\n{value}</textarea>'


def _select(widget: Widget) -> str:
    parts = []
    for group, options, _ in widget["optgroups"]:
        parts += [f'\n  <optgroup label="{_escaped(group)}">'] if group else []
        parts += [
            f'\n  <option value="{_escaped(str(option["value"]))}"{_attributes(option)}>'
            f'{_escaped(option["label"])}</option>\n' for option in options]
        parts += ["\n  </optgroup>"] if group else []
    return f'<select name="{_escaped(widget["name"])}"{_attributes(widget)}>{"".join(parts)}\n</select>'


def _choices(widget: Widget) -> str:
    attrs, parts = widget["attrs"], []
    for group, options, _ in widget["optgroups"]:
        parts += [f"\n  <div><label>{_escaped(group)}</label>"] if group else []
        parts += [f"<div>\n    {_choice(option)}\n</div>" for option in options]
        parts += ["\n  </div>"] if group else []
    named = "".join(
        f' {name}="{_escaped(attrs[name])}"' for name in ("id", "class") if attrs.get(name))
    return f"<div{named}>{''.join(parts)}\n</div>"


def _choice(option: Widget) -> str:
    if not option["wrap_label"]:
        return f"{_input(option)}\n"
    of = f' for="{_escaped(option["attrs"]["id"])}"' if option["attrs"].get("id") else ""
    return f"<label{of}>{_input(option)}\n {_escaped(option['label'])}</label>\n"


DRAWN: dict[str, Callable[[Widget], str]] = {
    f"django/forms/widgets/{name}.html": draw for draw, names in (
        (_input, ("text", "number", "hidden", "checkbox", "email", "password", "search", "url")),
        (_textarea, ("textarea",)), (_select, ("select",)), (_choices, ("radio", "checkbox_select")),
    ) for name in names
}


class Widgets(DjangoTemplates):
    """Draws forms' widgets; `FORM_RENDERER` in the settings names it."""

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        """One widget; anything else by its template."""
        if (draw := DRAWN.get(template_name)) is None:
            return super().render(template_name, context, request)
        return SafeString(draw(context["widget"]))  # each part was escaped above


class Steps(forms.NumberInput):
    """A number that is changed by one at a time: a button on either side."""


def _with_steps(bound: forms.BoundField, said: str) -> str:
    """The number between its buttons, which a script shows."""
    less, more = (
        f'<button type="button" class="quiet" data-step="{by}" aria-label="{words}: {said}" hidden>{sign}</button>'
        for by, words, sign in ((-1, "One less", "−"), (1, "One more", "+")))
    return f'<div class="stepper" data-number>{less}{bound}{more}</div>'


def drawn_field(bound: forms.BoundField, label: Any, help: Any, quiet: bool) -> SafeString:
    """A field with its label, help and errors; `quiet` leaves the label to those who listen."""
    if bound.is_hidden:
        return SafeString(bound)
    widget, said = bound.field.widget, _escaped(label)
    errors = "".join(f'<span class="error">{_escaped(error)}</span>' for error in map(str, bound.errors))
    notes = (f'<div id="{bound.auto_id}_error">{errors}</div>' if errors else "") + (
        f'<div class="help" id="{bound.auto_id}_helptext">{_escaped(help)}</div>' if help else "")
    ear = ' class="seen-by-ear"' if quiet else ""
    may_be_empty = _may_be_empty(bound.field) and bound.name not in getattr(bound.form, "needed", ())
    optional = ' <span class="optional">optional</span>' if may_be_empty else ""
    if isinstance(widget, (forms.RadioSelect, forms.CheckboxSelectMultiple)):
        described = f' aria-describedby="{bound.aria_describedby}"' if bound.aria_describedby else ""
        legend = f"<legend{ear}>{said}{optional}</legend>"
        drawn = f'<fieldset class="field choices"{described}>\n{legend}\n{notes}{bound}\n</fieldset>'
    elif isinstance(widget, forms.CheckboxInput):
        drawn = f'<div class="field"><label class="check">{bound} <span>{said}</span></label>{notes}</div>'
    else:
        named = f'<label for="{bound.id_for_label}"{ear}>{said}{optional}</label>'
        shown = _with_steps(bound, said) if isinstance(widget, Steps) else str(bound)
        drawn = f'<div class="field">{named}\n{shown}\n{notes}</div>'
    return SafeString(drawn)  # each part was escaped above


def _may_be_empty(one: forms.Field) -> bool:
    """Whether a field can really be left empty: not where something always is chosen, or what is not has its word."""
    chooses = isinstance(one, forms.ChoiceField) and not isinstance(one, forms.MultipleChoiceField)
    return not one.required and (not chooses or NOTHING_CHOSEN in options_of(one))
