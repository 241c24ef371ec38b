"""Reads. The first argument is the viewer, but for `sheets`, which feeds the rules and never a page."""
from __future__ import annotations

import uuid
from collections.abc import Iterable

from campaigns.models import Campaign
from characters.models import Character
from rules.sheet import Sheet


def sheets(campaign: Campaign, ids: Iterable[uuid.UUID | str]) -> dict[str, Sheet]:
    """The characters of these ids as the rules see them, by id as text; three queries, however many there are."""
    rows = Character.objects.filter(campaign=campaign, pk__in=list(ids)).prefetch_related("traits", "pools")
    return {str(character.pk): character.sheet() for character in rows}
