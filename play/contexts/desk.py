"""The pages of what a GM prepares, and which of them one is on."""
from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from campaigns.access import Viewer


@dataclass(frozen=True)
class Tab:
    """A page of what a GM prepares."""

    label: str
    url: str
    current: bool


def desk_tabs(viewer: Viewer, current: str) -> tuple[Tab, ...]:
    """The pages of what is prepared."""
    names = (("prepare", "Library"), ("matrix", "Matrix"), ("plan", "Plan"), ("threads", "Threads"))
    return tuple(Tab(label, reverse(name, args=[viewer.campaign.slug]), name == current) for name, label in names)
