"""What the GM prepares, and what the campaign holds."""
from __future__ import annotations

from typing import Any

from django import forms

from accounts.wording import speak
from campaigns.rulefields import form_fields, initial_of, values_of
from campaigns.web import ActionForm
from characters.services.common import NAME, REASON, STORY
from play.models import PrepItem
from play.services.bank import LOOKS, spec_of
from play.services.pools import MOST
from rules.prep import PrepItemKind
from rules.values import Value


class PreparedForm(ActionForm):
    """A name, words, and the fields that this kind has."""

    name = forms.CharField(label="Name", max_length=NAME, error_messages={"required": "Give it a name."})
    text = forms.CharField(
        label="Description", max_length=STORY, required=False, widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Yours alone until you show it.",
    )
    looks = forms.CharField(
        label="Appearance", max_length=LOOKS, required=False, widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Players who have only seen the name and picture read this.",
    )

    def __init__(self, kind: PrepItemKind, prepared: PrepItem | None, data: Any = None) -> None:
        held = {"name": prepared.name, "text": prepared.text, "looks": prepared.looks} if prepared else {}
        super().__init__(data, initial=held)
        self.kind = kind
        self.fields |= form_fields(kind.fields)
        for name, value in initial_of(kind.fields, kind.current(spec_of(prepared)) if prepared else {}).items():
            self.fields[name].initial = value
        # The words come last: what the rules ask for is what a GM looks up.
        words = ("text", "looks")
        self.order_fields(["name", *(name for name in self.fields if name not in ("name", *words)), *words])
        for field in self.fields.values():
            speak(field)

    def given(self) -> dict[str, Value]:
        """The fields, as the rules read them."""
        return values_of(self.kind.fields, self.cleaned_data)


class PoolForm(ActionForm):
    """What a pool of the campaign holds from now on, and why."""

    value = forms.IntegerField(label="New value", min_value=0, max_value=MOST)
    reason = forms.CharField(label="Reason", max_length=REASON)
