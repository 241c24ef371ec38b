"""Widgets are drawn without templates: to the letter as the framework draws them."""
from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates, get_default_renderer
from django.utils.html import escape
from django.utils.safestring import mark_safe

from accounts.widgets import DRAWN, Widgets, drawn_field

WILD = """<b>"it's" & so</b>"""
PLAIN = [("", "Choose one"), ("a", "Ana"), (2, WILD), (WILD, 7), ("s", mark_safe("<i>said</i>"))]
GROUPED = [("x", "Alone"), ("The " + WILD, [("y", "Why"), ("z", "Zoë")]), ("Others", [("a", "Ana")])]


class Everything(forms.Form):
    """Each kind of widget."""

    text = forms.CharField(max_length=20, help_text="So.", widget=forms.TextInput(attrs={"title": WILD, "x": True}))
    number = forms.IntegerField(min_value=0, max_value=9, required=False)
    hidden = forms.CharField(widget=forms.HiddenInput)
    check = forms.BooleanField(widget=forms.CheckboxInput(attrs={"autofocus": False, "class": "big"}))
    email = forms.EmailField()
    password = forms.CharField(widget=forms.PasswordInput)
    words = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}))
    choice = forms.ChoiceField(choices=PLAIN)
    grouped = forms.ChoiceField(choices=GROUPED, required=False)
    several = forms.MultipleChoiceField(choices=PLAIN, widget=forms.CheckboxSelectMultiple(attrs={"class": WILD}))
    boxes = forms.MultipleChoiceField(choices=GROUPED, widget=forms.CheckboxSelectMultiple)
    many = forms.MultipleChoiceField(choices=GROUPED)
    radios = forms.ChoiceField(choices=PLAIN, widget=forms.RadioSelect)
    portrait = forms.FileField()


GIVEN: list[Any] = [
    None, {},
    {"text": WILD, "number": "-3", "hidden": WILD, "check": "on", "words": WILD, "choice": "2", "grouped": "y",
     "several": ["a", WILD], "boxes": ["z"], "many": ["x", "a"], "radios": "a", "email": WILD, "password": "x"},
]


@pytest.mark.parametrize("auto_id", [True, False, "mine-%s"])
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("name", list(Everything.base_fields))
def test_a_widget_is_what_the_framework_draws(name: str, given: Any, auto_id: Any) -> None:
    initial = {"number": 1234, "text": mark_safe("<u>safe</u>"), "words": "a\nb", "check": True}
    ours, theirs = (
        str(Everything(given, initial=initial, auto_id=auto_id, renderer=django_templates)[name])
        for django_templates in (Widgets(), DjangoTemplates()))
    assert ours == theirs


def test_they_are_drawn_so_on_every_page() -> None:
    assert isinstance(get_default_renderer(), Widgets)
    assert {path.rpartition("/")[2] for path in DRAWN} >= {"text.html", "select.html", "checkbox_select.html"}


def test_labels_help_and_refusals_are_words_and_no_markup() -> None:
    form = Everything({"choice": WILD + "?"}, auto_id="mine-%s")
    for name in ("text", "check", "choice", "several"):
        form.add_error(name, WILD)
        drawn = drawn_field(form[name], WILD, WILD, quiet=name == "text")
        assert WILD not in drawn and drawn.count(escape(WILD)) >= 3
        assert f'id="mine-{name}_error"' in drawn and f'id="mine-{name}_helptext"' in drawn
        assert ("seen-by-ear" in drawn) == (name == "text")
    assert str(form["hidden"]) == drawn_field(form["hidden"], "", "", quiet=False)
    assert "optional" in drawn_field(form["number"], "How many", "", quiet=False)
