"""The form of a handout."""
from __future__ import annotations

import uuid
from typing import Any

from django import forms

from accounts.wording import choice
from campaigns import sight
from campaigns.access import Viewer
from campaigns.pageforms import PictureForm
from campaigns.services.pages import TEXT, TITLE
from rules.wording import join

EVERYONE = "all"


class HandoutForm(PictureForm):
    """A picture or a text, and who sees it."""

    title = forms.CharField(label="Title", max_length=TITLE, error_messages={"required": "Give it a title."})
    text = forms.CharField(
        label="Text", max_length=TEXT, required=False, widget=forms.Textarea(attrs={"rows": 8}),
        help_text="Markdown. [[The dry well]] links to the note, character or thing of this name.")
    to = forms.MultipleChoiceField(
        label="Show it to", widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one player."})
    field_order = ("title", "text", "picture", "to")

    def __init__(self, viewer: Viewer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["picture"].required = False
        self._names = {str(member.pk): str(member) for member in sight.players(viewer)}
        choice(self, "to").choices = [(EVERYONE, "Everyone"), *self._names.items()]

    def clean_picture(self) -> Any:
        """A picture of a size that can be read, or none."""
        return super().clean_picture() if self.cleaned_data["picture"] else None

    @property
    def members(self) -> list[uuid.UUID]:
        """Who sees it; nobody by name where everyone does."""
        chosen = self.cleaned_data["to"]
        return [] if EVERYONE in chosen else [uuid.UUID(pk) for pk in chosen]

    @property
    def seen_by(self) -> str:
        """Who sees it, in words."""
        return join([self._names[str(pk)] for pk in self.members], "everyone")
