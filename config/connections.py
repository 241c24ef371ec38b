"""Connections before they have said what they want; `config.serve` tells the server to make them.

The server itself lets a connection stay for ever that never ends its request's head, or that never takes the rest of
an answer. Here each has so many seconds, and there are only so many, together and from one address; where there are too
many, the oldest that asks for nothing is closed. A proxy's address (`FORWARDED_ALLOW_IPS`) is no one person's: only the
number of all binds it, and `config.visits` counts by the address that the proxy names.
"""
from __future__ import annotations

import asyncio
import resource
from typing import Any

from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from accounts.addresses import UNKNOWN, network_of
from config import limits

SWEEP = 5.0  # seconds between two looks at who has been silent for too long
RESERVED = 200  # files that the process opens for other things


class Crowd:
    """All connections of one process."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most, self._most_each = most, most_each
        self._all: dict[Connection, None] = {}  # oldest first
        self._sweeper: asyncio.TimerHandle | None = None

    def enter(self, connection: Connection) -> None:
        """Takes one in; one that asks for nothing, perhaps this one, is closed where there are too many."""
        same = [other for other in self._all if other.network == connection.network]
        self._all[connection] = None
        if not connection.by_proxy and len(same) >= self._most_each:
            self._close_one(same, connection)
        elif len(self._all) > self._most:
            self._close_one(list(self._all), connection)
        if self._sweeper is None:
            self._sweep()

    def leave(self, connection: Connection) -> None:
        """One is gone."""
        self._all.pop(connection, None)

    def __len__(self) -> int:
        return len(self._all)

    def _close_one(self, among: list[Connection], newest: Connection) -> None:
        closed = next((connection for connection in among if connection.asks_nothing), newest)
        self.leave(closed)  # the loop tells of its end later, and another may come before
        closed.abort()

    def _sweep(self) -> None:
        now = asyncio.get_running_loop().time()
        for connection in list(self._all):
            if connection.overdue(now):
                connection.abort()
        self._sweeper = asyncio.get_running_loop().call_later(SWEEP, self._sweep) if self._all else None


def _most() -> int:
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(50, min(limits.MOST_CONNECTIONS, files - RESERVED))


def _is_believed(host: str, config: Config) -> bool:
    """Whether the word of this address is taken for where a request comes from; asks the very object that takes it."""
    if not config.proxy_headers:
        return False
    if not isinstance(config.loaded_app, ProxyHeadersMiddleware):
        raise TypeError("The server no longer reads a proxy’s headers first: say here which addresses it believes.")
    return host in config.loaded_app.trusted_hosts


crowd = Crowd(_most(), limits.MOST_CONNECTIONS_EACH)


class Connection(H11Protocol):
    """One connection, with its deadlines."""

    def __init__(self, config: Config, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        # `config.pages` finds it in a request's scope, to cut off whoever stops reading.
        super().__init__(config, server_state, {**app_state, "connection": self}, _loop)
        self.network = UNKNOWN
        self.by_proxy = False
        self.closing = asyncio.Event()  # the server stops: what would never end by itself ends now
        self._quiet_since = self._closing_since = self.loop.time()
        self._stuck_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts it."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self.network = network_of(host)
        self.by_proxy = _is_believed(host, self.config)
        crowd.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets it."""
        crowd.leave(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """The next request's time begins."""
        self._quiet_since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client does not take what is sent."""
        self._stuck_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It does again."""
        self._stuck_since = None
        super().resume_writing()

    def shutdown(self) -> None:
        """The server stops: lets a page be sent to its end, and ends a stream."""
        super().shutdown()
        self.closing.set()

    @property
    def asks_nothing(self) -> bool:
        """Whether no request of it is under way."""
        return self.cycle is None or self.cycle.response_complete

    def overdue(self, now: float) -> bool:
        """Whether it let its time pass: to end a head, to take an answer, or to take the rest of one."""
        if not self.transport.is_closing():
            self._closing_since = now
        return (
            now - self._closing_since > limits.CLOSE_SECONDS
            or (self.asks_nothing and now - self._quiet_since > limits.HEAD_SECONDS)
            or (self._stuck_since is not None and now - self._stuck_since > limits.SEND_SECONDS + SWEEP)
        )

    def abort(self) -> None:
        """Closes it without waiting for anything."""
        self.transport.abort()
