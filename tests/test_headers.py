"""Whatever a request's headers say, the answer is a page: no fault of the server, and no way to another site."""
from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.live import place_for

# All that the project, Django's middleware or django-htmx look at.
HEADERS = (
    "HX-Request", "HX-Boosted", "HX-Current-URL", "HX-Current-URL-URI-AutoEncoded", "HX-History-Restore-Request",
    "HX-Prompt", "HX-Target", "HX-Trigger", "HX-Trigger-Name", "Triggering-Event", "Cookie", "Host", "Origin",
    "Referer", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Accept", "Accept-Encoding",
    "Accept-Language", "If-None-Match", "If-Modified-Since", "Range", "User-Agent", "X-CSRFToken", "X-Requested-With",
)
NASTY = (
    "http://[::1", "http://[", "//evil.example/", "https://evil.example/c/x/", "http://a:99999999/", "http://\u00ff/",
    "%", "%00", "\x00", "true", "{", "[" * 500, "x" * 5000, "'; --", "sessionid=\x00; csrftoken=" + "y" * 32, "=;=;,",
    "testserver", "bytes=0-", "Thu, 99 Xyz 9999 99:99:99 GMT", "\u2028".encode().decode("latin-1"),
    "http://testserver/ä?b=[#c", "javascript:alert(1)",
)
values = st.sampled_from(NASTY) | st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=60)
headers = st.dictionaries(st.sampled_from(HEADERS), values, max_size=5)
PATHS = ("/", "/log-in/", "/account/", "/c/the-salt-road/", "/c/the-salt-road/chronicle/", "/c/nowhere/", "/join/x/")


@pytest.mark.django_db
@settings(
    max_examples=80, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(said=headers, path=st.sampled_from(PATHS), post=st.booleans(), htmx=st.booleans(), member=st.booleans())
def test_no_header_is_a_fault(
    as_alice: Client, campaign: Any, said: dict[str, str], path: str, post: bool, htmx: bool, member: bool
) -> None:
    said = {**said, **({"HX-Request": "true"} if htmx else {})}
    browser = as_alice if member else Client(enforce_csrf_checks=post)
    answer = browser.generic("POST" if post else "GET", path, headers=said)
    assert answer.status_code < 500
    for name in ("Location", "HX-Redirect"):
        assert urlsplit(answer.headers.get(name, "/")).netloc == ""


@pytest.mark.django_db
@pytest.mark.parametrize("url", NASTY)
def test_where_the_browser_says_it_is_leads_nowhere_else(anonymous: Client, url: str) -> None:
    answer = anonymous.get("/c/the-salt-road/", headers={"HX-Request": "true", "HX-Current-URL": url})
    assert answer.status_code == 200
    assert answer["HX-Redirect"].startswith("/log-in/?next=")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("cookies", NASTY)
def test_a_cookie_is_no_fault_of_the_stream(cookies: str) -> None:
    assert place_for(cookies, "the-salt-road") is None
    assert place_for(f"sessionid={cookies}", "the-salt-road") is None
