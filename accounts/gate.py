"""So many at a time on this machine, whichever thread or process asks."""
from __future__ import annotations

import fcntl
import itertools
import os
import threading
from contextlib import suppress
from types import TracebackType


class Gate:
    """`with Gate(__file__):` waits until nobody else is inside a gate of the same file, and lets the next one in after.

    Of several files each is a place, and as many are inside at a time. A file is only locked, never written: a source
    file does, so that no other has to be made and kept.
    """

    def __init__(self, *paths: str) -> None:
        self._places = [_Place(path) for path in paths]
        self._next = itertools.count()
        self._inside = threading.local()

    def __enter__(self) -> None:
        free = next((place for place in self._places if place.enter(wait=False)), None)
        if free is None:
            free = self._places[next(self._next) % len(self._places)]
            free.enter(wait=True)
        self._inside.place = free

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._inside.place.leave()


class _Place:
    """Has room for one."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._threads = threading.Lock()
        self._file: int | None = None

    def enter(self, *, wait: bool) -> bool:
        """Whether one is inside now; always, where one waits."""
        if not self._threads.acquire(blocking=wait):
            return False
        # Where files can't be locked (a network's file system), it is one at a time in each process.
        with suppress(OSError):
            self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.leave()
                return False
        return True

    def leave(self) -> None:
        """Room for the next."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._threads.release()
