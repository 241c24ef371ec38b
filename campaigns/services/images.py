"""Pictures of notes and things: drawn anew, kept once, and gone as soon as nothing has them any more."""
from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from campaigns import pictures, trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Image

# Each kind of things with pictures says whether one of them has this one.
IN_USE: list[Callable[[Campaign, str], bool]] = []


def keep(entry: trail.Draft, data: bytes | None) -> str:
    """The digest of a picture that was sent, kept; "" for none. Raises `Refused` for what is no picture."""
    webp = pictures.taken(data) if data is not None else b""
    digest = hashlib.sha256(webp).hexdigest() if webp else ""
    if webp:
        Image.objects.get_or_create(campaign=entry.campaign, digest=digest, defaults={"webp": webp})
    return digest


def replace(entry: trail.Draft, thing: Any, data: bytes | None) -> None:
    """Gives a note or thing a picture in place of the one that it had, or takes it down (None)."""
    was, digest = thing.digest, keep(entry, data)
    if not entry.change(thing, digest=digest):
        raise Refused("This is the picture that it has already." if digest else "It has no picture.", "picture")
    forget(entry, was)
    entry.title = f"{thing}: {'a new picture' if digest else 'picture taken down'}"


def forget(entry: trail.Draft, digest: str) -> None:
    """Removes a picture that nothing has any more."""
    if digest and not any(has(entry.campaign, digest) for has in IN_USE):
        Image.objects.filter(campaign=entry.campaign, digest=digest).delete()
