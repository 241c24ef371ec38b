"""What a picture costs while it is drawn anew, and what comes of it."""
from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from campaigns import redraw
from tests.campaigns.drawing import cost_of
from tests.effort import some


def drawn(mode: str, size: tuple[int, int], noisy_lines: int = 0) -> Image.Image:
    """A picture of which so many lines can't be compressed."""
    image = Image.new(mode, size)
    noise = random.Random(1).randbytes(size[0] * noisy_lines * len(image.getbands()))
    if noisy_lines:
        image.paste(Image.frombytes(mode, (size[0], noisy_lines), noise))
    return image


def texts() -> PngImagePlugin.PngInfo:
    info = PngImagePlugin.PngInfo()
    for number in range(60):
        info.add_text(f"k{number}", "x" * 1_000_000, zip=True)
    return info


WORST: dict[str, tuple[Callable[[], Image.Image], str, dict[str, Any]]] = {
    "4898 x 4898": (lambda: drawn("RGB", (4898, 4898)), "PNG", {}),
    "colours and depth": (lambda: drawn("RGBA", (2000, 2000), 500), "PNG", {}),
    "grey and depth": (lambda: drawn("LA", (2000, 2000), 900), "PNG", {}),
    "by number": (lambda: drawn("P", (2000, 2000), 1000), "PNG", {"transparency": bytes(256)}),
    "very wide": (lambda: drawn("RGBA", (60_000, 66)), "PNG", {}),
    "texts": (lambda: drawn("RGB", (600, 600)), "PNG", {"pnginfo": texts()}),
    "huge jpeg": (lambda: drawn("RGB", (12_000, 12_000)), "JPEG", {}),
    "progressive": (lambda: drawn("RGB", (1820, 1820), 600), "JPEG", {"progressive": True, "subsampling": 0}),
    "webp": (lambda: drawn("RGBA", (1414, 1414), 500), "WEBP", {"lossless": True, "quality": 0, "method": 0}),
}


@pytest.mark.processes
@pytest.mark.parametrize("name", some(WORST, "huge jpeg", "texts"))
def test_none_takes_more_than_64_mb(name: str, tmp_path: Path) -> None:
    make, form, options = WORST[name]
    make().save(tmp_path / "picture", form, **options)
    cost = cost_of(tmp_path / "picture")
    assert cost.ended == 0 and cost.megabytes < 64 and cost.seconds < 1


@pytest.mark.parametrize(("mode", "size", "form", "options"), [
    ("RGB", (1999, 2000), "PNG", {}), ("RGBA", (700, 300), "PNG", {}), ("L", (1030, 517), "PNG", {}),
    ("1", (1500, 700), "PNG", {}), ("LA", (1500, 700), "PNG", {}), ("I;16", (1500, 700), "PNG", {}),
    ("RGB", (6000, 8000), "JPEG", {}), ("CMYK", (1500, 700), "JPEG", {}), ("RGB", (16_000, 2000), "JPEG", {}),
    ("RGBA", (1400, 1400), "WEBP", {}), ("RGB", (3, 2000), "PNG", {}), ("RGB", (1, 1), "PNG", {}),
    ("RGB", (2500, 2600), "JPEG", {"progressive": True}),
])
def test_every_kind_that_is_taken_comes_out_small_and_as_it_was(
    mode: str, size: tuple[int, int], form: str, options: dict[str, Any]
) -> None:
    """One half of it bright, the other dark."""
    image = Image.new(mode, size, 0)
    bright: Any = {"I;16": 65535, "L": 255, "1": 255, "LA": (255, 255), "RGBA": (255, 255, 255, 255)}.get(mode)
    black: Any = {"LA": (0, 255), "RGBA": (0, 0, 0, 255), "CMYK": (0, 0, 0, 255)}.get(mode)
    if black:
        image.paste(black, (0, 0, *size))
    if mode == "CMYK":
        bright = (0, 0, 0, 0)
    image.paste(bright or (255, 255, 255), (0, 0, size[0], size[1] // 2))
    written = io.BytesIO()
    image.save(written, form, **options)
    with Image.open(io.BytesIO(redraw.redrawn(written.getvalue()))) as kept:
        scale = min(1, 512 / max(size))
        assert kept.format == "WEBP"
        assert kept.width == pytest.approx(max(1, size[0] * scale), abs=1)
        assert kept.height == pytest.approx(max(1, size[1] * scale), abs=1)
        plain = kept.convert("RGB")
        if size[1] > 1:
            assert sum(plain.getpixel((0, plain.height // 5))) > 3 * 240  # type: ignore[arg-type]
            assert sum(plain.getpixel((0, plain.height * 4 // 5))) < 3 * 15  # type: ignore[arg-type]


def test_what_shines_through_goes_on_doing_so() -> None:
    image = Image.new("RGBA", (1500, 1500), (200, 10, 10, 0))
    image.paste((10, 10, 200, 255), (0, 0, 1500, 700))
    written = io.BytesIO()
    image.save(written, "PNG")
    with Image.open(io.BytesIO(redraw.redrawn(written.getvalue()))) as kept:
        assert kept.mode == "RGBA"
        assert kept.getpixel((100, 400))[3] == 0  # type: ignore[index]
        assert kept.getpixel((100, 100))[3] == 255  # type: ignore[index]
