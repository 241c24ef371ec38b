"""Putting an obstacle on the scene."""
from __future__ import annotations

import uuid
from typing import Any

from django import forms

from accounts.wording import speak
from campaigns.access import Viewer
from campaigns.models import View
from campaigns.rulefields import form_fields, values_of
from campaigns.web import ActionForm
from characters.models import Character
from rules.system import Opposes


class ObstacleForm(ActionForm):
    """Obstacle and how hard it is, or a line of somebody who is here."""

    needed = ("name", "trait")  # one of the two
    name = forms.CharField(label="Obstacle", max_length=120, required=False)

    def __init__(self, viewer: Viewer, present: list[Character], data: Any = None) -> None:
        super().__init__(data)
        rules = viewer.campaign.rules
        self._asked = rules.rolls.obstacle
        self.fields |= form_fields(self._asked)
        written = rules.sheet.notation
        lines = [
            (str(trait.pk), f"{character.name}: {trait.name} · {written(trait.kind, trait.value - trait.damage)}")
            for character in present if character.npc and character.view is not View.NOTHING
            for trait in character.traits.all()
        ]
        if lines and isinstance(rules.rolls, Opposes):
            self.fields["trait"] = forms.ChoiceField(
                label="Or a character in this scene", choices=[("", "Nobody"), *lines], required=False)
        for field in self.fields.values():
            speak(field)

    def said(self) -> dict[str, Any]:
        """What the service takes."""
        line = self.cleaned_data.get("trait")
        return {
            "name": self.cleaned_data["name"], "values": values_of(self._asked, self.cleaned_data),
            "trait_id": uuid.UUID(line) if line else None,
        }
