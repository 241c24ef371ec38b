"""What happened in campaigns, in sentences.

The sentences come from play, an app above: it says so with `tell`, as it does for what is asked of people.
"""
from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from campaigns.access import Viewer
from campaigns.models import Entry


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that happened, and where it is told at length; of a roll its `verdict`: success, failure or tie."""

    at: datetime
    text: str
    url: str
    verdict: str = ""


Happened = Mapping[uuid.UUID, Sequence[Entry]]
Teller = Callable[[Sequence[Viewer], Happened], dict[uuid.UUID, list[Sentence]]]
_TELLERS: list[Teller] = []


def tell(teller: Teller) -> None:
    """Says who makes sentences: a function from viewers, and the entries of each campaign that they may read."""
    _TELLERS[:] = [teller]


def sentences(viewers: Sequence[Viewer], happened: Happened) -> dict[uuid.UUID, list[Sentence]]:
    """What these entries come to for each viewer, the newest first, by campaign.

    The entries come newest first, with their payloads. As many queries for many campaigns as for one.
    """
    return _TELLERS[0](viewers, happened) if _TELLERS and happened else {}
