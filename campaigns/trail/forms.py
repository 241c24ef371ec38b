"""Forms of the chronicle."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms

from campaigns.trail.queries import CHOICES, characters, members, sessions
from campaigns.web import DeedForm

if TYPE_CHECKING:
    from campaigns.access import Viewer


class UndoForm(DeedForm):
    """Undoing an entry, with a reason if one likes."""

    reason = forms.CharField(label="Why", max_length=200, required=False)


class FilterForm(forms.Form):
    """What the chronicle is narrowed to."""

    person = forms.ChoiceField(label="Person", required=False)
    character = forms.ChoiceField(label="Character", required=False)
    kind = forms.ChoiceField(label="Kind", required=False, choices=[("", "All kinds"), *CHOICES])
    session = forms.ChoiceField(label="Session", required=False)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, viewer: Viewer, data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        self.fields["person"].choices = [("", "Everybody"), *members(viewer)]
        self.fields["character"].choices = [("", "All characters"), *characters(viewer)]
        self.fields["session"].choices = [("", "All sessions"), *sessions(viewer)]

    def chosen(self) -> dict[str, Any]:
        """What is chosen; a choice that makes no sense is passed over."""
        if not self.is_bound:
            return {}
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def query(self) -> str:
        """The choices as an address, without the page."""
        return urlencode({name: value for name, value in self.chosen().items() if name != "before"})
