"""What is known of each request once it is answered: a line in the log, and what is counted.

An address may hold a secret, as an invitation does; so what is written is the name of its route. A request is known by
an id that the answer carries too, in `X-Request-ID`, for somebody who says what went wrong.
"""
from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import Resolver404, resolve

from config import metrics
from config.logs import request_id, route_of
from config.protocol import Receive, Scope, Send

NOTE = "site.note"  # where a request's note is: in ASGI's scope, and in WSGI's environ

log = logging.getLogger(__name__)


@dataclass
class Note:
    """A request on its way. `route` and `person` are written by the thread that answers it."""

    id: str = field(default_factory=lambda: uuid.uuid4().hex[:16])
    route: str = ""
    person: str = ""
    status: int = 0  # none: whoever asked left first
    begun: float = field(default_factory=time.perf_counter)
    answered: float = 0.0

    @property
    def seconds(self) -> float:
        """From its first line to the answer's."""
        return (self.answered or time.perf_counter()) - self.begun


async def noted(
    serve: Callable[[Scope, Receive, Send], Awaitable[None]], scope: Scope, receive: Receive, send: Send,
    route: str = "",
) -> None:
    """Serves a request and writes down what came of it."""
    note = scope[NOTE] = Note(route=route)
    given = request_id.set(note.id)

    async def sends(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            note.status, note.answered = message["status"], time.perf_counter()
            message["headers"] = [*message["headers"], (b"x-request-id", note.id.encode())]
        await send(message)

    try:
        await serve(scope, receive, sends)
    except Exception:
        note.status = note.status or 500
        raise
    finally:
        _write(note, scope)
        request_id.reset(given)


def _write(note: Note, scope: Scope) -> None:
    method = scope["method"] if scope["method"] in metrics.METHODS else "other"
    note.route = note.route or _route_at(scope["path"])
    metrics.answered(method, note.route, note.status, note.seconds)
    if note.route == "static" and note.status < 400:
        return
    parts = {"method": method, "route": note.route, "status": note.status, "ms": round(note.seconds * 1000, 1),
             "person": note.person}
    log.info("%s %s %s %s ms%s", method, note.route, note.status or "left", parts["ms"],
             f" by {note.person}" if note.person else "", extra={"id": note.id, "parts": parts})


def _route_at(path: str) -> str:
    """For what never came to a view."""
    if path.startswith("/static/"):
        return "static"
    try:
        return route_of(resolve(path))
    except Resolver404:
        return route_of(None)
