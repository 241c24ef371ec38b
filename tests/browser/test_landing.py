"""The landing page: its words and its picture side by side at a desk, one below the other on a phone."""
from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.guests import Guest, overflow

BOXES = """() => Object.fromEntries(Object.entries({
  words: ".opening h1", pressed: ".opening .button", picture: ".opening img", promises: ".promises section",
  games: ".games li"}).map(([name, choice]) => [name, [...document.querySelectorAll(choice)].map((part) => {
    const {left, right, top, bottom} = part.getBoundingClientRect();
    return {left, right, top, bottom};
  })]))"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_stands_beside_the_words_at_a_desk(guest: Callable[..., Guest], theme: str) -> None:
    page = guest(viewport={"width": 1280, "height": 900}, color_scheme=theme).page
    page.goto("/")
    boxes = page.evaluate(BOXES)
    (words,), (picture,) = boxes["words"], boxes["picture"]
    assert words["right"] < picture["left"] and picture["right"] - picture["left"] > 640
    assert picture["top"] < boxes["pressed"][0]["top"] < picture["bottom"], "the button stands beside the picture"
    assert len({part["top"] for part in boxes["promises"]}) == len({part["top"] for part in boxes["games"]}) == 1
    assert picture["bottom"] < 900 and not overflow(page)
    assert theme in page.locator(".opening img").evaluate("(picture) => picture.currentSrc")


def test_a_phone_has_one_column(guest: Callable[..., Guest]) -> None:
    page = guest("phone").page
    page.goto("/")
    boxes = page.evaluate(BOXES)
    assert boxes["pressed"][0]["bottom"] < boxes["picture"][0]["top"] < boxes["promises"][0]["top"]
    assert len({part["left"] for name in ("promises", "games") for part in boxes[name]}) == 1
    assert boxes["pressed"][0]["bottom"] < 844 and not overflow(page)
