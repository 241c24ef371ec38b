"""Which version this is, and what it brought: CHANGELOG.md says it, and nothing else does."""
from __future__ import annotations

import re
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"
HEADING = re.compile(r"^## (?P<name>\S+)(?: .*)?\n", re.MULTILINE)


def releases(text: str) -> dict[str, str]:
    """What each version brought, the newest first.

    >>> releases("# Changelog\\n\\n## Unreleased\\n\\nA.\\n\\n## 1.1 (2031-05-02)\\n\\nB.\\n")
    {'Unreleased': 'A.', '1.1': 'B.'}
    """
    headings = [*HEADING.finditer(text)]
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return {heading["name"]: text[heading.end():end].strip() for heading, end in zip(headings, ends, strict=False)}


def version(text: str | None = None) -> str:
    """The newest release, with a plus where something came after it.

    >>> version("## Unreleased\\n\\nA.\\n\\n## 1.1\\n\\nB.\\n"), version("## Unreleased\\n\\n## 1.1\\n"), version("")
    ('1.1+', '1.1', '0+')
    """
    notes = releases(CHANGELOG.read_text() if text is None else text)
    newest = next((name for name in notes if name != "Unreleased"), "0")
    return newest if newest != "0" and not notes.get("Unreleased") else f"{newest}+"


def newest_notes(text: str | None = None) -> str:
    """What came last: since the newest release, or with it where nothing came since.

    >>> newest_notes("## Unreleased\\n\\nA.\\n\\n## 1.1\\n\\nB.\\n")
    'A.'
    >>> newest_notes("## Unreleased\\n\\n## 1.1\\n\\nB.\\n")
    'B.'
    """
    return next(filter(None, releases(CHANGELOG.read_text() if text is None else text).values()), "")
