"""Tables of pictures that go along with a campaign, by what its file calls them: `campaign`, `digest`, `webp`."""
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import models

M = TypeVar("M", bound=type[models.Model])

PICTURES: dict[str, type[models.Model]] = {}


def carried(name: str) -> Callable[[M], M]:
    """Marks a table of pictures as one that goes along."""

    def mark(model: M) -> M:
        PICTURES[name] = model
        return model

    return mark
