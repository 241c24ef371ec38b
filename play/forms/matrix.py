"""Forms of the matrix: how hard a row is, what counts as easy and hard, and what fits."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django import forms

from campaigns.access import Viewer
from campaigns.rulefields import form_fields, initial_of, values_of
from campaigns.web import ActionForm
from play.contexts.matrix_cell import NOTHING, OpenCell
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

    easy = forms.IntegerField(label="Easy at or above (%)", min_value=1, max_value=100)
    hard = forms.IntegerField(label="Hard at or below (%)", min_value=0, max_value=99)


class FitForm(ActionForm):
    """What fits a cell, at what cost, and whether it does in all rows of a tag."""

    fits = forms.CharField(max_length=400)
    stretch = forms.ChoiceField(label="Fit", required=False)
    tag = forms.ChoiceField(label="Rows", required=False)

    def __init__(self, cell: OpenCell, data: Any = None) -> None:
        chosen = next((choice.key for choice in cell.choices if choice.chosen), "")
        super().__init__(data, initial={"stretch": str(cell.stretch), "fits": chosen})
        # Django's stubs know the fields by their base.
        stretch, tag = self.fields["stretch"], self.fields["tag"]
        if isinstance(stretch, forms.ChoiceField) and isinstance(tag, forms.ChoiceField):
            stretch.choices = [("0", "It fits"), *((str(amount), words) for amount, words in cell.stretches)]
            tag.choices = [("", "in this row only"), *((name, f"in all #{name} rows") for name in cell.tags)]
        if not cell.stretches:
            del self.fields["stretch"]
        if not cell.tags:
            del self.fields["tag"]
        self._offered = {choice.key for choice in (*cell.choices, *cell.more)}

    def clean_fits(self) -> str:
        """One of the answers that are offered."""
        fits: str = self.cleaned_data["fits"]
        if fits not in self._offered:
            raise forms.ValidationError("This is no longer on the sheet. Choose another line.")
        return fits

    def said(self) -> dict[str, Any]:
        """What the service takes."""
        fits = self.cleaned_data["fits"]
        lines = [] if fits == NOTHING else [uuid.UUID(line) for line in fits.split()]
        stretch, tag = int(self.cleaned_data.get("stretch") or 0), self.cleaned_data.get("tag", "")
        return {"lines": lines, "stretch": stretch, "tag": tag}
