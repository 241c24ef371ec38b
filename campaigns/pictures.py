"""A picture that somebody sends, drawn anew: small, upright, and nothing else of what the file held.

A file of a few kilobytes can unpack to gigabytes. What a picture would take is reckoned from its head before anything
is unpacked, and one is drawn at a time on the machine: it takes 40 MB more at the worst, with the file itself.
"""
from __future__ import annotations

import io
import struct
import warnings
import zlib
from itertools import product
from math import ceil

from PIL import Image, ImageOps, PngImagePlugin, UnidentifiedImageError

from accounts.gate import Gate
from campaigns.errors import Refused

FORMATS = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 4 * 1024 * 1024
MOST_PIXELS = 4_000_000  # unpacked
# What the format's own decoder takes besides what Pillow keeps: WebP draws on two canvases, and a progressive JPEG
# keeps all its coefficients until the last scan.
MOST_PIXELS_WEBP = 2_000_000
MOST_COEFFICIENTS = 10_000_000
SIDE = 512
TILE = 64  # pixels a side of the small picture that are made at a time
ORIENTATION = 0x0112  # how the camera was held, in what it wrote into the file

EMPTY = "This file is empty. Choose a picture."
UNREADABLE = "This picture can't be read. Choose a PNG, JPEG or WebP."
TOO_HEAVY = "This file is larger than 4 MB. Choose a smaller one."

# Compressed texts in a PNG may unpack to 64 MB, and nobody reads them.
PngImagePlugin.MAX_TEXT_MEMORY = PngImagePlugin.MAX_TEXT_CHUNK

GATE = Gate(__file__)


class BadPicture(Exception):
    """Not taken; the sentence says why."""


def redrawn(data: bytes) -> bytes:
    """The picture as WebP, at most 512 pixels a side; raises `BadPicture`."""
    if not data:
        raise BadPicture(EMPTY)
    if len(data) > MOST_BYTES:
        raise BadPicture(TOO_HEAVY)
    try:
        with GATE, warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # ours is stricter
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                return _drawn(image)
    except Image.DecompressionBombError:
        raise BadPicture(too_large(MOST_PIXELS)) from None
    except (
        UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, MemoryError
    ):
        raise BadPicture(UNREADABLE) from None


def taken(data: bytes) -> bytes:
    """The picture as it is kept; raises `Refused` at the field `picture`."""
    try:
        return redrawn(data)
    except BadPicture as bad:
        raise Refused(str(bad), "picture") from None


def too_large(most: int) -> str:
    """The sentence for a picture with too many pixels."""
    return f"This picture has too many pixels. Choose one of at most {most / 1_000_000:g} million."


def _drawn(image: Image.Image) -> bytes:
    _hold_against_its_head(image)
    small = _small(image)
    small.thumbnail((SIDE, SIDE))
    if turned := image.getexif().get(ORIENTATION):
        small.getexif()[ORIENTATION] = turned
    upright = ImageOps.exif_transpose(small)
    clean = Image.new(upright.mode, upright.size)
    clean.paste(upright)
    written = io.BytesIO()
    clean.save(written, "WEBP", quality=84, method=4)
    return written.getvalue()


def _hold_against_its_head(image: Image.Image) -> None:
    """Refuses what would unpack to too much. The head alone has been read; a JPEG is set to be read at a fraction."""
    if image.format == "WEBP" and image.width * image.height > MOST_PIXELS_WEBP:
        raise BadPicture(too_large(MOST_PIXELS_WEBP))
    if image.format == "JPEG":
        if image.info.get("progressive") and _coefficients(image) > MOST_COEFFICIENTS:
            raise BadPicture(too_large(MOST_PIXELS))
        scale = min(SIDE / image.width, SIDE / image.height, 1)
        image.draft("RGB", (ceil(image.width * scale), ceil(image.height * scale)))
    if image.width * image.height > MOST_PIXELS:
        raise BadPicture(too_large(MOST_PIXELS))


def _coefficients(image: Image.Image) -> float:
    """How many numbers a JPEG's decoder keeps: of some colours it has fewer than one for a pixel."""
    parts = [across * down for _, across, down, _ in image.layer]  # type: ignore[attr-defined]
    return float(image.width * image.height * sum(parts) / max(parts))


def _small(image: Image.Image) -> Image.Image:
    """At most twice as large as it has to be, in plain colours; made by tiles, so that no second whole one is there."""
    mode = "RGBA" if image.has_transparency_data else "RGB"
    times = max(1, max(image.size) // SIDE)
    small = Image.new(mode, (ceil(image.width / times), ceil(image.height / times)))
    step = times * TILE
    for left, top in product(range(0, image.width, step), range(0, image.height, step)):
        tile = image.crop((left, top, min(left + step, image.width), min(top + step, image.height)))
        if tile.mode.startswith("I"):  # sixteen bits of grey
            tile = tile.point(lambda grey: grey / 256).convert("L")
        small.paste(tile.convert(mode).reduce(times), (left // times, top // times))
    return small
