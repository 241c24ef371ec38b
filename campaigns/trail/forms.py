"""Forms of the Ledger."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms

from accounts.wording import choice
from campaigns.trail.declared import choices_of, filters
from campaigns.trail.queries import members
from campaigns.web import ActionForm

if TYPE_CHECKING:
    from campaigns.access import Viewer


class UndoForm(ActionForm):
    """Undoing an entry, with a reason if one likes."""

    reason = forms.CharField(label="Reason", max_length=200, required=False)


class FilterForm(forms.Form):
    """What the Ledger is narrowed to."""

    person = forms.ChoiceField(label="Member", required=False)
    character = forms.ChoiceField(label="Character", required=False)
    kind = forms.ChoiceField(label="Kind", required=False)
    session = forms.ChoiceField(label="Session", required=False)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, viewer: Viewer, data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        choice(self, "person").choices = [("", "Everyone"), *members(viewer)]
        choice(self, "character").choices = [("", "All characters"), *choices_of("character", viewer)]
        choice(self, "kind").choices = [("", "All kinds"), *((kind.name, kind.label) for kind in filters())]
        choice(self, "session").choices = [("", "All sessions"), *choices_of("session", viewer)]

    def chosen(self) -> dict[str, Any]:
        """What is chosen; a choice that makes no sense is passed over."""
        if not self.is_bound:
            return {}
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def query(self) -> str:
        """The choices as an address, without the page."""
        return urlencode({name: value for name, value in self.chosen().items() if name != "before"})
