"""Threads that ask the database: each keeps its connection from one request to the next."""
from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from config import metrics
from config.stack import in_one_piece

T = TypeVar("T")


class Threads(ThreadPoolExecutor):
    """A pool whose threads' connections are closed when it is shut down: a thread that ends closes nothing by itself.

    SQLite's last connection that is closed puts what is in the write-ahead log into the file and takes the log away.
    """

    def __init__(self, most: int, name: str) -> None:
        super().__init__(most, thread_name_prefix=name, initializer=self._begin)
        self._connections: list[BaseDatabaseWrapper] = []

    def _begin(self) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        connection.execute_wrappers.append(metrics.timing_locks)
        self._connections.append(connection)
        metrics.connections.inc()

    def submit(self, work: Callable[..., T], /, *args: object, **more: object) -> Future[T]:
        """Has a thread do it, with its calls in one piece."""
        return super().submit(in_one_piece, partial(work, *args, **more))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Waits for the threads and closes their connections; not for the event loop's thread."""
        super().shutdown(wait=True, cancel_futures=cancel_futures)
        for connection in self._connections:
            connection.inc_thread_sharing()
            connection.close()
            metrics.connections.dec()
        self._connections.clear()
