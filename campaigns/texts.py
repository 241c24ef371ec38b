"""Text as the trail can keep it."""
from __future__ import annotations

import unicodedata

from campaigns.errors import Refused


def text(given: str, most: int, field: str, *, needed: str = "") -> str:
    """Text as it is kept: NFC like the trail's own, so that a campaign built anew from its trail has the same.

    `needed` is the sentence for an empty one; without it, empty is fine.
    """
    if "\0" in given:
        raise Refused("One character in this text can’t be stored. Type it again.", field)
    kept = unicodedata.normalize("NFC", given.replace("\r\n", "\n")).strip()
    if needed and not kept:
        raise Refused(needed, field)
    if len(kept) > most:
        raise Refused(f"Keep this to {most} characters; it has {len(kept)}.", field)
    return kept
