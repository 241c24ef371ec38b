"""The house as it stands in the open: settings for production, and pages that let nothing foreign in."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.test import Client, override_settings
from whitenoise import WhiteNoise
from whitenoise.compress import Compressor

from tests import forks
from tests.databases import migrated_file
from tests.effort import LONG

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SECRET = "k3yThatIsLongEnoughAndHasManySignsInIt" + "abcdefghijklmnopqrstuvwxyz0123456789"
MINE = ("SECRET_KEY", "DEBUG", "HTTPS", "DATABASE_URL", "ALLOWED_HOSTS", "DJANGO_SETTINGS_MODULE")


def run(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, with these settings and none of this machine's."""
    # What the environment says counts more than this machine's `.env`, so an empty one stands for a missing one.
    own = {"DEBUG": "false", "SECRET_KEY": "", "DATABASE_URL": f"sqlite:///{tmp_path / 'table.sqlite3'}", **environment}
    kept = {name: value for name, value in os.environ.items() if name not in MINE}
    return forks.run(
        [sys.executable, *arguments], cwd=ROOT, env={**kept, **own}, text=True, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )


def deployed(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`check --deploy` as it is run before a house goes into the open."""
    said = {"SECRET_KEY": SECRET, "HTTPS": "true", "ALLOWED_HOSTS": "table.example.org", **environment}
    return run(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **said)


def test_the_check_for_deployment_is_clean(tmp_path: Path) -> None:
    done = deployed(tmp_path)
    assert done.returncode == 0, done.stdout
    assert "no issues" in done.stdout, done.stdout


@pytest.mark.parametrize(("name", "value"), [("HTTPS", "false"), ("SECRET_KEY", "short"), ("DEBUG", "true")])
def test_the_check_for_deployment_finds_what_is_wrong(tmp_path: Path, name: str, value: str) -> None:
    assert deployed(tmp_path, **{name: value}).returncode != 0


@pytest.mark.parametrize("server", ["config.wsgi", "config.asgi"])
def test_a_server_without_a_secret_key_refuses_to_start(tmp_path: Path, server: str) -> None:
    refused = run(tmp_path, "-c", f"import {server}")
    assert refused.returncode != 0, "It started without a SECRET_KEY."
    assert "SECRET_KEY" in refused.stdout.splitlines()[-1]
    assert run(tmp_path, "-c", f"import {server}", SECRET_KEY=SECRET).returncode == 0


def migrated(tmp_path: Path) -> None:
    """The database is there, as far as every migration brings it: to make it takes most of a test."""
    shutil.copy(migrated_file(), tmp_path / "table.sqlite3")


def test_what_needs_no_secret_runs_without_one(tmp_path: Path) -> None:
    if not LONG:
        migrated(tmp_path)
    assert run(tmp_path, "manage.py", "migrate", "--verbosity", "0").returncode == 0


def test_debug_is_off_unless_it_is_asked_for(tmp_path: Path) -> None:
    code = "from config import settings; print(settings.DEBUG, settings.SESSION_COOKIE_HTTPONLY)"
    assert run(tmp_path, "-c", code).stdout.split() == ["False", "True"]


def test_cookies_and_redirects_are_secure_behind_https(tmp_path: Path) -> None:
    code = """
import django
from config import settings as house
house.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"  # not collected here
django.setup()
from django.conf import settings
from django.test import Client
plain = Client().get("/log-in/", headers={"host": "table.example.org"})
print(plain.status_code, plain["Location"])
behind = Client(headers={"host": "table.example.org", "x-forwarded-proto": "https"})
page = behind.get("/log-in/")
print(page.status_code, page["Strict-Transport-Security"])
from accounts.models import User
User.objects.create_user(username="Alice", email="alice@example.org", password="a long password")
done = behind.post("/log-in/", {"username": "Alice", "password": "a long password"})
print(done.status_code, *(f"{name}={bool(c['secure'])}" for name, c in sorted(behind.cookies.items())))
print(bool(behind.cookies["sessionid"]["httponly"]), behind.cookies["sessionid"]["samesite"])
"""
    migrated(tmp_path)
    done = run(tmp_path, "-c", code, SECRET_KEY=SECRET, HTTPS="true", ALLOWED_HOSTS="table.example.org",
               DJANGO_SETTINGS_MODULE="config.settings")
    assert done.returncode == 0, done.stdout
    redirect, page, log_in, cookie = [line for line in done.stdout.splitlines() if not line.startswith("[")][-4:]
    assert redirect == "301 https://table.example.org/log-in/"
    assert page == "200 max-age=31536000; includeSubDomains; preload"
    assert log_in == "302 csrftoken=True device=True sessionid=True"
    assert cookie == "True Lax"


def policy(answer: Any) -> dict[str, list[str]]:
    """The Content-Security-Policy, by directive."""
    parts = [directive.split() for directive in answer["Content-Security-Policy"].split(";") if directive.strip()]
    return {name: values for name, *values in parts}


PAGES = ("", "characters/", "characters/new/", "chronicle/", "ledger/", "ledger/verify/", "people/", "odds/",
         "ledger/1/", "nothing/here/")


@pytest.mark.django_db
@pytest.mark.parametrize("room", ["/", "/log-in/", "/sign-up/", "/nothing", *(f"/c/the-salt-road/{p}" for p in PAGES)])
def test_every_page_has_a_strict_policy_and_its_headers(as_alice: Client, campaign: Any, room: str) -> None:
    answer = as_alice.get(room)
    directives = policy(answer)
    assert directives["default-src"] == ["'none'"]
    assert {value for values in directives.values() for value in values} <= {"'self'", "'none'"}, (
        "The policy lets something in that is not from here."
    )
    for directive in ("script-src", "style-src", "base-uri", "form-action", "frame-ancestors"):
        assert directive in directives, f"The policy says nothing of {directive}."
    assert directives["frame-ancestors"] == directives["base-uri"] == ["'none'"]
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
def test_a_page_that_breaks_has_the_policy_too(as_alice: Client, campaign: Any, monkeypatch: Any) -> None:
    def broken(*arguments: Any, **named: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("campaigns.trail.queries.page", broken)
    as_alice.raise_request_exception = False
    answer = as_alice.get(f"/c/{campaign.slug}/ledger/")
    assert answer.status_code == 500
    assert policy(answer)["default-src"] == ["'none'"]
    assert "ZeroDivisionError" not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["evil.example.org", "testserver.evil.example.org"])
def test_a_host_that_is_not_ours_is_refused(host: str) -> None:
    with override_settings(ALLOWED_HOSTS=["table.example.org"]):
        assert Client().get("/", headers={"host": host}).status_code == 400


TAG = re.compile(r"<[a-zA-Z][^>]*>", re.DOTALL)
SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
FORBIDDEN = {
    "a style attribute": re.compile(r"\sstyle\s*=", re.IGNORECASE),
    "an on… handler": re.compile(r"""\son[a-z]+\s*=""", re.IGNORECASE),
    "hx-on": re.compile(r"\s(data-)?hx-on\b", re.IGNORECASE),
    "hx-vals or hx-vars that is evaluated": re.compile(r"""hx-(vals|vars|headers)\s*=\s*["'](js|javascript):"""),
    "a javascript: address": re.compile(r"javascript:", re.IGNORECASE),
    "an address on another host": re.compile(
        r"""\s(src|href|action|poster|srcset|hx-[a-z]+)\s*=\s*["']?\s*(https?:)?//""", re.IGNORECASE
    ),
}
# A link to read more may lead out; nothing is loaded by it.
LEADS_OUT = re.compile(r"<a\s", re.IGNORECASE)


def faults(html: str) -> list[str]:
    """What a template or a page has that the policy would not let be."""
    wrong = []
    for tag in TAG.findall(re.sub(r"\{#.*?#\}|\{%\s*comment.*?endcomment\s*%\}", "", html, flags=re.DOTALL)):
        for name, pattern in FORBIDDEN.items():
            if pattern.search(tag) and not (name == "an address on another host" and LEADS_OUT.match(tag)):
                wrong.append(f"{name}: {tag[:80]}")
    wrong += [f"an inline script: {body[:60]}" for _, body in SCRIPT.findall(html) if body.strip()]
    wrong += ["a style element"] if re.search(r"<style\b", html, re.IGNORECASE) else []
    return wrong


@pytest.mark.parametrize("path", TEMPLATES, ids=[str(path.relative_to(ROOT)) for path in TEMPLATES])
def test_a_template_has_nothing_that_the_policy_forbids(path: Path) -> None:
    assert not faults(path.read_text())


@pytest.mark.parametrize("bad", [
    '<p style="color: red">', "<p\n style='x'>", '<button onclick="go()">', '<div hx-on:click="go()">',
    '<div data-hx-on::load="x">', "<script>go()</script>", '<script src="https://cdn.example.org/x.js"></script>',
    '<img src="//cdn.example.org/x.png">', '<a href="javascript:go()">', "<style>p{}</style>",
    """<div hx-vals='js:{a: 1}'>""", '<form action="https://evil.example.org/">',
    '<link rel="stylesheet" href="https://cdn.example.org/x.css">',
])
def test_what_is_forbidden_is_found(bad: str) -> None:
    assert faults(bad)


@pytest.mark.parametrize("good", [
    '<script src="/static/js/dice.js" defer></script>', '<a href="https://example.org/rules">', '<p class="on">',
    "{# <p style=''> #}", '<input type="hidden" name="on" value="1">', '<dl data-style="x">',
])
def test_what_is_fine_is_let_be(good: str) -> None:
    assert not faults(good)


def test_no_style_sheet_or_script_of_ours_reaches_for_another_host() -> None:
    foreign = re.compile(r"""(@import|url\(|fetch\(|import\s*\(|importScripts\(|from)\s*["']?\s*(https?:)?//""")
    own = [path for kind in ("css", "js") for path in (ROOT / "static").rglob(f"*.{kind}")]
    assert own
    assert not [str(path) for path in own if foreign.search(path.read_text())]


@pytest.mark.django_db
@pytest.mark.parametrize("room", ["", "characters/", "ledger/", "chronicle/", "odds/", "characters/new/"])
def test_a_page_as_it_is_sent_has_nothing_of_the_kind(
    as_alice: Client, campaign: Any, room: str
) -> None:
    """What tags and widgets add is in no template."""
    assert not faults(as_alice.get(f"/c/{campaign.slug}/{room}").content.decode())


def test_static_files_are_kept_and_sent_as_brotli_too(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("p { color: inherit }\n" * 100)
    assert {Path(name).suffix for name in Compressor(quiet=True).compress(str(tmp_path / "a.css"))} == {".br", ".gz"}
    server = WhiteNoise(lambda environ, start_response: [], root=str(tmp_path))
    said: dict[str, str] = {}
    environ = {"PATH_INFO": "/a.css", "REQUEST_METHOD": "GET", "HTTP_ACCEPT_ENCODING": "gzip, deflate, br"}
    content = b"".join(server(environ, lambda status, headers: said.update(headers)))
    assert (said["Content-Encoding"], said["Vary"]) == ("br", "Accept-Encoding")
    assert brotli.decompress(content).startswith(b"p { color")


@pytest.mark.django_db
@pytest.mark.parametrize("room", [
    "/", "/log-in/", "/account/", "/nothing", "/c/the-salt-road/", "/c/the-salt-road/chronicle/", "/verify.py",
    "/c/the-salt-road/nothing/", "/c/the-salt-road/people/invite/",
])
@pytest.mark.parametrize("headers", [{}, {"hx-request": "true"}])
def test_nobody_keeps_a_page(as_alice: Client, campaign: Any, room: str, headers: dict[str, str]) -> None:
    directives = {directive.strip() for directive in as_alice.get(room, headers=headers)["Cache-Control"].split(",")}
    assert {"private", "no-store"} <= directives


@pytest.mark.django_db
def test_nobody_keeps_a_refusal(as_alice: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    for answer in (as_alice.post("/campaigns/new/", {}), strict.post("/log-in/", {}), as_alice.get("/account")):
        assert answer["Cache-Control"] == "private, no-store"


def test_who_may_sign_up_is_one_of_three(tmp_path: Path) -> None:
    code = "from config import settings; print(settings.REGISTRATION)"
    assert run(tmp_path, "-c", code).stdout.split() == ["open"]
    assert run(tmp_path, "-c", code, REGISTRATION="invite").stdout.split() == ["invite"]
    refused = run(tmp_path, "-c", code, REGISTRATION="yes")
    assert refused.returncode != 0
    assert "Write one of open, invite, closed." in refused.stdout
