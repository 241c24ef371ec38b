"""All pages that links lead to, one of each shape: addresses that differ in ids and numbers alone are of one shape."""
from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Page

FILES = re.compile(r"/export|\.(ics|webp|jsonl|json|py|csv|webmanifest)\b|/calendar|log-out")  # what is no page
OUTSIDE = ("/", "/account/", "/account/mail/")
IDS = re.compile(r"(?<=/)([0-9a-f]{8}-[0-9a-f-]{27}|\d+)(?=/)")
LINKS = "[...document.querySelectorAll('a[href]:not([download])')].map((link) => link.pathname + link.search)"


def shape(address: str) -> str:
    """The address without its ids, its numbers, and what it asks for."""
    return IDS.sub("…", address.partition("?")[0].partition("#")[0])


def crawled(page: Page, table: str, *more: str) -> Iterator[str]:
    """Goes to each page that links of this table's pages lead to, and to these; answers its address, or what is wrong
    with a link."""
    waiting, known = [table, *more, *OUTSIDE], set()
    while waiting:
        at = waiting.pop(0)
        if shape(at) in known:
            continue
        known.add(shape(at))
        answer = page.goto(at)
        assert answer and answer.status == 200, f"{at}: a link leads there, and it answers {answer and answer.status}"
        page.evaluate("document.fonts.ready")
        links: list[str] = page.evaluate(LINKS)
        yield at
        waiting += [link for link in links if (link.startswith(table) or link in OUTSIDE) and not FILES.search(link)]
