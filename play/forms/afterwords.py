"""What a GM says came of a contest."""
from __future__ import annotations

from django import forms

from campaigns.web import ActionForm


class AfterwordForm(ActionForm):
    """What came of a contest, in the GM's own words."""

    words = forms.CharField(
        label="In a sentence", max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Everyone sees it on the contest’s card, in the Chronicle and at the start of the recap.",
    )
