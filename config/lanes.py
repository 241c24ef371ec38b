"""Threads of one kind of page, and who waits for them."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from config import metrics
from config.limits import Kind
from config.protocol import Receive, gone
from config.refusals import Left, busy
from config.threads import Threads
from config.turns import Caller, Turns

T = TypeVar("T")


class Lane:
    """Work is given to a thread only when one is free, so that whose turn it is can be said until then."""

    def __init__(self, kind: Kind) -> None:
        self._pool = Threads(kind.threads, kind.name)
        self._free = kind.threads
        self._turns: Turns[asyncio.Future[None]] = Turns(kind.waiting)
        self._busy, self._waiting = metrics.busy_threads.labels(kind.name), metrics.waiting.labels(kind.name)

    async def run(self, work: Callable[[], T], caller: Caller, receive: Receive) -> T:
        """Does it when it is the caller's turn. Raises `Refused` where the queue is long, `Left`."""
        if self._free:
            self._free -= 1
        else:
            with self._waiting.track_inprogress():
                await self._turn(caller, receive)
        self._busy.inc()
        loop = asyncio.get_running_loop()
        done = self._pool.submit(work)
        # When the thread is free, also where nobody waits for what it makes any more.
        done.add_done_callback(lambda _: loop.call_soon_threadsafe(self._done))
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Waits for what is being done."""
        self._pool.shutdown(cancel_futures=True)

    async def _turn(self, caller: Caller, receive: Receive) -> None:
        turn = asyncio.get_running_loop().create_future()
        if last := self._turns.put(caller, turn):
            last.set_exception(busy())
        leaves = asyncio.create_task(gone(receive))
        try:
            await asyncio.wait({turn, leaves}, return_when=asyncio.FIRST_COMPLETED)
            if not turn.done():
                raise Left
            turn.result()
        except BaseException:
            self._turns.leave(turn)
            if turn.done() and not turn.exception():  # it came as the caller was sent away
                self._next()
            raise
        finally:
            leaves.cancel()

    def _done(self) -> None:
        self._busy.dec()
        self._next()

    def _next(self) -> None:
        if self._turns:
            self._turns.take().set_result(None)
        else:
            self._free += 1
