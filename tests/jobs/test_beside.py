"""The worker beside a server: started again when it ends, gone with the server however that ends."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.databases import ROOT, OwnDatabase
from tests.effort import ALL

pytestmark = pytest.mark.processes


def workers(server: int) -> list[int]:
    """The workers that a process has started."""
    pids = []
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            try:
                words = (path / "cmdline").read_bytes().decode().split("\0")
            except OSError:
                continue
            if words[-4:-1] == ["worker", "--parent", str(server)]:
                pids.append(int(path.name))
    return pids


def soon(what: Callable[[], bool]) -> bool:
    """Whether something becomes so within a minute."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("ending", [signal.SIGTERM, *[signal.SIGKILL] * ALL])
def test_a_worker_runs_beside_the_server_as_long_as_that_does(real_database: OwnDatabase, ending: int) -> None:
    said = {**real_database.environment, "PORT": "0", "WITH_WORKER": "1", "DEBUG": "true"}
    served = subprocess.Popen([sys.executable, "-m", "config.serve"], cwd=ROOT, env=said, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert served.stdout and "open at" in served.stdout.readline()
        assert soon(lambda: len(workers(served.pid)) == 1)
        if ending == signal.SIGTERM:
            [first] = workers(served.pid)
            os.kill(first, signal.SIGKILL)
            assert soon(lambda: first not in workers(served.pid) and len(workers(served.pid)) == 1)
        served.send_signal(ending)
        served.wait(timeout=20)
        assert soon(lambda: not workers(served.pid))
    finally:
        served.kill()
        served.wait()
