"""Forms of notes."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from accounts.wording import choice
from campaigns.access import Viewer
from campaigns.models import Member, Page, View
from campaigns.pictures import MOST_BYTES, TOO_HEAVY
from campaigns.services.pages import LOOKS, TEXT, TITLE, TYPES
from campaigns.web import ActionForm


class PageForm(ActionForm):
    """A note, new or changed. Who reads a new one is chosen; afterwards that has buttons of its own."""

    title = forms.CharField(label="Title", max_length=TITLE, error_messages={"required": "Give it a title."})
    type = forms.ChoiceField(label="Type", choices=TYPES, required=False)
    text = forms.CharField(
        label="Text", max_length=TEXT, required=False, widget=forms.Textarea(attrs={"rows": 14}),
        help_text="Markdown. [[The dry well]] links to the note, character or thing of this name.",
    )
    looks = forms.CharField(
        label="Appearance", max_length=LOOKS, required=False, widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Players who have only seen the name and picture read this.",
    )
    whose = forms.ChoiceField(label="Readers", widget=forms.RadioSelect)

    def __init__(self, viewer: Viewer, page: Page | None, *args: Any, **kwargs: Any) -> None:
        held = {name: getattr(page, name) for name in ("title", "type", "text", "looks")} if page else {
            "whose": "gm" if viewer.runs else "all"}
        kwargs["initial"] = {**held, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        gms = [("gm", "Only GMs, until it is shown")] if viewer.runs else []
        others = "other GMs" if gms else "the GM"
        choice(self, "whose").choices = [*gms, ("all", "Everyone"), ("mine", f"Only you: not even {others}")]
        if page:
            del self.fields["whose"]
        if not viewer.runs:
            del self.fields["looks"]

    def said(self) -> dict[str, Any]:
        """What the service takes."""
        names = {"title": "title", "type": "type", "text": "words", "looks": "looks", "whose": "whose"}
        return {takes: self.cleaned_data[name] for name, takes in names.items() if name in self.fields}


class PictureForm(ActionForm):
    """A picture. What is in it is checked when it is drawn anew."""

    picture = forms.FileField(
        label="Picture", help_text="PNG, JPEG or WebP, up to 4 MB.", allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        error_messages={"required": "Choose a picture.", "max_length": "This file’s name is too long."},
    )

    def clean_picture(self) -> Any:
        picture = self.cleaned_data["picture"]
        if picture.size > MOST_BYTES:
            raise forms.ValidationError(TOO_HEAVY)
        return picture


class SightForm(ActionForm):
    """What single players know beyond everyone: a field for each of them."""

    def __init__(self, members: Sequence[Member], now: Mapping[uuid.UUID, View], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for member in members:
            self.fields[f"member-{member.pk}"] = forms.ChoiceField(
                label=str(member), initial=now.get(member.pk, View.NOTHING), widget=forms.RadioSelect, required=False,
                choices=[(View.NOTHING, "As everyone"), (View.FACE, "Name and picture"), (View.ALL, "All")],
            )

    def views(self) -> dict[uuid.UUID, View]:
        """What was chosen, by member."""
        return {
            uuid.UUID(name.removeprefix("member-")): View(said) for name, said in self.cleaned_data.items()
            if name.startswith("member-") and said
        }
