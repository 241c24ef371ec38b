"""What a page weighs: few and small files, and answers that are compressed where nobody learns from their length."""
from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.test import Client, override_settings

from config.joining import joined
from config.pages import answer_of


class Joining(StaticFilesStorage):
    joins = True


PAGE = b"<p>" + b"A line that is like the one before. " * 200
FIRST_VISIT = ("css/site.css", "js/pages.js", "js/site.js", "img/lantern.svg")
FONTS = ("alegreya-core-400-normal", "alegreya-core-700-normal", "inter-core-wght-normal")


def answered(content: bytes = PAGE, kind: str = "text/html; charset=utf-8", **said: str) -> tuple[Any, bytes]:
    """A page of ours, as it leaves."""

    def page(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
        headers = [("Content-Type", kind), ("Content-Length", str(len(content))), ("Vary", "Cookie"), ("ETag", '"1"')]
        start_response("200 OK", headers)
        return [content]

    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "wsgi.url_scheme": "https",
               "HTTP_SEC_FETCH_SITE": "same-origin", "HTTP_ACCEPT_ENCODING": "gzip, br", **said}
    answer = answer_of(page, environ)
    return dict(answer.headers), answer.content.read()


def test_a_page_is_compressed_for_whoever_takes_it() -> None:
    headers, sent = answered()
    assert brotli.decompress(sent) == PAGE
    assert len(sent) < len(PAGE) / 20
    assert (headers["Content-Encoding"], headers["Vary"], headers["ETag"]) == ("br", "Cookie, Accept-Encoding", 'W/"1"')
    assert "Content-Length" not in headers
    assert gzip.decompress(answered(HTTP_ACCEPT_ENCODING="gzip;q=0.5, br;q=0")[1]) == PAGE


@pytest.mark.parametrize("said", [
    {"HTTP_SEC_FETCH_SITE": "cross-site"}, {"HTTP_SEC_FETCH_SITE": "same-site"}, {"HTTP_SEC_FETCH_SITE": ""},
    {"HTTP_ACCEPT_ENCODING": "identity"}, {"REQUEST_METHOD": "HEAD"}, {"content": b"short"}, {"kind": "image/webp"},
])
def test_a_page_is_sent_as_it_is_where_another_site_could_count(said: Any) -> None:
    headers, sent = answered(**said)
    assert "Content-Encoding" not in headers
    assert sent == said.get("content", PAGE)


def test_over_plain_http_a_browser_says_nothing_of_where_it_comes_from() -> None:
    headers, _ = answered(**{"wsgi.url_scheme": "http", "HTTP_SEC_FETCH_SITE": ""})
    assert headers["Content-Encoding"] == "br"


def test_a_first_visit_is_light() -> None:
    files = [joined(settings.JOINED_FILES[name]).encode() if name in settings.JOINED_FILES
             else Path(str(finders.find(name))).read_bytes() for name in FIRST_VISIT]
    fonts = [Path(str(finders.find(f"vendor/fonts/{name}.woff2"))).read_bytes() for name in FONTS]
    assert sum(len(brotli.compress(file)) for file in files) + sum(map(len, fonts)) < 85_000


def test_what_is_joined_says_all_that_its_sources_do() -> None:
    script, style = (joined(settings.JOINED_FILES[name]) for name in ("js/pages.js", "css/site.css"))
    for name in settings.JOINED_FILES["js/pages.js"]:
        lines = Path(str(finders.find(name))).read_text().splitlines()
        assert lines[-1] in script
    assert not re.search(r"^\s*//", script, re.MULTILINE)
    assert "https://" not in style
    assert style.count("{") == style.count("}")
    assert "@media print {" in style


@pytest.mark.django_db
def test_a_page_names_two_files_or_their_sources(client: Client) -> None:
    sources = client.get("/log-in/").content.decode()
    assert sources.count('rel="stylesheet"') == len(settings.JOINED_FILES["css/site.css"])
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": {"BACKEND": "tests.test_wire.Joining"}}):
        page = client.get("/log-in/").content.decode()
    assert re.findall(r'<(?:script src|link rel="stylesheet" href)="([^"]+)"', page) == [
        "/static/js/site.js", "/static/css/site.css", "/static/js/pages.js"]
