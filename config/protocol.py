"""The server's protocol, ASGI: its types, and the two messages that an answer is made of."""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from accounts.addresses import UNKNOWN

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


def header(scope: Scope, name: bytes, between: str = ",") -> str | None:
    """What a request's head says by this name, of several the one after the other; None where it doesn't."""
    values = [value.decode("latin-1") for said, value in scope["headers"] if said == name]
    return between.join(values) if values else None


def address_of(scope: Scope) -> str:
    """Where a request comes from, as far as a proxy that is believed says it."""
    return scope["client"][0] if scope.get("client") else UNKNOWN


def cookies_of(scope: Scope) -> str:
    """A request's cookies, as they were sent."""
    return header(scope, b"cookie", "; ") or ""


async def gone(receive: Receive) -> None:
    """Returns when the client is; what it still sends is thrown away."""
    while (await receive())["type"] != "http.disconnect":
        pass
