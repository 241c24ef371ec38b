"""Draws one picture anew, in a process of its own: small, upright, and nothing else of what the file held.

    python -I campaigns/redraw.py < file > answer

The answer is the picture as WebP, or the sentence that refuses it; `campaigns/pictures.py` starts it. A file of a few
kilobytes can unpack to gigabytes, or say the same a thousand times. What it would take is reckoned from its head and
its parts before anything is unpacked; whatever gets past that ends at a limit of the machine. One is drawn at a time on
the machine: it takes 64 MB at the worst, with the file itself.
"""
from __future__ import annotations

import ctypes
import fcntl
import io
import os
import re
import resource
import signal
import struct
import sys
import warnings
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from math import ceil

from PIL import Image, ImageOps, JpegImagePlugin, PngImagePlugin, UnidentifiedImageError, WebPImagePlugin

FORMATS = ("PNG", "JPEG", "WEBP")
MOST_PIXELS = 4_000_000  # unpacked
MOST_A_SIDE = 65_535  # each row costs besides
# What the format's own decoder takes besides what Pillow keeps: WebP draws on two canvases, and a JPEG of several scans
# keeps all its coefficients until the last one.
MOST_PIXELS_WEBP = 2_000_000
MOST_COEFFICIENTS = 10_000_000
MOST_SCANS = 100  # each goes over the whole picture; cameras and programs write ten
MOST_PARTS = 10_000  # chunks or segments; each costs Pillow more than it costs the file
SIDE = 512
TILE = 64  # pixels a side of the small picture that are made at a time
ORIENTATION = 0x0112  # how the camera was held, in what it wrote into the file

CPU_SECONDS = 2  # a usual picture takes a tenth of one, with the start
WALL_SECONDS = 60  # even when nobody waits for the answer any more
MEMORY = 128 * 1024 * 1024  # of its own: what is loaded before the picture takes 10 MB
PARENT_DIED = 1  # Linux's PR_SET_PDEATHSIG

UNREADABLE = "This picture can’t be read. Choose a PNG, JPEG or WebP."
TOO_LONG = "This picture is more than 65,535 pixels wide or high. Choose a smaller one."
TOO_MANY_SCANS = "This picture has more than 100 scans. Save it as a plain JPEG or PNG and choose that."
TOO_MANY_PARTS = "This picture is in too many parts. Save it as a plain JPEG or PNG and choose that."

# What begins a segment of a JPEG: all but filling, escaped bytes, and the marks that have no length.
SEGMENT = re.compile(rb"\xff[^\x00\x01\xff\xd0-\xd8]")
SCAN, END = 0xDA, 0xD9

# Compressed texts in a PNG may unpack to 64 MB, and nobody reads them.
PngImagePlugin.MAX_TEXT_MEMORY = PngImagePlugin.MAX_TEXT_CHUNK


class BadPicture(Exception):
    """Not taken; the sentence says why."""


def redrawn(data: bytes) -> bytes:
    """The picture as WebP, at most 512 pixels a side; raises `BadPicture`."""
    try:
        scans = _scans(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large pictures: ours is stricter; of what a camera wrote: not kept
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                return _drawn(image, scans)
    except Image.DecompressionBombError:
        raise BadPicture(too_large(MOST_PIXELS)) from None
    except (
        UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, MemoryError
    ):
        raise BadPicture(UNREADABLE) from None


def too_large(most: int) -> str:
    """The sentence for a picture with too many pixels."""
    return f"This picture has too many pixels. Choose one of at most {most / 1_000_000:g} million."


def _scans(data: bytes) -> list[int]:
    """How many colours each scan of a JPEG has. Refuses a file of too many parts before Pillow goes through them."""
    scans = []
    for number, colours in enumerate(_parts(data), 1):
        if colours:
            scans.append(colours)
        if len(scans) > MOST_SCANS:
            raise BadPicture(TOO_MANY_SCANS)
        if number > MOST_PARTS:
            raise BadPicture(TOO_MANY_PARTS)
    return scans


def _parts(data: bytes) -> Iterator[int]:
    """The parts of a file as it is laid out: for a scan of a JPEG how many colours it has, for all else nought."""
    if data.startswith(b"\xff\xd8"):
        return _segments(data)
    if data.startswith(b"\x89PNG"):
        return _chunks(data, 8, ">I", 12, 1)
    return _chunks(data, 12, "<4xI", 8, 2) if data.startswith(b"RIFF") else iter(())


def _segments(jpeg: bytes) -> Iterator[int]:
    """The segments of a JPEG, and each byte between them before the first scan: Pillow reads those one by one."""
    at, in_scan = 2, False
    while (match := SEGMENT.search(jpeg, at)) and jpeg[match.start() + 1] != END:
        if not in_scan:
            yield from bytes(match.start() - at)
        said = match.end() + 2  # after its length
        is_scan = jpeg[match.start() + 1] == SCAN
        yield int.from_bytes(jpeg[said:said + 1]) if is_scan else 0
        in_scan = in_scan or is_scan
        at = match.end() + int.from_bytes(jpeg[match.end():said])


def _chunks(data: bytes, at: int, head: str, besides: int, even: int) -> Iterator[int]:
    """The chunks of a PNG or WebP, from `at`: `head` has the length, which lacks so many bytes, in steps of `even`."""
    while at + 8 <= len(data):
        yield 0
        at += besides + ceil(struct.unpack_from(head, data, at)[0] / even) * even


def _drawn(image: Image.Image, scans: list[int]) -> bytes:
    _hold_against_its_head(image, scans)
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


def _hold_against_its_head(image: Image.Image, scans: list[int]) -> None:
    """Refuses what would unpack to too much. The head alone has been read; a JPEG is set to be read at a fraction."""
    if isinstance(image, WebPImagePlugin.WebPImageFile) and image.width * image.height > MOST_PIXELS_WEBP:
        raise BadPicture(too_large(MOST_PIXELS_WEBP))
    if isinstance(image, JpegImagePlugin.JpegImageFile):  # or several in one file, as some cameras write
        several = "progressive" in image.info or not scans or scans[0] < len(image.layer)
        if several and _coefficients(image) > MOST_COEFFICIENTS:
            raise BadPicture(too_large(MOST_PIXELS))
        scale = min(SIDE / image.width, SIDE / image.height, 1)
        image.draft("RGB", (ceil(image.width * scale), ceil(image.height * scale)))
    if image.width * image.height > MOST_PIXELS:
        raise BadPicture(too_large(MOST_PIXELS))
    if max(image.size) > MOST_A_SIDE:
        raise BadPicture(TOO_LONG)


def _coefficients(image: JpegImagePlugin.JpegImageFile) -> float:
    """How many numbers a JPEG's decoder keeps: of some colours it has fewer than one for a pixel."""
    parts = [across * down for _, across, down, _ in image.layer]
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


def _hold_back() -> None:
    """Sets what this process may take, and that it ends with whoever started it."""
    for limit, most in (
        (resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # not every system has each of them
            resource.setrlimit(limit, (most, most))
    signal.alarm(WALL_SECONDS)
    os.nice(10)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DIED, signal.SIGKILL)


def main() -> None:
    """Reads a file, waits for its turn, answers. Limits are held before a byte of it is looked at."""
    _hold_back()
    data = sys.stdin.buffer.read()
    # Where files can't be locked (a network's file system), it is one at a time for each process of the server.
    with suppress(OSError):
        fcntl.flock(os.open(__file__, os.O_RDONLY), fcntl.LOCK_EX)
    try:
        answer = redrawn(data)
    except BadPicture as bad:
        answer = str(bad).encode()
    sys.stdout.buffer.write(answer)


if __name__ == "__main__":
    main()
