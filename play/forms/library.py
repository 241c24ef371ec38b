"""Forms of the library: quick lines, tags, how many more."""
from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.http import QueryDict

from campaigns.access import Viewer
from campaigns.web import ActionForm
from play.services.library import MOST_COPIES, MOST_LINES
from rules import quick_lines
from rules.prep import NPC
from rules.quick_lines import MOST_LINE, QuickLine


class QuickForm(ActionForm):
    """One line, what kind of thing it is, and the parts of it that a person has taken out again."""

    line = forms.CharField(
        label="Add in one line", max_length=MOST_LINE, widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Write a line: a name first, then what matters, with commas."},
    )
    kind = forms.ChoiceField(label="Type", widget=forms.RadioSelect, initial=NPC)
    text = forms.CharField(widget=forms.HiddenInput, max_length=2000, required=False)

    def __init__(self, viewer: Viewer, data: Any = None) -> None:
        super().__init__(data)
        self.rules = viewer.campaign.rules
        kinds = [(NPC, "NPC"), *((kind.name, kind.label) for kind in self.rules.library)]
        self.fields["kind"] = forms.ChoiceField(
            label="Type", widget=forms.RadioSelect, initial=NPC, choices=kinds, required=False)
        taken = data.getlist("without") if hasattr(data, "getlist") else []
        # A part that is no longer in the line need not be taken out of it.
        self.without = tuple(line for line in taken[:50] if line in data.get("line", ""))
        anew = zip(data.getlist("was"), data.getlist("instead"), strict=False) if hasattr(data, "getlist") else ()
        self.instead = {was: " ".join(now.split()) for was, now in [*anew][:50]}

    @classmethod
    def looking(cls, viewer: Viewer, data: QueryDict) -> QuickForm:
        """The form with what is typed so far, and an operation of its own."""
        data = data.copy()
        data["op_id"] = str(uuid.uuid4())
        return cls(viewer, data)

    def read(self) -> QuickLine:
        """What the line says; only when it is valid."""
        data = self.cleaned_data
        return quick_lines.read(
            data["line"], self.rules, data["kind"] or NPC, text=data["text"], without=self.without,
            instead=self.instead)


class LinesForm(QuickForm):
    """Several lines at once."""

    line = forms.CharField(
        label="One thing a line", max_length=MOST_LINE * MOST_LINES,
        widget=forms.Textarea(attrs={"rows": 10, "placeholder": ""}),
        help_text="Begin a line with its kind where it is another: “Place: The mill”.",
        error_messages={"required": "Write a line for each thing: a name first, then what matters, with commas."},
    )

    def clean_line(self) -> str:
        """As many lines as can be added at once."""
        line: str = self.cleaned_data["line"]
        if len([line for line in line.splitlines() if line.strip()]) > MOST_LINES:
            raise forms.ValidationError(f"Add at most {MOST_LINES} lines at a time.")
        return line

    def read_all(self) -> list[QuickLine]:
        """What each line says; only when they are valid."""
        data = self.cleaned_data
        lines = [line for line in data["line"].splitlines() if line.strip()]
        return [quick_lines.read(line, self.rules, data["kind"] or NPC) for line in lines]


class ThingForm(ActionForm):
    """Something of the library that a button belongs to."""

    thing = forms.UUIDField(widget=forms.HiddenInput)


class TagsForm(ActionForm):
    """The tags of something."""

    tags = forms.CharField(
        label="Tags", max_length=300, required=False, help_text="A few words with blanks between them: court harbour.")


class CopyForm(ActionForm):
    """How many more like it."""

    count = forms.IntegerField(label="How many", min_value=1, max_value=MOST_COPIES, initial=3)
