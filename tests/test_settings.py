"""The settings that a house on the net runs with, and what its pages let a browser do."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.databases import ROOT

ONLINE = {
    "HTTPS": "true", "DEBUG": "false", "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "ALLOWED_HOSTS": "table.example.org", "DATABASE_URL": "sqlite://:memory:", "EMAIL_URL": "consolemail://",
    "DJANGO_SETTINGS_MODULE": "config.settings",
}
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))

LOOK = """
import json
import django
django.setup()
from django.conf import settings
from django.test import Client
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
told = {name: getattr(settings, name) for name in (
    "DEBUG", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "SECURE_HSTS_SECONDS")}
plain = Client().get("/log-in/", headers={"host": "table.example.org"})
proxied = Client().get("/log-in/", headers={"host": "table.example.org", "x-forwarded-proto": "https"})
forged = Client().get("/log-in/", headers={"host": "elsewhere.example.org", "x-forwarded-proto": "https"})
print(json.dumps({**told, "plain": [plain.status_code, plain["Location"]], "proxied": proxied.status_code,
                  "hsts": proxied["Strict-Transport-Security"], "forged": forged.status_code,
                  "cookie": proxied.cookies["csrftoken"].output(header="")}))
"""


def online(*command: str, **changed: str) -> subprocess.CompletedProcess[str]:
    """Runs Python as on a server that is reached by HTTPS; `changed` are settings that differ."""
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env={**os.environ, **ONLINE, **changed}, text=True, capture_output=True,
        timeout=120,
    )


def deploy(**changed: str) -> subprocess.CompletedProcess[str]:
    """Django's own look at such settings."""
    return online("manage.py", "check", "--deploy", "--fail-level", "WARNING", **changed)


def test_django_finds_nothing_to_say_of_the_settings() -> None:
    found = deploy()
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize(("changed", "said"), [
    ({"HTTPS": "false"}, "security.W008"), ({"DEBUG": "true"}, "security.W018"),
    ({"SECRET_KEY": "short"}, "security.W009"),
])
def test_django_would_say_so(changed: dict[str, str], said: str) -> None:
    found = deploy(**changed)
    assert found.returncode == 1
    assert said in found.stderr


def test_behind_https() -> None:
    found = online("-c", LOOK)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert told["DEBUG"] is False
    assert told["SESSION_COOKIE_SECURE"] and told["CSRF_COOKIE_SECURE"] and told["SESSION_COOKIE_HTTPONLY"]
    assert told["plain"] == [301, "https://table.example.org/log-in/"]
    assert told["proxied"] == 200
    assert "Secure" in told["cookie"]
    assert told["hsts"] == f"max-age={told['SECURE_HSTS_SECONDS']}; includeSubDomains; preload"
    assert told["forged"] == 400


def test_without_a_secret_no_server_starts() -> None:
    found = online("-c", "import config.wsgi", SECRET_KEY="")
    assert found.returncode != 0
    assert "SECRET_KEY" in found.stderr


class Inline(HTMLParser):
    """What a strict policy would not run: remembered with its line."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "style" or name.startswith(("on", "hx-on", "hx-vals", "hx-vars", "data-hx-on")):
                self.found.append(f"line {self.getpos()[0]}: {name}={value!r}")
            if (value or "").strip().lower().startswith(("javascript:", "js:")):
                self.found.append(f"line {self.getpos()[0]}: {name}={value!r}")
        self._in_script = tag == "script"
        if tag == "style":
            self.found.append(f"line {self.getpos()[0]}: <style>")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script and data.strip():
            self.found.append(f"line {self.getpos()[0]}: a script of its own: {data.strip()[:40]}")


def inline(html: str) -> list[str]:
    """What is inline in this page or template."""
    parser = Inline()
    parser.feed(html)
    return parser.found


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_template_has_anything_inline(path: Path) -> None:
    # What Django's tags say stands in the way of an HTML parser, and none of it is an attribute's name.
    html = re.sub(r"{[{%#].*?[}%#]}", " ", path.read_text(), flags=re.DOTALL)
    assert not inline(html)
    assert not re.findall(r"""(?:src|href|action)=["'](?:https?:)?//[^"']*""", html)


@pytest.mark.parametrize("html", [
    '<p style="color: red">', '<button onclick="go()">', '<a href="javascript:go()">', "<script>go()</script>",
    '<div hx-on::load="go()">', "<style>p {}</style>", """<b hx-vals='js:{}'>""",
])
def test_the_search_finds_what_it_looks_for(html: str) -> None:
    assert inline(html)


PLACES = (
    "home", "found", "account", "table", "feed", "sessions", "odds", "people", "invite", "campaign_settings", "prepare",
    "characters", "character_new", "trail", "verify",
)


@pytest.fixture
def answers(as_alice: Client, anonymous: Client, campaign: Any) -> dict[str, Any]:
    """The main pages, and answers that are none: a refusal, a redirect, what is not there, a file."""
    own = {"home", "found", "account"}
    pages = {name: as_alice.get(reverse(name, args=[] if name in own else [campaign.slug])) for name in PLACES}
    assert {answer.status_code for answer in pages.values()} == {200}
    return {
        **pages, "welcome": anonymous.get("/"), "log in": anonymous.get("/log-in/"),
        "nowhere": anonymous.get("/nowhere/"),
        "refused": as_alice.post(reverse("found"), {"name": ""}), "to log in": anonymous.get(f"/c/{campaign.slug}/"),
        "export": as_alice.get(reverse("export", args=[campaign.slug])), "verifier": anonymous.get("/verify.py"),
    }


def test_every_answer_has_a_strict_policy(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        policy = dict(part.strip().partition(" ")[::2] for part in answer["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'none'", name
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'", name
        assert {*policy} >= {"script-src", "style-src", "img-src", "font-src", "connect-src", "form-action"}, name
        # No other host, no scheme, nothing inline, nothing made of text.
        assert {source for sources in policy.values() for source in sources.split()} == {"'self'", "'none'"}, name


def test_every_answer_has_the_other_headers(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        told = {header: answer.get(header) for header in (
            "X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy")}
        assert told == {
            "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }, name


def test_no_page_has_anything_inline_or_from_elsewhere(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        if answer.get("Content-Type", "").startswith("text/html"):
            html = answer.content.decode()
            assert not inline(html), name
            assert not re.findall(r"""(?:src|href|action|srcset)=["'](?:https?:)?//[^"']*""", html), name


def test_pages_of_a_campaign_are_kept_by_nobody_in_between(answers: dict[str, Any]) -> None:
    """What one member reads must not come out of a shared cache for another."""
    for name in ("table", "trail", "characters", "feed"):
        assert "Cookie" in answers[name].get("Vary", ""), name


def test_styles_and_scripts_stay_in_the_house() -> None:
    """Nothing that styles or scripts fetch by themselves lies elsewhere."""
    for path in [*(ROOT / "static" / "css").rglob("*.css"), *(ROOT / "static" / "js").rglob("*.js")]:
        text = path.read_text()
        assert not re.findall(r"""(?:url\(|@import|import\s|fetch\(|from\s)\s*["']?(?:https?:)?//""", text), path.name
        assert not re.findall(r"\beval\(|new Function\(|innerHTML\s*=|document\.write", text), path.name
