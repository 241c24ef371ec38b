"""Asking players for a roll."""
from __future__ import annotations

import uuid
from collections import Counter
from typing import Any

from django import forms

from accounts.wording import choice, speak
from campaigns.access import Viewer
from campaigns.rulefields import form_fields, values_of
from campaigns.web import ActionForm
from characters.models import Character

MOST_LINES = 80


class AskForm(ActionForm):
    """Who is to roll, for what, how hard it is, and with which lines, where the GM says that."""

    characters = forms.MultipleChoiceField(label="Who rolls", widget=forms.CheckboxSelectMultiple)
    what = forms.CharField(label="Reason", max_length=120, required=False)
    sealed = forms.BooleanField(
        label="Hide the difficulty until they roll", required=False)
    lines = forms.MultipleChoiceField(
        label="Suggested traits", required=False, widget=forms.CheckboxSelectMultiple,
        help_text="Already ticked for the player, who can change them.")

    def __init__(self, viewer: Viewer, played: list[Character], here: set[uuid.UUID], data: Any = None) -> None:
        super().__init__(data)
        rules = viewer.campaign.rules
        self._asked = rules.rolls.obstacle
        made = form_fields(self._asked)
        self.fields |= made
        self.hard = [self[name] for name in made]
        who = choice(self, "characters")
        unable = {character.pk for character in played if rules.sheet.unable(character.sheet())}
        who.choices = [(str(character.pk), f"{character.name} ({character.player})"
                        f"{', can’t act now' if character.pk in unable else ''}") for character in played]
        who.initial = [str(character.pk) for character in played if character.pk in here and character.pk not in unable]
        passing = {kind.name for kind in rules.sheet.trait_kinds if kind.condition or kind.played}
        known = Counter(
            trait.name for character in played for trait in character.traits.all() if trait.kind not in passing)
        choice(self, "lines").choices = [(name, name) for name, _ in known.most_common(MOST_LINES)]
        if not known:
            del self.fields["lines"]
        for field in self.fields.values():
            speak(field)

    def said(self) -> dict[str, Any]:
        """What the service takes."""
        data = self.cleaned_data
        return {
            "characters": [uuid.UUID(character) for character in data["characters"]], "what": data["what"],
            "lines": data.get("lines", []), "values": values_of(self._asked, data), "sealed": data["sealed"],
        }
