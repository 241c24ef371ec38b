"""Forms of the matrix: how hard a row is, and what counts as easy and hard."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from campaigns.access import Viewer
from campaigns.rulefields import form_fields, initial_of, values_of
from campaigns.web import ActionForm
from rules.values import Value


class RowForm(ActionForm):
    """The fields of an obstacle, as the row has them."""

    def __init__(self, viewer: Viewer, values: Mapping[str, Any], data: Any = None) -> None:
        self._asked = viewer.campaign.rules.rolls.obstacle
        super().__init__(data, initial=initial_of(self._asked, values))
        self.fields |= form_fields(self._asked)

    def given(self) -> dict[str, Value]:
        """The fields, as the rules read them."""
        return values_of(self._asked, self.cleaned_data)


class LimitsForm(ActionForm):
    """What stands out in the matrix."""

    easy = forms.IntegerField(label="Easy from, in percent", min_value=1, max_value=100)
    hard = forms.IntegerField(label="Hard up to, in percent", min_value=0, max_value=99)
