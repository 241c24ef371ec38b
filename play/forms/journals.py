"""The form of a journal."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from django import forms

from accounts.wording import choice
from campaigns import sight
from campaigns.access import Viewer
from campaigns.models import Page, View
from campaigns.services.journals import EVERYONE, GMS, MINE, SOME
from campaigns.services.pages import TEXT, TITLE
from campaigns.web import ActionForm
from characters.models import Character

NOBODY = "A journal"


class JournalForm(ActionForm):
    """What somebody writes about a session or a scene, in whose voice, and who reads it."""

    words = forms.CharField(
        label="Your text", max_length=TEXT, widget=forms.Textarea(attrs={"rows": 9, "data-draft": ""}),
        error_messages={"required": "Write something first."},
    )
    character = forms.ChoiceField(label="Written by", required=False)
    readers = forms.ChoiceField(label="Readers", widget=forms.RadioSelect)
    shared = forms.BooleanField(
        label="Show it in shared links to the Chronicle", required=False,
        help_text="People without an account read it too, without your name. Only if everyone in the campaign reads it."
    )
    some = forms.MultipleChoiceField(
        label="Players", required=False, widget=forms.CheckboxSelectMultiple, help_text="The GM reads it too.")

    def __init__(
        self, viewer: Viewer, page: Page | None, voices: Sequence[Character], *args: Any, **kwargs: Any
    ) -> None:
        self._voices = {str(voice.pk): title_of(voice) for voice in voices}
        players = [player for player in sight.players(viewer) if player.pk != viewer.member.pk]
        kwargs["initial"] = self._held(page)
        super().__init__(*args, **kwargs)
        choice(self, "character").choices = [(pk, voice.name) for pk, voice in zip(self._voices, voices, strict=True)]
        choice(self, "readers").choices = [
            (EVERYONE, "Everyone"), (GMS, "The GM"), *([(SOME, "Some …")] if players else []), (MINE, "Only you")]
        choice(self, "some").choices = [(str(player.pk), str(player)) for player in players]
        if not players:
            del self.fields["some"]
        if len(voices) < 2:
            del self.fields["character"]

    def _held(self, page: Page | None) -> dict[str, Any]:
        if page is None:
            return {"readers": EVERYONE}
        some = [str(pk) for pk in sight.of(page.campaign_id, page.pk)]
        readers = MINE if page.private else EVERYONE if page.view == View.ALL else SOME if some else GMS
        voice = next((pk for pk, title in self._voices.items() if title == page.title), "")
        return {"words": page.text, "readers": readers, "some": some, "character": voice,
                "shared": page.shared}

    def said(self) -> dict[str, Any]:
        """What the service takes."""
        voice = self.cleaned_data.get("character") or next(iter(self._voices), "")
        some: Collection[uuid.UUID] = [uuid.UUID(pk) for pk in self.cleaned_data.get("some", ())]
        return {"words": self.cleaned_data["words"], "title": self._voices.get(voice, NOBODY),
                "readers": self.cleaned_data["readers"], "some": some, "shared": self.cleaned_data["shared"]}


def title_of(character: Character) -> str:
    """What a journal in this voice is called."""
    return f"{character.name[: TITLE - 12]}’s journal"
