"""Forms of campaigns."""
from __future__ import annotations

from django import forms

from campaigns.web import DeedForm
from rules.registry import SYSTEMS


class FoundForm(DeedForm):
    """A new campaign."""

    name = forms.CharField(label="Name", max_length=120)
    system = forms.ChoiceField(
        label="Game", choices=lambda: [(system.slug, system.name) for system in SYSTEMS.values()],
        widget=forms.RadioSelect,
    )
    pitch = forms.CharField(label="Pitch", max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 4}))
