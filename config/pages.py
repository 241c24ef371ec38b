"""Pages: a WSGI application behind a door that costs no thread.

The event loop reads a request whole, within the time and the size that its kind of page allows. Only then a thread is
taken; it makes the answer whole and is free again, and the event loop hands the answer out as fast as it is taken.
"""
from __future__ import annotations

import asyncio
import io
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import IO, Any

from accounts.addresses import network_of
from accounts.devices import device_of
from config import limits
from config.compressing import CODERS, coding_for, headers_of
from config.lanes import Lane
from config.limits import Kind, kind_of
from config.logs import request_id
from config.protocol import Receive, Scope, Send, address_of, body, cookies_of, header
from config.refusals import busy, check_length, or_say_why, too_large, too_slow
from config.requests import NOTE
from config.turns import Caller
from config.visits import Visit, Visits

CHUNK = 64 * 1024
KEPT_IN_MEMORY = 1024 * 1024  # of an answer; the rest of a longer one is in a file

Headers = list[tuple[str, str]]


WSGIApplication = Callable[[dict[str, Any], Callable[..., Callable[[bytes], object]]], Iterable[bytes]]


@dataclass
class Answer:
    """A whole response. `content` is read from its beginning, and closed by whoever sends it."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    content: IO[bytes] = field(default_factory=lambda: tempfile.SpooledTemporaryFile(KEPT_IN_MEMORY))  # noqa: SIM115
    size: int = 0

    def write(self, chunk: bytes) -> None:
        """Appends to the content."""
        self.content.write(chunk)
        self.size += len(chunk)


class Pages:
    """The ASGI application around the WSGI one."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self._lanes = {kind.name: Lane(kind) for kind in limits.KINDS if kind.threads}
        self._lanes[limits.FORM.name] = self._lanes[limits.READ.name]
        self.visits = Visits(
            most=limits.MOST_VISITS, most_each=limits.MOST_VISITS_EACH, most_bytes=limits.MOST_BYTES_HELD
        )

    def close(self) -> None:
        """Waits for the threads; not for the event loop's thread."""
        for lane in self._lanes.values():
            lane.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        await or_say_why(self._serve(scope, receive, send), receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        check_length(scope)
        kind, address = kind_of(scope["method"], scope["path"]), address_of(scope)
        with self.visits.visit(network_of(address)) as visit:
            sent = await self._read(scope, receive, kind, visit)
            if sent is None:  # the client went
                return
            environ = environ_of(scope, sent)
            note = environ[NOTE] = scope.get(NOTE)
            caller = Caller(address, device_of(cookies_of(scope)) if kind.known_first else None)
            lane = self._lanes[kind.name]
            answer = await lane.run(lambda: answer_of(self._application, environ, note and note.id), caller, receive)
            await _hand_out(answer, visit, scope, send)

    async def _read(self, scope: Scope, receive: Receive, kind: Kind, visit: Visit) -> bytes | None:
        """The body; None when the client went before its end."""
        if (announced := _announced(scope)) > kind.most_bytes:
            raise too_large(kind)
        if not announced and header(scope, b"transfer-encoding") is None:
            return b""
        read = bytearray()
        try:
            async with visit.waiting(kind.seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    read += message.get("body", b"")
                    if len(read) > kind.most_bytes:
                        raise too_large(kind)
                    self.visits.hold(visit, len(read) - visit.held)
                    if not message.get("more_body"):
                        return bytes(read)
        except TimeoutError:
            raise (busy() if visit.pushed_out else too_slow()) from None


def environ_of(scope: Scope, sent: bytes) -> dict[str, Any]:
    """A request as WSGI says it."""
    host, port = scope.get("server") or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"], "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "surrogateescape").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host, "SERVER_PORT": str(port), "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope.get("client") else "", "CONTENT_LENGTH": str(len(sent)),
        "wsgi.version": (1, 0), "wsgi.url_scheme": scope.get("scheme", "http"), "wsgi.input": io.BytesIO(sent),
        "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": True, "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1")
        # An underscore would become what a proxy's own header with a hyphen becomes.
        if "_" in name or name in ("content-length", "transfer-encoding"):
            continue
        key = "CONTENT_TYPE" if name == "content-type" else "HTTP_" + name.upper().replace("-", "_")
        text = value.decode("latin-1")
        environ[key] = (environ[key] + ("; " if name == "cookie" else ",") + text) if key in environ else text
    return environ


def answer_of(application: WSGIApplication, environ: dict[str, Any], known_as: str | None = None) -> Answer:
    """What the application answers, to the end. Runs in a thread, whose log then says which request it works on."""
    answer = Answer()
    request_id.set(known_as or "")

    def start_response(status: str, headers: Headers, _fault: object = None) -> Callable[[bytes], object]:
        answer.status, answer.headers = int(status[:3]), headers
        return answer.write

    chunks = application(environ, start_response)
    try:
        for chunk in chunks:
            answer.write(chunk)
    finally:
        if close := getattr(chunks, "close", None):
            close()
    if coding := coding_for(environ, answer.status, answer.headers, answer.size):
        answer.content.seek(0)
        small = CODERS[coding](answer.content.read())
        answer.content.close()
        answer.content, answer.size = io.BytesIO(small), len(small)
        answer.headers = headers_of(coding, answer.headers)
    answer.content.seek(0)
    return answer


async def _hand_out(answer: Answer, visit: Visit, scope: Scope, send: Send) -> None:
    """Sends an answer, for as long as the client goes on taking it."""
    pairs = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in answer.headers]
    bodiless = answer.status < 200 or answer.status in (204, 304) or scope["method"] == "HEAD"
    if not bodiless and all(name != b"content-length" for name, _ in pairs):
        pairs.append((b"content-length", str(answer.size).encode()))
    try:
        async with visit.waiting(limits.SEND_SECONDS):
            await send({"type": "http.response.start", "status": answer.status, "headers": pairs})
            while chunk := answer.content.read(CHUNK):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                visit.goes_on(limits.SEND_SECONDS)
            await send(body(b""))
    except TimeoutError:
        if connection := scope.get("state", {}).get("connection"):
            connection.abort()
            await asyncio.sleep(0.1)  # until the server has seen it
    finally:
        answer.content.close()


def _announced(scope: Scope) -> int:
    """How long the body is, as far as the head says."""
    # The server has refused what is no number, and two that differ.
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)
