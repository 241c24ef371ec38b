"""What the image and compose do, done outside a container step by step: built of what is copied, read only, not root.

And the proxies' whole files, held against what the site wants of whoever stands before it.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from config import limits, live, serve
from tests.databases import ROOT
from tests.gate import seldom

DOCKERFILE, COMPOSE = (ROOT / "Dockerfile").read_text(), (ROOT / "compose.yaml").read_text()
NGINX, CADDY = (ROOT / "deploy/nginx.conf").read_text(), (ROOT / "deploy/Caddyfile").read_text()
NOBODY = 65534
IGNORED = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]


def steps(name: str) -> list[str]:
    """What the Dockerfile says by an instruction, lines that go on put together."""
    text = re.sub(r"\\\n\s*", "", DOCKERFILE)
    return re.findall(rf"^{name} (.+)$", text, re.MULTILINE)


def is_copied(path: str) -> bool:
    """Whether `.dockerignore` lets a file that is kept into the image; its patterns are of what stands first."""
    return not any(fnmatch(path.partition("/")[0], pattern.removeprefix("/")) for pattern in IGNORED)


@cache
def as_nobody() -> dict[str, Any]:
    """How a process is started that is not root's, where root runs the tests and others may read this Python."""
    whose: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    try:
        subprocess.run([sys.executable, "-c", "import django"], check=True, capture_output=True, timeout=60, **whose)
    except (OSError, subprocess.CalledProcessError):
        return {}
    return whose


@pytest.fixture(scope="module")
def image() -> Iterator[Path]:
    """The folder /app as the image has it, which nobody may write to, and /data beside it."""
    folder = Path(tempfile.mkdtemp(prefix="image-"))
    folder.chmod(0o755)
    app, data = folder / "app", folder / "data"
    data.mkdir(mode=0o700)
    tracked = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                             capture_output=True, text=True).stdout.splitlines()
    for path in filter(is_copied, tracked):
        if (ROOT / path).is_file():
            (app / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, app / path)
    if as_nobody():
        os.chown(data, NOBODY, NOBODY)
    [build] = [step for step in steps("RUN") if "collectstatic" in step]
    environment = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    subprocess.run(["sh", "-ec", build.replace("/venv/bin/python", sys.executable).replace("/app", str(app))], cwd=app,
                   env=environment, check=True, timeout=120, stdout=subprocess.DEVNULL)
    for path in [app, *app.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in [app, *app.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(folder)


SETTINGS = {"SECRET_KEY", "DATABASE_URL", "DJANGO_SETTINGS_MODULE", "DEBUG", "PYTHONPATH"}


def started(image: Path, *command: str, **more: str) -> subprocess.Popen[str]:
    """A command in the image, as whom and with what the image and compose run it."""
    said = dict(part.split("=", 1) for step in steps("ENV") for part in step.split() if "=" in part)
    secret, database = image / "data" / "secret_key", image / "data" / "database_url"
    secret.write_text("k3yThatIsLongEnoughAndHasManySignsInIt0123456789abcdefghijklmnop")
    database.write_text(f"sqlite:///{image / 'data' / 'table.sqlite3'}")
    for file in (secret, database):
        file.chmod(0o444)
    environment = {name: value for name, value in os.environ.items() if name not in SETTINGS} | said | {
        "SECRET_KEY_FILE": str(secret), "DATABASE_URL_FILE": str(database), "HOST": "127.0.0.1", "PORT": "0",
        "PATH": os.environ["PATH"], "ALLOWED_HOSTS": "localhost,127.0.0.1", "TRIALS": "0", **more}
    environment.pop("DATABASE_URL")  # compose says it by a file
    return subprocess.Popen([sys.executable, *command], cwd=image / "app", env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **as_nobody())


@seldom
@pytest.mark.processes
def test_what_is_copied_is_built_and_runs_read_only_and_not_as_root(image: Path) -> None:
    app = image / "app"
    assert (app / "staticfiles" / "staticfiles.json").exists() and (app / "manage.py").exists()
    assert not [name for name in ("tests", "docs", "data", ".env", ".git", "deploy") if (app / name).exists()]
    before = sorted(app.rglob("*"))
    migrate = started(image, "manage.py", "migrate", "--verbosity", "0")
    said = migrate.communicate(timeout=120)[0]
    assert migrate.returncode == 0, said
    [command] = steps("CMD")
    served = started(image, *json.loads(command)[1:])
    try:
        assert served.stdout
        line = served.stdout.readline()
        assert line.startswith("The site is open at http://127.0.0.1:"), line + (served.communicate()[0])
        port = line.split(":")[2].split("/")[0]
        [check] = re.findall(r"HEALTHCHECK.+? CMD (\[.+\])", re.sub(r"\\\n\s*", "", DOCKERFILE))
        asked = [sys.executable, *(word.replace(":8000", f":{port}") for word in json.loads(check)[1:])]
        well = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)
        assert well.returncode == 0, well.stderr
        assert sorted(app.rglob("*")) == before, "Something is written into the image."
        if as_nobody():
            assert (image / "data" / "table.sqlite3").stat().st_uid == NOBODY
    finally:
        served.kill()
        served.communicate()


def service(name: str) -> str:
    """What compose says of a service."""
    match = re.search(rf"^  {name}:\n((?:    .*\n|\n)+)", COMPOSE.partition("\nservices:\n")[2], re.MULTILINE)
    assert match, f"compose has no service {name}."
    return match[1]


def test_one_service_migrates_before_all_others_begin() -> None:
    names = re.findall(r"^  (\w+):$", COMPOSE.partition("\nservices:\n")[2].partition("\nnetworks:")[0], re.MULTILINE)
    assert [name for name in names if "manage.py migrate" in service(name)] == ["migrate"]
    assert 'restart: "no"' in service("migrate")
    for name in ("web", "worker"):
        assert "migrate: {condition: service_completed_successfully}" in service(name), name
        assert "<<: *app" in service(name), name
    assert "web: {condition: service_healthy}" in service("proxy")
    grace = re.search(r"stop_grace_period: (\d+)s", service("web"))
    assert grace and int(grace[1]) > serve.STOP_SECONDS
    shared = COMPOSE.partition("x-app:")[2].partition("\nservices:")[0]
    for said in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", "/tmp:size="):
        assert said in shared
    assert not re.search(r"(SECRET_KEY|DATABASE_URL|PASSWORD): ", COMPOSE), "A secret is no file."
    secrets = set(re.findall(r"^  (\w+): \{file:", COMPOSE, re.MULTILINE))
    asked = re.findall(r"secrets: \[(.+)\]", COMPOSE)
    assert secrets == {name for names in asked for name in names.split(", ")}


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Each block of nginx that holds no other one: what opens it, and what is in it."""
    yield from re.findall(r"^\s*([^;{}\n#]+?) \{\n([^{}]*)\}", re.sub(r"#.*", "", text), re.MULTILINE)


def seconds(text: str) -> int:
    """How long nginx waits: 1m, 20s."""
    return int(text[:-1]) * {"s": 1, "m": 60}[text[-1]]


def test_nginx_is_whole_and_passes_on_what_the_site_needs() -> None:
    plain = re.sub(r"#.*|\{\d+,?\d*\}", "", NGINX)
    assert plain.count("{") == plain.count("}")
    for line in filter(None, map(str.strip, plain.splitlines())):
        assert line[-1] in ";{}", f"nginx does not read this line: {line}"
    assert "$host;" not in NGINX.replace("https://$host$request_uri;", ""), "A port would be lost."
    inside = dict(blocks(NGINX))
    lively = inside["location ~ ^/c/[^/]+/live/$"]
    assert "proxy_buffering off;" in lively
    [waits] = re.findall(r"proxy_read_timeout (\w+);", lively)
    assert seconds(waits) >= 2 * live.HEARTBEAT, "A stream is cut off between two beats."
    assert [place for place, said in inside.items() if "proxy_buffering off" in said] == [
        "location ~ ^/c/[^/]+/live/$"]
    largest = max(value.most_bytes for value in vars(limits).values() if hasattr(value, "most_bytes"))
    [size] = re.findall(r"client_max_body_size (\d+)m;", NGINX)
    assert int(size) * limits.MB >= largest
    assert all("proxy_pass http://site;" in said or "return" in said
               for place, said in inside.items() if place.startswith("location"))


def test_caddy_is_whole_and_sets_nothing_that_buffers() -> None:
    plain = re.sub(r"#.*", "", CADDY)
    assert plain.count("{") == plain.count("}")
    assert "flush_interval" not in plain and "header_up Host" not in plain and "encode" not in plain
    for block in re.findall(r"^\t(\w+) \{$", plain, re.MULTILINE):
        assert block in ("request_body",), f"Caddy has a block {block} that nobody has thought about here."
    [size] = re.findall(r"max_size (\d+)MB", plain)
    assert f"client_max_body_size {size}m;" in NGINX


def test_who_looks_at_whether_it_is_well_asks_what_the_site_answers() -> None:
    [path] = re.findall(r"127\.0\.0\.1:8000(/\w+)'", DOCKERFILE)
    from config.health import Health

    health = Health(lambda: True)
    try:
        assert path in health.at
    finally:
        health.close()
