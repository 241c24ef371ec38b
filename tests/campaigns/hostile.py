"""Pictures that were made to cost, to hide something, or to be something else, each with what is to come of it.

`PICTURES` are (what makes the file, what the refusal says): `DRAWN` where a picture comes of it all the same.
"""
from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from PIL import Image, PngImagePlugin

DRAWN = ""
UNREADABLE, PIXELS = "can’t be read", "too many pixels"
SCANS, PARTS = "more than 100 scans", "too many parts"
PNG_HEAD = b"\x89PNG\r\n\x1a\n"


def saved(form: str, image: Image.Image | None = None, **options: Any) -> bytes:
    """A picture as a file holds it; by default a small one."""
    written = io.BytesIO()
    (image or Image.new("RGB", (600, 400), (90, 60, 30))).save(written, form, **options)
    return written.getvalue()


def plain(*size: int, mode: str = "RGB") -> Image.Image:
    return Image.new(mode, size)


def noise(*size: int, mode: str = "RGB") -> Image.Image:
    return Image.frombytes(mode, size, random.Random(1).randbytes(size[0] * size[1] * len(mode)))


def scans(image: Image.Image, count: int, first: bool = False, **options: Any) -> bytes:
    """A progressive JPEG whose last scan, or first, is there so often."""
    jpeg = saved("JPEG", image, progressive=True, **options)
    begins = jpeg.index(b"\xff\xda") if first else jpeg.rindex(b"\xff\xda")
    ends = jpeg.index(b"\xff\xc4", begins) if first else len(jpeg) - 2
    return jpeg[:ends] + jpeg[begins:ends] * (count - 1) + jpeg[ends:]


def colour_by_colour(side: int) -> bytes:
    """A JPEG of three colours whose first scan has one of them: its decoder keeps all numbers of all three."""
    grey = saved("JPEG", plain(side, side, mode="L"))
    head = grey.index(b"\xff\xc0")
    three = b"\xff\xc0\x00\x11" + grey[head + 4:head + 9] + b"\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00"
    return grey[:head] + three + grey[head + 13:]


def segments(count: int, segment: bytes) -> bytes:
    """A JPEG with so many of these before its picture."""
    jpeg = saved("JPEG")
    return jpeg[:2] + segment * count + jpeg[2:]


def sized(jpeg: bytes, width: int, height: int) -> bytes:
    """A JPEG that claims to be of this size."""
    head = jpeg.index(b"\xff\xc0")
    return jpeg[:head + 5] + struct.pack(">HH", height, width) + jpeg[head + 9:]


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_with(*more: bytes, after: bool = False) -> bytes:
    """A PNG with these chunks before its picture, or after it."""
    png = saved("PNG")
    at = len(png) - 12 if after else 33
    return png[:at] + b"".join(more) + png[at:]


def png_of(width: int, height: int, rows: bytes) -> bytes:
    """A PNG of eight bits and three colours with these rows."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return PNG_HEAD + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bomb(megabytes: int) -> bytes:
    return zlib.compress(bytes(megabytes * 1_000_000))


def exif(tags: int, length: int) -> bytes:
    """What a camera would write: so many tags, which all point at the same bytes."""
    rows = b"".join(struct.pack("<HHII", 1000 + tag, 7, length, 8) for tag in range(tags))
    return b"II*\0\x08\0\0\0" + struct.pack("<H", tags) + rows + bytes(4)


def in_webp(kind: bytes, data: bytes, count: int = 1) -> bytes:
    """A WebP with so many of these chunks after its picture."""
    webp = saved("WEBP")
    whole = webp[8:] + (kind + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)) * count
    return b"RIFF" + struct.pack("<I", len(whole)) + whole


def texts(count: int) -> bytes:
    info = PngImagePlugin.PngInfo()
    for number in range(count):
        info.add_text(f"k{number}", "x" * 1_000_000, zip=True)
    return saved("PNG", pnginfo=info)


def frames(form: str, count: int, side: int = 64, **options: Any) -> bytes:
    """An animation; each frame is another, so that none can be left out."""
    pictures = [Image.new("RGB", (side, side), (n % 256, n // 256, 0)) for n in range(count)]
    return saved(form, pictures[0], save_all=True, append_images=pictures[1:], **options)


def archive() -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        file.writestr("page.html", "<script>alert(1)</script>")
    return written.getvalue()


PICTURES: dict[str, tuple[Callable[[], bytes], str]] = {
    "jpeg: 1200 scans": (lambda: scans(plain(600, 600), 1200), SCANS),
    "jpeg: 1200 scans, large": (lambda: scans(plain(2500, 2500), 1200), SCANS),
    "jpeg: 1200 scans behind another picture": (
        lambda: scans(plain(600, 600), 1200).replace(b"\xff\xdb", b"\xff\xe1\0\4\xff\xd9\xff\xdb", 1), SCANS),
    "jpeg: 90 scans of all colours, large": (lambda: scans(plain(2500, 2500), 90, first=True), DRAWN),
    "jpeg: 1200 scans, several pictures": (
        lambda: scans(plain(600, 600), 1200) + saved("MPO", save_all=True, append_images=[plain(60, 60)]), SCANS),
    "jpeg: keeps all its coefficients": (lambda: colour_by_colour(8000), PIXELS),
    "jpeg: progressive, noise": (
        lambda: saved("JPEG", noise(1820, 1820), progressive=True, quality=60, subsampling=0), DRAWN),
    "jpeg: 144 million pixels": (lambda: saved("JPEG", plain(12_000, 12_000)), DRAWN),
    "jpeg: claims 4 thousand million pixels": (lambda: sized(saved("JPEG"), 65_500, 65_500), PIXELS),
    "jpeg: claims more than it has": (lambda: sized(saved("JPEG"), 4000, 4000), DRAWN),
    "jpeg: a million segments": (lambda: segments(1_000_000, b"\xff\xe5\0\2"), PARTS),
    "jpeg: 300,000 pieces of EXIF": (lambda: segments(300_000, b"\xff\xe1\0\x0aExif\0\0ab"), PARTS),
    "jpeg: four million bytes of filling": (lambda: segments(4_000_000, b"\xff"), PARTS),
    "jpeg: escaped bytes before its picture": (lambda: segments(2_000_000, b"\xff\0"), PARTS),
    "jpeg: cut": (lambda: saved("JPEG", noise(600, 600))[:9000], UNREADABLE),
    "jpeg: only a head": (lambda: saved("JPEG")[:170], UNREADABLE),
    "png: 10 thousand million pixels": (lambda: png_of(100_000, 100_000, b""), PIXELS),
    "png: 100 MB of rows for four": (lambda: png_of(4, 4, bytes(100_000_000)), DRAWN),
    "png: one pixel wide": (lambda: saved("PNG", plain(1, 4_000_000)), "pixels wide or high"),
    "png: one pixel high": (lambda: saved("PNG", plain(65_535, 1)), DRAWN),
    "png: noise of four channels": (lambda: saved("PNG", noise(1000, 1000, mode="RGBA")), DRAWN),
    "png: sixty texts of a megabyte": (lambda: texts(60), UNREADABLE),
    "png: a profile of 100 MB": (lambda: png_with(chunk(b"iCCP", b"p\0\0" + bomb(100))), UNREADABLE),
    "png: a text of 100 MB": (lambda: png_with(chunk(b"zTXt", b"k\0\0" + bomb(100))), UNREADABLE),
    "png: 250,000 texts": (lambda: png_with(chunk(b"tEXt", b"a\0b") * 250_000), PARTS),
    "png: 300,000 chunks behind it": (lambda: png_with(chunk(b"abCd", b"") * 300_000, after=True), PARTS),
    "png: 60,000 tags": (lambda: png_with(chunk(b"eXIf", exif(60_000, 2000)), after=True), DRAWN),
    "png: 5,000 tags, all the same 60 KB": (lambda: png_with(chunk(b"eXIf", exif(5000, 59_000)), after=True), DRAWN),
    "png: 3,000 frames": (lambda: frames("PNG", 3000), DRAWN),
    "png: 6,000 frames": (lambda: frames("PNG", 6000), PARTS),
    "png: cut": (lambda: saved("PNG", noise(600, 600))[:9000], UNREADABLE),
    "png: a wrong sum": (lambda: saved("PNG")[:29] + b"\0\0\0\0" + saved("PNG")[33:], UNREADABLE),
    "png: no picture": (lambda: PNG_HEAD + chunk(b"IEND", b""), UNREADABLE),
    "gif: 2,000 frames": (lambda: frames("GIF", 2000), UNREADABLE),
    "webp: 500 frames": (lambda: frames("WEBP", 500, lossless=True, method=0, quality=0), DRAWN),
    "webp: noise": (lambda: saved("WEBP", noise(1400, 700, mode="RGBA"), lossless=True, quality=0, method=0), DRAWN),
    "webp: 8 million pixels": (lambda: saved("WEBP", plain(4000, 2000), method=0), PIXELS),
    "webp: 300,000 chunks": (lambda: in_webp(b"abcd", b"", 300_000), PARTS),
    "webp: cut": (lambda: saved("WEBP", noise(600, 600))[:9000], UNREADABLE),
    "tiff: many pages": (lambda: frames("TIFF", 100), UNREADABLE),
    "ico": (lambda: saved("ICO", plain(64, 64)), UNREADABLE),
    "postscript": (lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n{} loop\n", UNREADABLE),
    "svg": (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", UNREADABLE),
    "png that is an archive, too": (lambda: saved("PNG") + archive(), DRAWN),
    "jpeg that is a page, too": (lambda: segments(1, b"\xff\xfe\0\x1b<script>alert(1)</script>"), DRAWN),
    "gif that is a script, too": (lambda: b"GIF89a/*" + bytes(9) + b"*/=1;alert(1)", UNREADABLE),
    "noughts": (lambda: bytes(4_000_000), UNREADABLE),
    "noise": (lambda: random.Random(2).randbytes(4_000_000), UNREADABLE),
}
