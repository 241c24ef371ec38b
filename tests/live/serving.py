"""The server as it is started, in a process of its own."""
from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from tests import forks
from tests.databases import PATIENCE, ROOT, OwnDatabase


class Server:
    """Serves a database on a free port."""

    def __init__(self, database: OwnDatabase, *options: str, **environment: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._command = [
            sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(self.port), "--log-level",
            "warning", "--timeout-graceful-shutdown", "1", "--http", "config.connections:Connection", *options,
        ]
        self._environment = {**database.environment, **environment}
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        self.process = forks.Process(self._command, cwd=ROOT, env=self._environment)
        self._answers()

    def _answers(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and (not hasattr(self, "process") or self.process.poll() is None):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """Ends it, where it was started."""
        if hasattr(self, "process"):
            self.process.kill()
            self.process.communicate()

    def end(self) -> None:
        """Ends it, and all that it needs."""
        self.kill()

    def get(self, path: str, **headers: str) -> tuple[int, float]:
        """The status of a page, and how many seconds it took."""
        begun = time.monotonic()
        answer = self.ask("GET", path, headers=headers)
        return answer.status, time.monotonic() - begun

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """A page, on a connection of its own; read to the end."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            answer.text = answer.read().decode()  # type: ignore[attr-defined]
            return answer
        finally:
            connection.close()

    def half(self, path: str, length: int = 1000, sent: bytes = b"ab") -> socket.socket:
        """A connection that announces a body and sends two bytes of it."""
        opened = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        opened.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken={'x' * 32}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n".encode() + sent
        )
        return opened


LOADED = """
import os, sys
import uvicorn
import config.asgi
for line in sys.stdin:
    if not (child := os.fork()):
        uvicorn.run("config.asgi:application", port=int(sys.argv[1]), log_level="warning",
                    http="config.connections:Connection", timeout_graceful_shutdown=1)
        os._exit(0)
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


class Forked(Server):
    """A server that starts in a moment: a process that has loaded the site, and opened nothing, makes it of itself."""

    def __init__(self, database: OwnDatabase, **environment: str) -> None:
        super().__init__(database, **environment)
        self._loaded = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", LOADED, str(self.port)], cwd=ROOT, env=self._environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._child = 0

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        assert self._loaded.stdin and self._loaded.stdout
        self._loaded.stdin.write("start\n")
        self._loaded.stdin.flush()
        self._child = int(self._loaded.stdout.readline())
        self._answers()

    def kill(self) -> None:
        """Ends it, at once."""
        assert self._loaded.stdout
        os.kill(self._child, signal.SIGKILL)
        assert self._loaded.stdout.readline() == "gone\n"

    def end(self) -> None:
        """Ends it, and the process that it came from."""
        if self._child:
            with suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)
        self._loaded.kill()
        self._loaded.communicate()
