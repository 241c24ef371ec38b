"""The files that somebody puts online with: what they name is there, and what they must say they say."""
from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, ProgrammingError, connection, transaction

from config import limits, serve
from config.version import CHANGELOG, releases, version

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE, COMPOSE = (ROOT / "Dockerfile").read_text(), (ROOT / "compose.yaml").read_text()
UNITS = [(ROOT / "deploy" / f"ledger-{name}.service").read_text() for name in ("web", "worker")]
NGINX, CADDY = (ROOT / "deploy/nginx.conf").read_text(), (ROOT / "deploy/Caddyfile").read_text()


def test_the_image_holds_no_secret_and_is_written_to_by_nobody() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {".*", "/data", "/secrets", "/tests"} <= {*ignored}
    assert "--require-hashes -r requirements.txt" in DOCKERFILE
    assert re.search(r"^USER [1-9]\d*$", DOCKERFILE, re.MULTILINE)
    assert "/readyz" in DOCKERFILE.partition("HEALTHCHECK")[2]
    assert "read_only: true" in COMPOSE
    assert "service_completed_successfully" in COMPOSE


def test_every_setting_that_is_given_is_one() -> None:
    known = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "operating.md").read_text()))
    given = set(re.findall(r"^ {4,6}([A-Z_]+):", COMPOSE, re.MULTILINE)) - {"POSTGRES_DB", "POSTGRES_USER", "UPSTREAM"}
    assert {name.removesuffix("_FILE") for name in given} <= known | {"POSTGRES_PASSWORD", "SITE_ADDRESS"}


@pytest.mark.parametrize("text", [DOCKERFILE, COMPOSE, *UNITS], ids=["image", "compose", "web", "worker"])
def test_every_command_is_there(text: str) -> None:
    for module in re.findall(r'-m["\s,]+(config\.\w+)', text):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists()
    for command in re.findall(r'manage\.py["\s,]+(\w+)', text):
        if command not in ("migrate", "collectstatic"):
            assert [*ROOT.glob(f"*/management/commands/{command}.py")]


def test_proxies_pass_on_who_asks_and_hold_no_stream_back() -> None:
    assert "proxy_set_header Host $http_host;" in NGINX
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX
    stream = NGINX.partition("/live/$ {")[2].partition("}")[0]
    assert "proxy_buffering off;" in stream
    assert NGINX.count("proxy_buffering off") == 1
    for inside in ("healthz", "readyz", "metrics"):
        assert inside in NGINX
        assert inside in CADDY
    assert "gzip off" in NGINX
    assert f"client_max_body_size {limits.CARRIED.most_bytes // limits.MB}m;" in NGINX
    assert f"max_size {limits.CARRIED.most_bytes // limits.MB}MB" in CADDY
    assert not re.search(r"^\s*encode", CADDY, re.MULTILINE)


def test_proxies_let_an_unused_connection_go_before_the_site_does() -> None:
    """What is posted just as it closes would be lost, and nobody sends it again."""
    for said in (re.search(r"keepalive_timeout (\d+)s;", NGINX), re.search(r"keepalive (\d+)s$", CADDY, re.MULTILINE)):
        assert said
        assert 0 < int(said[1]) < serve.UNUSED_SECONDS


@pytest.mark.django_db
def test_the_version_is_what_the_changelog_says() -> None:
    said = StringIO()
    call_command("version", stdout=said)
    assert said.getvalue().startswith(f"Ledger & Lantern {version()}\nDjango ")
    notes = StringIO()
    call_command("version", notes=True, stdout=notes)
    assert next(filter(None, releases(CHANGELOG.read_text()).values())) in notes.getvalue()


def test_a_release_made_as_the_page_says_is_the_version_and_has_its_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = (ROOT / "docs" / "upgrading.md").read_text().partition("## Making a release")[2]
    assert "`## Unreleased` becomes `## 1.1 (2031-05-02)`, with an empty `## Unreleased` above it" in steps
    changelog, brought = tmp_path / "CHANGELOG.md", "- A lantern that burns longer."
    before = CHANGELOG.read_text().replace("## Unreleased\n", f"## Unreleased\n\n{brought}\n", 1)
    changelog.write_text(before.replace("## Unreleased\n", "## Unreleased\n\n## 1.1 (2031-05-02)\n", 1))
    monkeypatch.setattr("config.version.CHANGELOG", changelog)
    said = StringIO()
    call_command("version", notes=True, stdout=said)
    since = releases(changelog.read_text())["1.1"]
    assert said.getvalue().strip() == f"Ledger & Lantern 1.1\n{since}".strip() and since.startswith(brought)


@pytest.mark.parametrize(("url", "last"), [
    ("sqlite://:memory:", "SQLite"), ("sqlite:////nowhere/table.sqlite3", "The database can’t be used: unable to open"),
])
def test_the_command_line_says_our_version_and_not_the_frameworks(url: str, last: str) -> None:
    asked = [sys.executable, "manage.py", "version"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": url}
    said = subprocess.run(asked, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.startswith(f"Ledger & Lantern {version()}\n")
    assert said.stdout.splitlines()[-1].startswith(last)


@pytest.mark.django_db
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite waits for writers alone")
def test_a_migration_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM nowhere")

    monkeypatch.setattr("django.core.management.commands.migrate.Command.handle", fails)
    with pytest.raises(ProgrammingError, match="nowhere"), transaction.atomic():
        call_command("migrate", verbosity=0)


@pytest.mark.django_db
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite waits for writers alone")
def test_migrating_waits_for_no_table_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def waits(*_: object, **__: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            asked.append(cursor.fetchone()[0])
        error = OperationalError("canceling statement due to lock timeout")
        error.__cause__ = type("LockNotAvailable", (Exception,), {"sqlstate": "55P03"})()
        raise error

    monkeypatch.setattr("django.core.management.commands.migrate.Command.handle", waits)
    with pytest.raises(CommandError, match="in use for more than 3s"):
        call_command("migrate", verbosity=0)
    assert asked == ["3s"]
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone()[0] != "3s"
