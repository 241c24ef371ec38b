"""The server's protocol, ASGI: its types, and the two messages that an answer is made of."""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def start(status: int, content_type: str, more: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The head of an answer that is nobody's to keep."""
    headers = {
        "content-type": content_type, "cache-control": "no-store", "x-content-type-options": "nosniff", **(more or {}),
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http.response.start", "status": int(status), "headers": pairs}


def body(content: bytes, *, more: bool = False) -> dict[str, Any]:
    """A part of it; the last one where no more comes."""
    return {"type": "http.response.body", "body": content, "more_body": more}
