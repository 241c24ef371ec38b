"""A server that is killed again and again under eight clients: what was acknowledged is there, and there once.

    DATABASE_URL=… python -m tests.clusters.kills [KILLS]

Each kill comes after somebody's note was acknowledged, at any moment of those that are under way.
"""
from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.clusters.failover import BROKEN, CLIENTS, TITLES, Client
from tests.clusters.postgresql import wait_until
from tests.clusters.rounds import counted, rounds, until_stopped
from tests.databases import PATIENCE, ROOT, OwnDatabase, Template
from tests.live.serving import Forked
from tests.live.test_stream import SEED

KILLS = 1000
SAID = 25  # kills between two words of how far it is
AWAY = (*BROKEN, "ConnectionRefusedError", "IncompleteRead", "BrokenPipeError", "BadStatusLine", "503")


@dataclass(frozen=True)
class Figures:
    """What came of it."""

    kills: int
    acknowledged: int
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    refused: dict[str, int]

    @property
    def well(self) -> bool:
        """Whether it is as promised."""
        return not self.lost and not self.doubled and set(self.refused) <= set(AWAY)


def play(database: OwnDatabase, kills: int, say: Callable[[str], object] = lambda said: None) -> Figures:
    """Kills a server of this database so often, or until stopped; raises where the trail is not whole afterwards."""
    session = json.loads(database.python(SEED))["Alice"]
    server, chance = Forked(database, LOG_REQUESTS="false"), random.Random(1)
    clients = [Client(number, server, session) for number in range(CLIENTS)]
    server.start()
    try:
        for client in clients:
            client.start()
        for number in rounds(kills):
            noted = _notes(clients)
            wait_until(partial(_more, clients, noted), PATIENCE, f"a note after kill {number - 1}")
            time.sleep(chance.random() / 5)
            server.kill()
            server.start()
            if number % SAID == 0:
                say(f"{number:,} of {kills:,} kills, {noted:,} notes acknowledged")
        for client in clients:
            client.over.set()
        for client in clients:
            client.join(30)
    finally:
        server.end()
    return told(database, clients, number)


def _notes(clients: list[Client]) -> int:
    return sum(len(client.acknowledged) for client in clients)


def _more(clients: list[Client], noted: int) -> bool:
    return _notes(clients) > noted


def told(database: OwnDatabase, clients: list[Client], kills: int) -> Figures:
    """What came of it; raises where the trail is not whole."""
    check = [sys.executable, "manage.py", "rebuild", "--all", "--check"]
    subprocess.run(check, cwd=ROOT, env=database.environment, check=True, stdout=subprocess.DEVNULL)
    titles = Counter(json.loads(database.python(TITLES)))
    acknowledged = [title for client in clients for title, _ in client.acknowledged]
    refused = sum((client.refused for client in clients), Counter[str]())
    return Figures(kills, len(acknowledged), tuple(title for title in acknowledged if not titles[title]),
                   tuple(title for title, times in titles.items() if times > 1), dict(refused))


def main(kills: int) -> bool:
    """Plays it on a new database; answers whether all is as promised."""
    with tempfile.TemporaryDirectory() as folder, Template(Path(folder)).made() as template, \
            template.copied(Path(folder)) as database:
        figures = play(database, kills, lambda said: print(said, flush=True))
    print(f"{counted(figures.kills, kills)} kills, {figures.acknowledged:,} acknowledged, {len(figures.lost)} lost, "
          f"{len(figures.doubled)} doubled; the trail is whole; answers that were no success: {figures.refused}")
    return figures.well


if __name__ == "__main__":
    until_stopped(partial(main, int(sys.argv[1]) if len(sys.argv) > 1 else KILLS))
