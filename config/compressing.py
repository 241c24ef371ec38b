"""Answers made smaller on their way, where nobody can learn from their length what is in them.

How well a page is compressed tells somebody who reads the line, but not what is encrypted on it, whether a word that
they smuggled into the page stands in it already: that is how tokens are guessed (BREACH). For each guess such a one has
the victim's browser ask for the page from a site of theirs. Browsers say with each request over HTTPS where it comes
from, and a page that another site asked for is sent as it is. Over plain HTTP there is nothing to guess.
"""
from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import brotli

LEAST, MOST = 800, 1024 * 1024  # bytes: less is not worth it, and more takes a thread for too long
KINDS = ("text/html", "text/plain", "text/css", "text/csv", "text/calendar", "text/x-python", "application/json",
         "image/svg+xml", "text/javascript")
OWN = ("same-origin", "none")  # asked for by one of our pages, or by the person


def coding_for(environ: dict[str, Any], status: int, headers: list[tuple[str, str]], size: int) -> str:
    """What an answer is to be compressed with: "br", "gzip", or nothing."""
    said = {name.lower(): value for name, value in headers}
    if (
        not LEAST <= size <= MOST or environ["REQUEST_METHOD"] == "HEAD" or status in (204, 206, 304)
        or "content-encoding" in said or said.get("content-type", "").partition(";")[0] not in KINDS
        or environ["PATH_INFO"].startswith("/static/") or not _nobody_guesses(environ)
    ):
        return ""
    return next((coding for coding in CODERS if coding in _taken(environ.get("HTTP_ACCEPT_ENCODING", ""))), "")


def _nobody_guesses(environ: dict[str, Any]) -> bool:
    return environ["wsgi.url_scheme"] != "https" or environ.get("HTTP_SEC_FETCH_SITE") in OWN


def _taken(accepted: str) -> set[str]:
    """The codings that a browser takes; `q=0` is a way to say that it does not."""
    parts = (part.replace(" ", "").lower().partition(";q=") for part in accepted.split(","))
    return {coding for coding, _, weight in parts if weight.strip("0.") or not weight}


def _by_brotli(content: bytes) -> bytes:
    return bytes(brotli.compress(content, mode=brotli.MODE_TEXT, quality=4))


def _by_gzip(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=5, mtime=0)


CODERS: dict[str, Callable[[bytes], bytes]] = {"br": _by_brotli, "gzip": _by_gzip}


def headers_of(coding: str, headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """An answer's headers, once it is compressed."""
    kept = [(name, f"W/{value}" if name.lower() == "etag" and not value.startswith("W/") else value)
            for name, value in headers if name.lower() not in ("content-length", "vary")]
    vary = [value for name, value in headers if name.lower() == "vary" and value]
    return [*kept, ("Content-Encoding", coding), ("Vary", ", ".join([*vary, "Accept-Encoding"]))]
