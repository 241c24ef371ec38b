"""One at a time on this machine, whichever thread or process asks."""
from __future__ import annotations

import fcntl
import os
import threading
from contextlib import suppress
from types import TracebackType


class Gate:
    """`with Gate(__file__):` waits until nobody else is inside a gate of the same file, and lets the next one in after.

    The file is only locked, never written: a source file does, so that no other has to be made and kept.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._threads = threading.Lock()
        self._file: int | None = None

    def __enter__(self) -> None:
        self._threads.acquire()
        # Where files can't be locked (a network's file system), it is one at a time in each process.
        with suppress(OSError):
            self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._threads.release()
