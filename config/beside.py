"""A worker beside the server, as `make run` starts it: started again when it ends, and gone when the server is."""
from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
PAUSE = 2.0  # seconds before it is started again


@contextmanager
def worker() -> Iterator[None]:
    """While this is open, a worker runs. It looks for its parent by itself, in case that is killed."""
    beside = _Beside()
    thread = threading.Thread(target=beside.keep, name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        beside.end()
        thread.join(timeout=PAUSE)


class _Beside:
    """One process after the other."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def keep(self) -> None:
        """Starts a worker whenever there is none."""
        while not self._over.is_set():
            began = time.monotonic()
            # In a session of its own: Ctrl-C is for the server, which tells it.
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, str(MANAGE), "worker", "--parent", str(os.getpid())], start_new_session=True)
            if self._over.is_set():  # it was over while the process began
                self._process.terminate()
            self._process.wait()
            self._over.wait(max(0.0, PAUSE - (time.monotonic() - began)))

    def end(self) -> None:
        """Tells the worker to end what it is doing, and to start nothing."""
        self._over.set()
        if self._process is not None:
            self._process.terminate()
