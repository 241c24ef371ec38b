"""The server as it is started, in a process of its own."""
from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from tests.databases import ROOT, OwnDatabase


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
        self.process = subprocess.Popen(self._command, cwd=ROOT, env=self._environment)
        for _ in range(200):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """Ends it."""
        self.process.kill()
        self.process.communicate()

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
