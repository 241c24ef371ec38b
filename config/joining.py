"""Static files as a browser gets them: several sources in one file, with a hash in its name, compressed.

While one works on them (`DEBUG`), pages name the sources themselves.
"""
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

REMARK = {".css": re.compile(r"/\*.*?\*/\n?", re.DOTALL), ".js": re.compile(r"^\s*//.*\n", re.MULTILINE)}


class JoinedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Writes the files of `settings.JOINED_FILES` beside their sources; then they are hashed and compressed too."""

    joins = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Answers what was done with each file."""
        if not dry_run:
            for name, sources in settings.JOINED_FILES.items():
                self.delete(name)
                self._save(name, ContentFile(joined(sources).encode()))
                paths[name] = (self, name)
        yield from super().post_process(paths, dry_run=dry_run, **options)


def joined(sources: list[str]) -> str:
    """Their text, the one after the other. What is for print alone is said to be."""
    return "".join(_text(name) for name in sources)


def _text(name: str) -> str:
    with open(str(finders.find(name)), encoding="utf-8") as file:  # noqa: PTH123 - a finder answers a name
        text = file.read()
    # Of our own sources only: what others wrote keeps its remarks, which say whose it is.
    for ending, remark in REMARK.items():
        if name.endswith(ending) and not name.startswith("vendor/"):
            text = remark.sub("", text)
    if name == settings.FOR_PRINT:
        text = f"@media print {{\n{text}}}\n"
    # A script may end without a semicolon.
    return f"{text}\n;\n" if name.endswith(".js") else text
