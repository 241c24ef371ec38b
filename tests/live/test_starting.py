"""How the server begins and ends: what is wrong in one line, "open" once it is, streams that end when it is told to."""
from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings

from config import hosts
from config.environment import Environment, of_process
from config.first_start import alone
from tests.databases import ROOT, OwnDatabase
from tests.effort import ALL
from tests.gate import seldom
from tests.live.test_stream import SEED, Stream

KEY = "k3yThatIsLongEnoughAndHasManySignsInIt" + "abcdefghijklmnopqrstuvwxyz0123456789"
WRONG = [
    ("HTTPS", "ture", "HTTPS=ture is neither true nor false. Write HTTPS=true or HTTPS=false."),
    ("SECRET_KEY", "", "SECRET_KEY is missing."),
]


def start(*command: str, **environment: str) -> subprocess.Popen[str]:
    """A command as it is started, with what it says."""
    said = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "true", "SECRET_KEY": KEY,
            "DATABASE_URL": "sqlite:///nowhere", "PORT": "0", "PYTHONUNBUFFERED": "1", **environment}
    return subprocess.Popen([sys.executable, *command], cwd=ROOT, env=said, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)


@pytest.mark.processes
@pytest.mark.parametrize(("name", "value", "sentence"), WRONG, ids=[name for name, *_ in WRONG])
def test_a_wrong_setting_ends_the_start_with_one_line(name: str, value: str, sentence: str) -> None:
    served = start("-m", "config.serve", WEB_CONCURRENCY="4", **{name: value})
    lines = served.communicate(timeout=60)[0].splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith(sentence)
    assert served.returncode == 2


@pytest.mark.parametrize(("value", "means"), [("true", True), ("Yes", True), ("0", False), ("off", False), ("", True)])
def test_a_flag_says_one_of_two_things(monkeypatch: pytest.MonkeyPatch, value: str, means: bool) -> None:
    monkeypatch.setenv("A_FLAG", value)
    assert Environment().bool("A_FLAG", default=True) is means


@pytest.mark.parametrize(("value", "means"), [
    ("", (True, "")), ("none", (False, "")), ("postgres://host:5432/table", (True, "postgres://host:5432/table")),
])
def test_where_streams_listen_is_an_address_or_none(monkeypatch: pytest.MonkeyPatch, value: str, means: Any) -> None:
    monkeypatch.setenv("LISTEN_URL", value)
    assert Environment().listening("LISTEN_URL") == means
    monkeypatch.setenv("LISTEN_URL", "sqlite:///s3cret")
    with pytest.raises(ImproperlyConfigured, match=r"LISTEN_URL is not an address\. Write postgres://"):
        Environment().listening("LISTEN_URL")


def test_an_address_that_is_wrong_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("mysql://me:s3cret@host/name", "postgres://me:s3cret@host:port/name"):
        monkeypatch.setenv("DATABASE_URL", address)
        with pytest.raises(ImproperlyConfigured) as wrong:
            Environment().database("DATABASE_URL", "")
        assert "DATABASE_URL" in str(wrong.value)
        assert "s3cret" not in str(wrong.value)


def test_a_secret_may_be_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from a file\n")
    monkeypatch.setenv("A_KEY_FILE", str(tmp_path / "key"))
    assert Environment().str("A_KEY") == "from a file"
    monkeypatch.setenv("NO_KEY_FILE", str(tmp_path / "none"))
    with pytest.raises(ImproperlyConfigured, match="NO_KEY_FILE"):
        Environment().str("NO_KEY")


def test_a_number_of_the_process_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert of_process("A_NUMBER", 4) == 4
    for value in ("0", "four", "-3", "²"):
        monkeypatch.setenv("A_NUMBER", value)
        with pytest.raises(ImproperlyConfigured, match="from 1"):
            of_process("A_NUMBER", 4)


def test_a_zone_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_ZONE", "Europe/Lodnon")
    with pytest.raises(ImproperlyConfigured, match="A_ZONE=Europe/Lodnon is not a time zone"):
        Environment().zone("A_ZONE", default="UTC")


@seldom
@pytest.mark.processes
def test_open_is_said_when_the_port_is_taken_and_to_one_alone() -> None:
    first = start("-m", "config.serve")
    try:
        assert first.stdout
        line = first.stdout.readline()
        assert line.startswith("The site is open at http://127.0.0.1:")
        port = line.split(":")[2].split("/")[0]
        second = start("-m", "config.serve", PORT=port)
        said = second.communicate(timeout=60)[0].splitlines()
        assert len(said) == 1
        assert f"port {port} of 127.0.0.1 can’t be taken" in said[0]
        assert second.returncode == 1
        assert not (ROOT / "nowhere").exists(), "a start makes no database"
    finally:
        first.kill()
        first.communicate()


def test_of_two_first_starts_one_waits_for_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = []

    def second() -> None:
        with alone(tmp_path / "data"):
            done.append("second")

    with alone(tmp_path / "data"):
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.2)
        done.append("first")
    thread.join(10)
    assert done == ["first", "second"]
    assert "Waiting for it." in capsys.readouterr().out


@pytest.mark.processes
@pytest.mark.parametrize("workers", [1, *[3] * ALL])
def test_streams_end_when_the_server_is_told_to_stop(real_database: OwnDatabase, workers: int) -> None:
    cookies: dict[str, str] = json.loads(real_database.python(SEED))
    served = start("-m", "config.serve", **real_database.environment | {"PORT": "0", "WEB_CONCURRENCY": str(workers)})
    try:
        assert served.stdout
        port = int(served.stdout.readline().split(":")[2].split("/")[0])
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as well:  # one of the workers is there
            assert well.status == 200
        streams = [Stream(port, "the-salt-road", cookies[name]) for name in ("Alice", "Bob") * (2 * workers)]
        for stream in streams:
            stream.next()
        begun = time.monotonic()
        served.send_signal(signal.SIGTERM)
        # To their end, so that a browser opens them again.
        assert [stream.answer.read() for stream in streams] == [b""] * len(streams)
        said = served.communicate(timeout=10)[0]
        took = time.monotonic() - begun
        # No clock decides: where nothing else runs it is half a second, and what is cut off would be told in a line.
        print(f"{workers} workers with {len(streams)} streams ended in {took:.2f} s")
        assert served.returncode in (0, -signal.SIGTERM)
        assert [line for line in said.splitlines() if re.search("ERROR|WARNING|CRITICAL|Traceback", line)] == []
        assert len(re.findall(" INFO .* GET live 200 ", said)) == len(streams), said
    finally:
        served.terminate()  # a supervisor that is killed leaves its workers
        served.communicate(timeout=30)


@pytest.mark.processes
def test_what_the_site_was_read_into_is_not_looked_through_for_garbage() -> None:
    code = ("import gc; from config.serve import Loading; Loading('config.asgi:application').load(); "
            "import sys; print(gc.get_freeze_count() > 100_000, 'play.views' in sys.modules, gc.get_threshold()[0])")
    assert start("-c", code).communicate(timeout=60)[0].split() == ["True", "True", "50000"]


@pytest.mark.parametrize(("host", "offered"), [
    ("192.168.1.7:8000", True), ("[fd00::7]:8000", True), ("shelf", True), ("shelf.local", True),
    ("table.example.org", False), ("8.8.8.8", False), ("a<b>.example", False),
])
def test_the_name_of_a_home_is_offered_where_it_is_refused(
    client: Client, host: str, offered: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with override_settings(ALLOWED_HOSTS=["localhost"]):
        answer = client.get("/log-in/", headers={"host": host})
        page: Any = answer.content.decode()
        assert answer.status_code == 400
        assert (hosts.with_host(hosts.name_of(host)) in page) is offered
    assert "a<b>" not in page
