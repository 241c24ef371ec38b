"""Every colour that carries words can be read on every paper, by light and in the dark."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.registry import MOVES_ALONE, SYSTEMS

TOKENS = (Path(__file__).parent.parent / "static/css/tokens.css").read_text()
COLOUR = re.compile(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)")
BLOCK = re.compile(r'^(:root|\[data-system="(\w+)"\]) \{(.*?)\}', re.MULTILINE | re.DOTALL)
PAPERS = ("paper", "sheet", "shade")
ENOUGH = 4.5


def colours() -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]]:
    """The site's colours by name and the accents by game, each (light, dark)."""
    site: dict[str, tuple[str, str]] = {}
    accents: dict[str, tuple[str, str]] = {}
    for _, game, inside in BLOCK.findall(TOKENS):
        for name, light, dark in COLOUR.findall(inside):
            if game:
                accents[game] = (light, dark)
            else:
                site[name] = (light, dark)
    return site, accents


def luminance(colour: str) -> float:
    """How bright a colour is, as WCAG reckons it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG's contrast between two colours."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


SITE, ACCENTS = colours()
INKS = {name: SITE[name] for name in ("ink", "faded", "bad", "good", "accent")} | ACCENTS


def test_every_game_has_its_accent() -> None:
    assert set(ACCENTS) == {*SYSTEMS, *(move.name.partition(".")[0] for move in MOVES_ALONE)}


def test_black_on_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("ink", INKS)
def test_ink_can_be_read(ink: str, paper: str, theme: int) -> None:
    assert contrast(INKS[ink][theme], SITE[paper][theme]) >= ENOUGH
