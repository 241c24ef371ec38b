"""The lines of a campaign's file: gzip over JSON, one document a line, each written in one way only.

Reading takes no more memory than the longest line that may be, whatever the file unpacks to.
"""
from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import IO, Any

from campaigns.errors import Refused

VERSION = 1
IS = "campaign"
MOST_LINE = 4_000_000  # bytes; a picture is at most half of that
MOST_BYTES = 8 * 1024**3  # of all lines
LEVEL = 6

CUT = "This file ends too early. Download the file again."
NO_FILE = "This is not a campaign’s file."


class BadFile(Refused):
    """Why a file is not taken, in a sentence."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, "file")


def packed(documents: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """The bytes of a file, some at a time: the same documents make the same bytes."""
    # As `gzip` writes it, without a name or a time: a pipe has neither.
    press = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    for document in documents:
        line = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
        if some := press.compress(line.encode()):
            yield some
    yield press.flush()


def unpacked(file: IO[bytes], most: int = 0) -> Iterator[dict[str, Any]]:
    """The documents of a file of at most so many bytes (0: `MOST_BYTES`); raises `BadFile`."""
    read = 0
    try:
        with gzip.GzipFile(fileobj=file) as lines:
            while line := lines.readline(MOST_LINE + 1):
                read += len(line)
                if len(line) > MOST_LINE or read > (most or MOST_BYTES):
                    raise BadFile("This file is larger inside than a campaign can be.")
                if not line.endswith(b"\n"):
                    raise BadFile(CUT)
                yield _document(line)
    except EOFError as error:
        raise BadFile(CUT) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BadFile(f"{NO_FILE} Or it was damaged on the way: download the file again.") from error


def _document(line: bytes) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadFile(NO_FILE) from error
    if not isinstance(document, dict) or not isinstance(document.get("is"), str):
        raise BadFile(NO_FILE)
    return document
