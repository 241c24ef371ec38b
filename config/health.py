"""What a supervisor asks, beside Django and under any name: `/healthz`, `/readyz`, and `/metrics` for whoever may.

`/healthz` says that this process answers. `/readyz` says whether it can do its work, and if not, what is missing; its
answer is kept for two seconds, so that nobody makes work by asking.
"""
from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import cache
from http import HTTPStatus

from django.conf import settings
from django.db import close_old_connections, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from campaigns.trail import triggers
from config import metrics
from config.protocol import Receive, Scope, Send, body, header, start
from config.threads import Threads
from jobs import queue

WITHIN = 2.0  # seconds in which the database has to answer
KEPT = 2.0
LATE = timedelta(minutes=5)
OK = "ok"

PLAIN = "text/plain; charset=utf-8"
OF_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


def database() -> str:
    """Whether it answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return OK


def migrations() -> str:
    """Whether the tables are those that this version wants."""
    missing = _of_this_version().difference(MigrationRecorder(connection).applied_migrations())
    return f"missing: {', '.join(sorted(f'{app}.{name}' for app, name in missing))}" if missing else OK


@cache
def _of_this_version() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).graph.nodes)


def append_only() -> str:
    """Whether the trail's triggers are there."""
    missing = triggers.missing(connection)
    return f"missing: {', '.join(missing)}" if missing else OK


def worker() -> str:
    """Whether jobs are done. Pages are answered without: who waits for mail should hear of it, a proxy should not."""
    late, sign = queue.late(), queue.last_sign()
    if late > LATE:
        return f"the first job is {late.total_seconds() // 60:.0f} minutes late"
    if sign is None:
        return "none has given a sign for a day"
    return f"its last sign is {sign.total_seconds() // 60:.0f} minutes old" if sign > LATE else OK


CHECKS: dict[str, Callable[[], str]] = {
    "database": database, "migrations": migrations, "triggers": append_only, "worker": worker,
}


class Health:
    """The three addresses. `listens` says whether the live stream hears of what is written."""

    def __init__(self, listens: Callable[[], bool]) -> None:
        self._listens = listens
        self._thread = Threads(1, "health")
        self._looking: asyncio.Task[dict[str, str]] | None = None
        self._looked = float("-inf")
        self.at: dict[str, Callable[[Scope, Send], Awaitable[None]]] = {
            "/healthz": self._alive, "/readyz": self._ready, "/metrics": self._counted,
        }

    def close(self) -> None:
        """Lets the connection go; not for the event loop's thread."""
        self._thread.shutdown()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        await self.at[scope["path"]](scope, send)

    @staticmethod
    async def _alive(_scope: Scope, send: Send) -> None:
        await _say(send, HTTPStatus.OK, "ok\n")

    async def _ready(self, _scope: Scope, send: Send) -> None:
        answers = {**await self._look(), "listener": OK if self._listens() else "not listening"}
        well = all(said == OK for name, said in answers.items() if name != "worker")
        status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
        await _say(send, status, "".join(f"{name}: {said}\n" for name, said in answers.items()))

    async def _counted(self, scope: Scope, send: Send) -> None:
        token = (header(scope, b"authorization") or "").removeprefix("Bearer ")
        if not settings.METRICS_TOKEN or not hmac.compare_digest(token.encode(), settings.METRICS_TOKEN.encode()):
            await _say(send, HTTPStatus.NOT_FOUND, "There is nothing here for you.\n")
            return
        numbers = await asyncio.get_running_loop().run_in_executor(self._thread, metrics.page)
        await _say(send, HTTPStatus.OK, numbers.decode(), OF_PROMETHEUS)

    async def _look(self) -> dict[str, str]:
        """What each check says; of many who ask at once one looks."""
        if not self._looking or (self._looking.done() and time.monotonic() - self._looked > KEPT):
            self._looking = asyncio.create_task(self._ask())
        try:
            async with asyncio.timeout(WITHIN):
                return await asyncio.shield(self._looking)
        except TimeoutError:
            return {"database": f"no answer within {WITHIN:g} seconds"}

    async def _ask(self) -> dict[str, str]:
        answers = await asyncio.get_running_loop().run_in_executor(self._thread, _checked)
        self._looked = time.monotonic()
        return answers


def _checked() -> dict[str, str]:
    close_old_connections()
    answers: dict[str, str] = {}
    for name, check in CHECKS.items():
        try:
            answers[name] = check()
        except Exception as error:
            # Not what it says: that may hold an address.
            answers[name] = f"failed ({type(error).__name__})"
            break
    return answers


async def _say(send: Send, status: HTTPStatus, text: str, content_type: str = PLAIN) -> None:
    content = text.encode()
    await send(start(status, content_type, {"content-length": str(len(content))}))
    await send(body(content))
