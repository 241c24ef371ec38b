"""A browser as the bench has many of them: one connection kept for pages, one for what is live. No more of HTTP than
the site's own server answers with."""
from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlencode

MOST = 2**20  # bytes of a line


class Broken(Exception):
    """An answer that is not what was asked for."""


class Browser:
    """Somebody who is logged in by these cookies."""

    def __init__(self, port: int, cookies: dict[str, str]) -> None:
        self._port, self._token = port, cookies["csrftoken"]
        self._cookies = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    async def ask(
        self, method: str, path: str, form: dict[str, Any] | None = None, *, by_htmx: bool = False,
    ) -> tuple[int, bytes]:
        """Status and body of a page; where the server just closed the connection, it is asked for on another, as
        browsers do: an act that is sent twice has one `op_id`, and is done once."""
        async with self._turn:
            for again in (False, True):
                kept = self._open is not None
                reader, writer = self._open = self._open or await self._connected()
                try:
                    await self._send(writer, method, path, form, by_htmx=by_htmx)
                    status, headers = await head_of(reader)
                    body = await body_of(reader, headers)
                except (OSError, EOFError):
                    await self.close()
                    if again or not kept:
                        raise
                    continue
                if headers.get("connection") == "close":
                    await self.close()
                return status, body
        raise Broken("unreachable")

    async def listen(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which an answer without an end has begun."""
        reader, writer = await self._connected()
        await self._send(writer, "GET", path, None, by_htmx=False)
        status, _ = await head_of(reader)
        if status != 200:
            writer.close()
            raise Broken(f"a live page was answered with {status}")
        return reader, writer

    async def close(self) -> None:
        """Lets the kept connection go."""
        if self._open:
            self._open[1].close()
            self._open = None

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port, limit=MOST)

    async def _send(
        self, writer: asyncio.StreamWriter, method: str, path: str, form: dict[str, Any] | None, *, by_htmx: bool,
    ) -> None:
        body = urlencode(form or {}, doseq=True).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Cookie: {self._cookies}",
                 f"X-CSRFToken: {self._token}"]
        lines += ["HX-Request: true"] if by_htmx else []
        if method == "POST":
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
        await writer.drain()


async def head_of(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status of an answer, and its headers by their names in small letters."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[:-2]
    return int(first.split()[1]), {
        name.strip().lower(): value.strip().lower() for name, _, value in (line.partition(":") for line in lines)}


async def body_of(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    """All of it: as long as it says, or in chunks."""
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)


async def listened(browser: Browser, path: str, heads: asyncio.Queue[int], over: asyncio.Event) -> None:
    """Puts what a live page says into a queue, until it is over; raises where it breaks off before."""
    reader, writer = await browser.listen(path)
    ends = asyncio.create_task(over.wait())
    try:
        while not over.is_set():
            line = asyncio.create_task(reader.readline())
            await asyncio.wait({line, ends}, return_when=asyncio.FIRST_COMPLETED)
            if not line.done():
                line.cancel()
                return
            if not (said := line.result()):
                raise Broken("its end came")
            if said.startswith(b"data: "):
                heads.put_nowait(int(said.removeprefix(b"data: ")))
    finally:
        ends.cancel()
        writer.close()
