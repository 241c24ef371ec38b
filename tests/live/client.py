"""Requests without a network."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any


class Client:
    """One request, sent by hand: `parts` of the body at once, then nothing more, or the end; who sent it stays until it
    `went`."""

    def __init__(
        self, path: str = "/", method: str = "POST", *, parts: tuple[bytes, ...] = (), ends: bool = True,
        length: int | None = None, address: str = "192.0.2.1", headers: tuple[tuple[bytes, bytes], ...] = (),
    ) -> None:
        announced = (b"transfer-encoding", b"chunked")
        if length is not None:
            announced = (b"content-length", str(length).encode())
        self.scope: dict[str, Any] = {
            "type": "http", "method": method, "path": path, "query_string": b"", "http_version": "1.1",
            "headers": [*headers, *([announced] if method == "POST" else [])], "client": (address, 1), "state": {},
        }
        self.sent: list[Any] = []
        self._parts = [*parts]
        self._ends = ends
        self.went = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        if self._parts:
            part = self._parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(self._parts) or not self._ends}
        await self.went.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return self.sent[0]["status"] if self.sent else 0

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()


def play(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, 20))


async def serve(application: Callable[..., Awaitable[None]], client: Client, *more: Any) -> Client:
    await application(client.scope, client.receive, client.send, *more)
    return client
