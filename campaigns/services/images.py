"""Pictures of notes and things: kept once, and gone as soon as nothing has them any more."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from campaigns import trail
from campaigns.budgets import room_for_picture
from campaigns.errors import Refused
from campaigns.models import Campaign, Image
from campaigns.pictures import Drawn

# Each kind of things with pictures says whether one of them has this one.
IN_USE: list[Callable[[Campaign, str], bool]] = []


def keep(entry: trail.Draft, picture: Drawn | None) -> str:
    """The digest of a picture, which is kept from now on; "" for none. Raises `Refused` where there is no room."""
    if picture is None:
        return ""
    room_for_picture(entry.campaign, len(picture.webp))
    Image.objects.get_or_create(campaign=entry.campaign, digest=picture.digest, defaults={"webp": picture.webp})
    return picture.digest


def replace(entry: trail.Draft, thing: Any, picture: Drawn | None) -> None:
    """Gives a note or thing a picture in place of the one that it had, or takes it down (None)."""
    was, digest = thing.digest, keep(entry, picture)
    if not entry.change(thing, digest=digest):
        raise Refused(f"No change: it {'already has this' if digest else 'has no'} picture.", "picture")
    forget(entry, was)
    entry.title = f"{thing}: {'a new picture' if digest else 'picture removed'}"


def forget(entry: trail.Draft, digest: str) -> None:
    """Removes a picture that nothing has any more."""
    if digest and not any(has(entry.campaign, digest) for has in IN_USE):
        Image.objects.filter(campaign=entry.campaign, digest=digest).delete()
