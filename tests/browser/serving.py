"""The real server, on a database and static files of its own."""
from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests import forks
from tests.databases import ROOT, migrated_file


class Server:
    """Serves the site from a folder that belongs to the test; can go and come back on the same port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self.sample: tuple[str, dict[str, str]] = ("", {})  # the sample campaign's address, and passwords by name
        self._process: subprocess.Popen[bytes] | None = None
        self._staging: subprocess.Popen[str] | None = None
        self._environment = {
            **os.environ, "BROWSER_TESTS": str(folder), "DATABASE_URL": f"sqlite:///{folder / 'table.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "tests.browser.settings", "PYTHONPATH": str(ROOT),
        }

    def manage(self, *command: str) -> str:
        """Runs a command of the site; answers what it said."""
        return forks.run(
            [sys.executable, "manage.py", *command], cwd=ROOT, env=self._environment, check=True, text=True,
            stdout=subprocess.PIPE, timeout=180,
        ).stdout

    def lay(self, name: str, *given: Any) -> Any:
        """What a function of `tests.browser.staging` lays; one process does it for all tests."""
        if not self._staging:
            self._staging = forks.Process(
                [sys.executable, "-m", "tests.browser.staging"], cwd=ROOT, env=self._environment, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        asked, answers = self._staging.stdin, self._staging.stdout
        assert asked and answers
        asked.write(json.dumps([name, *given]) + "\n")
        asked.flush()
        line = answers.readline()
        assert line, f"{name} laid nothing: what went wrong stands in the errors."
        return json.loads(line)

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        with self.log.open("ab") as log:
            self._process = forks.Process(
                [sys.executable, "-m", "config.serve"], cwd=ROOT, env=self._environment | {"PORT": str(self.port)},
                stdout=log, stderr=log,
            )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self._process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.1)
        raise AssertionError(f"The server did not start: {self.log.read_text()}")

    @property
    def pid(self) -> int:
        """The process that answers."""
        assert self._process
        return self._process.pid

    @contextmanager
    def held(self) -> Iterator[None]:
        """Takes what is sent meanwhile, and answers none of it: so does a network that hangs."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Ends it, open streams and all."""
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._staging:
            self._staging.terminate()
            self._staging.wait()
        self._process = self._staging = None


def set_up(folder: Path) -> Server:
    """A server that is ready to start: its database migrated, its static files collected."""
    server = Server(folder)
    shutil.copy(migrated_file(), folder / "table.sqlite3")
    server.manage("collectstatic", "--verbosity", "0", "--no-input")
    return server
