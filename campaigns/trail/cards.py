"""What an entry shows of a thing: a card that the story draws, and that "Shown to you" collects."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse


def card(of: str, object_id: uuid.UUID, name: str, text: str, digest: str = "") -> dict[str, Any]:
    """What an entry carries of a thing that it shows."""
    return {"of": of, "id": str(object_id), "name": name, "text": text, "digest": digest}


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A thing that was shown, as it was then. `url` leads to it, `picture` is its image; "" where there is none.

    `of` and `id` say which thing; `whole` is all of its text that was shown, where `text` may be the beginning.
    """

    name: str
    text: str
    lines: tuple[tuple[str, str], ...] = ()
    url: str = ""
    picture: str = ""
    of: str = ""
    id: str = ""
    whole: str = ""


# How addresses of things are named: the page, and the picture.
ADDRESSES = {
    "character": ("sheet", "portrait_image"), "page": ("page", "page_image"), "thing": ("library_thing", "thing_image")}


def shown_card(slug: str, payload: Mapping[str, Any]) -> ShownCard | None:
    """The card in an entry; None where it shows nothing. What was prepared has its words in the move."""
    held = payload.get("card") or payload.get("move")
    if not isinstance(held, dict) or not {"name", "text"} <= held.keys():
        return None
    page, image = ADDRESSES.get(held.get("of", ""), ("", ""))
    digest, lines = held.get("digest", ""), held.get("lines") or {}
    return ShownCard(
        held["name"], held["text"], tuple((str(name), str(said)) for name, said in lines.items()),
        _address(page, slug, held.get("id")), _address(image, slug, held.get("id"), digest) if digest else "",
        held.get("of", ""), held.get("id", ""), _whole(held, payload.get("present") or ()),
    )


def _whole(held: Mapping[str, Any], present: Iterable[Mapping[str, Any]]) -> str:
    """What a card says, with the text of the note that was shown whole."""
    texts = (row["became"].get("text", "") for row in present if row["of"] == held.get("of") == "page")
    return "\n\n".join(filter(None, (held["text"], *texts)))


def _address(name: str, *args: Any) -> str:
    try:
        return reverse(name, args=args) if name else ""
    except NoReverseMatch:
        return ""
