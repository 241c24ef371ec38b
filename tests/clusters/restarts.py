"""PostgreSQL is restarted again and again under two servers of the site and two workers, while eight people write.

    python -m tests.clusters.restarts [RESTARTS]

Killed, and stopped with and without a word to its clients, in turn. Needs PostgreSQL's programs. What was acknowledged
is there, and there once; pages, streams and workers go on; answers meanwhile are 503, or a connection that breaks.
"""
from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from tests.clusters.failover import CLIENTS, Client, Site, heard, made, migrate
from tests.clusters.kills import Figures, told
from tests.clusters.postgresql import Node, wait_until
from tests.clusters.rounds import counted, rounds, until_stopped
from tests.databases import PATIENCE
from tests.live.test_stream import SEED

RESTARTS = 30
WAYS = ("kill", "fast", "immediate")


def play(restarts: int, say: Callable[[str], object] = lambda said: None) -> Figures:
    """So many restarts, or until it is stopped, on a server of their own; raises where somebody, a stream or a worker
    does not come back."""
    with ExitStack() as ends:
        folder = Path(tempfile.mkdtemp(prefix="restarts-"))
        folder.chmod(0o755)
        ends.callback(shutil.rmtree, folder, ignore_errors=True)
        node = Node(made(folder, "server"))
        ends.callback(node.stop)
        node.create()
        migrate(node)
        site = Site(node.port)
        ends.callback(site.stop)
        session = json.loads(site.database.python(SEED))["Alice"]
        site.start()
        clients = [Client(number, site.servers[number % 2], session) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        for number in rounds(restarts):
            _everybody_writes(clients, time.monotonic())
            node.restart(WAYS[(number - 1) % len(WAYS)])
            say(f"{number:,} of {restarts:,} restarts")
        back = time.monotonic()
        _everybody_writes(clients, back)
        heard(site, session, back)
        for client in clients:
            client.over.set()
        for client in clients:
            client.join(30)
        assert all(worker.poll() is None for worker in site.workers), "a worker has ended"
        return told(site.database, clients, number)


def _everybody_writes(clients: list[Client], since: float) -> None:
    wait_until(lambda: all(client.last > since for client in clients), PATIENCE, "everybody’s next note")


def main(restarts: int) -> bool:
    """Plays it and prints what came of it; answers whether all is as promised."""
    figures = play(restarts, lambda said: print(said, flush=True))
    print(f"{counted(figures.kills, restarts)} restarts, {figures.acknowledged:,} acknowledged, "
          f"{len(figures.lost)} lost, {len(figures.doubled)} doubled; the trail is whole; "
          f"answers that were no success: {figures.refused}")
    return figures.well


if __name__ == "__main__":
    until_stopped(partial(main, int(sys.argv[1]) if len(sys.argv) > 1 else RESTARTS))
