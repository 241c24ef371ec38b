"""A character's picture: checked by what is in it, drawn anew, so that nothing else that the file held is kept."""
from __future__ import annotations

import hashlib
import io
import struct
import uuid
import warnings

from PIL import Image, ImageOps, UnidentifiedImageError

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member
from characters.models import Picture, Portrait
from characters.services.common import fresh

FORMATS = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 4 * 1024 * 1024
MOST_PIXELS = 24_000_000
SIDE = 512

UNREADABLE = "This picture can't be read. Choose a PNG, JPEG or WebP."
TOO_HEAVY = "This file is larger than 4 MB. Choose a smaller one."
TOO_WIDE = "This picture has too many pixels. Choose one of at most 24 million."


@trail.answers_once
def put(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, data: bytes) -> Entry:
    """Gives a character a picture, in place of the one that it had."""
    webp = redrawn(data)
    digest = hashlib.sha256(webp).hexdigest()
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, kind="portrait.put", title="") as entry:
        character = fresh(entry, actor, character_id)
        Picture.objects.get_or_create(campaign=entry.campaign, digest=digest, defaults={"webp": webp})
        portrait = Portrait.objects.filter(character=character).first()
        if portrait is None:
            entry.create(Portrait(campaign=entry.campaign, character=character, digest=digest))
        else:
            was = portrait.digest
            if not entry.change(portrait, digest=digest):
                raise Refused("This is the picture that is up already.", "picture")
            _forget(entry, was)
        entry.title = f"{character.name} has a new picture"
    return entry.written


@trail.answers_once
def take_down(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Takes a picture down, and forgets it."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, kind="portrait.remove", title="") as entry:
        character = fresh(entry, actor, character_id)
        portrait = Portrait.objects.filter(character=character).first()
        if portrait is None:
            raise Refused("There is no picture to take down.")
        was = portrait.digest
        entry.remove(portrait)
        _forget(entry, was)
        entry.title = f"{character.name}: picture taken down"
    return entry.written


def redrawn(data: bytes) -> bytes:
    """The picture as WebP, at most 512 pixels a side, upright, without what cameras write into files."""
    if not data:
        raise Refused("This file is empty. Choose a picture.", "picture")
    if len(data) > MOST_BYTES:
        raise Refused(TOO_HEAVY, "picture")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                # The size stands in the file's head: nothing is unpacked before it was looked at.
                if image.width * image.height > MOST_PIXELS:
                    raise Refused(TOO_WIDE, "picture")
                return _drawn(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Refused(TOO_WIDE, "picture") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, struct.error, MemoryError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused(UNREADABLE, "picture") from None


def _drawn(image: Image.Image) -> bytes:
    image.draft("RGB", (SIDE * 2, SIDE * 2))  # a JPEG of a camera is read at a fraction of its size
    upright = ImageOps.exif_transpose(image)
    plain = upright.convert("RGBA" if "A" in upright.getbands() or "transparency" in upright.info else "RGB")
    plain.thumbnail((SIDE, SIDE))
    clean = Image.new(plain.mode, plain.size)
    clean.paste(plain)
    written = io.BytesIO()
    clean.save(written, "WEBP", quality=84, method=4)
    return written.getvalue()


def _forget(entry: trail.Draft, digest: str) -> None:
    if not Portrait.objects.filter(campaign=entry.campaign, digest=digest).exists():
        Picture.objects.filter(campaign=entry.campaign, digest=digest).delete()
