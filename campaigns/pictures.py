"""A picture that somebody sends, drawn anew for what shows it: a portrait, a note, a thing of the library.

The server never unpacks one. `redraw.py` does, in a process of its own with limits; and services take a `Drawn`, so
that nothing is left to be done under the campaign's lock.
"""
from __future__ import annotations

import hashlib
import logging
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from campaigns.errors import Refused

MOST_BYTES = 4 * 1024 * 1024
SECONDS = 20  # until whoever sent it reads an answer, with waiting for those before
ARTIST = Path(__file__).with_name("redraw.py")
WEBP = b"RIFF"  # how one begins; an answer that begins otherwise is a sentence

EMPTY = "This file is empty. Choose a picture."
TOO_HEAVY = "This file is larger than 4 MB. Choose a smaller one."
TOO_HARD = "This picture takes too long to read. Save it as a plain JPEG or PNG and choose that."
BUSY = "Too many pictures are being sent right now. Send this one again in a minute."

logger = logging.getLogger(__name__)
_turn = threading.Lock()  # one at a time here; on the machine `redraw.py` sees to it


@dataclass(frozen=True)
class Drawn:
    """A picture as it is kept: WebP, at most 512 pixels a side."""

    webp: bytes

    @cached_property
    def digest(self) -> str:
        """SHA-256 of it, in hexadecimal: its name."""
        return hashlib.sha256(self.webp).hexdigest()


def drawn(data: bytes) -> Drawn:
    """The picture in a file that was sent; raises `Refused` at the field `picture`. Never called under a lock."""
    if not data:
        raise Refused(EMPTY, "picture")
    until = time.monotonic() + SECONDS
    if not _turn.acquire(timeout=SECONDS):
        raise Refused(BUSY, "picture")
    try:
        answer = _answer(data, until - time.monotonic())
    finally:
        _turn.release()
    if not answer.startswith(WEBP):
        raise Refused(answer.decode(), "picture")
    return Drawn(answer)


def _answer(data: bytes, seconds: float) -> bytes:
    """What `redraw.py` makes of a file: a picture, or a sentence. It is told nothing of this process's environment."""
    try:
        done = subprocess.run(  # noqa: S603  # our own file, and nothing that was sent is in the command
            [sys.executable, "-I", str(ARTIST)], input=data, capture_output=True, timeout=seconds, env={}, check=False)
    except subprocess.TimeoutExpired:
        return BUSY.encode()
    if done.returncode or not done.stdout:
        error = done.stderr[-2000:].decode(errors="replace")
        logger.warning("A picture of %d bytes ended its drawing with %d. %s", len(data), done.returncode, error)
        return TOO_HARD.encode()
    return done.stdout
