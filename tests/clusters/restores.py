"""Backups are written and put back while a server writes: the first are sound, the second are refused until it ends.

    DATABASE_URL=… python -m tests.clusters.restores [TIMES]

Eight clients write meanwhile, and wait a moment after each note, as each backup checks all notes so far. Each restore
begins while one is sent, is refused with a sentence and takes nothing away; once the server has ended, the last backup
is put back, and what it has is whole.
"""
from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from campaigns.keeping.database import OPEN
from tests import forks
from tests.clusters.failover import CLIENTS, TITLES, Client
from tests.clusters.kills import Figures, told
from tests.clusters.postgresql import wait_until
from tests.clusters.rounds import counted, rounds, until_stopped
from tests.databases import PATIENCE, ROOT, OwnDatabase, Template
from tests.live.serving import Forked
from tests.live.test_stream import SEED

TIMES = 50
PAUSE = 2.5  # seconds


@dataclass(frozen=True)
class Restores:
    """What came of it: `let_in` are restores that were not refused, `gone` what the backup should have."""

    figures: Figures
    let_in: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def well(self) -> bool:
        """Whether it is as promised."""
        return self.figures.well and not self.let_in and not self.gone


def play(
    database: OwnDatabase, folder: Path, times: int, say: Callable[[str], object] = lambda said: None
) -> Restores:
    """Tries so often, or until it is stopped; raises where the trail is not whole, under the server or once the backup
    is put back."""
    session = json.loads(database.python(SEED))["Alice"]
    server = Forked(database, LOG_REQUESTS="false")
    clients = [Client(number, server, session, PAUSE) for number in range(CLIENTS)]
    server.start()
    let_in: list[str] = []
    try:
        for client in clients:
            client.start()
        for number in rounds(times):
            noted = [title for client in clients for title, _ in client.acknowledged]
            kept = folder / f"{number}.backup"
            backed_up = _manage(database, "backup", str(kept))
            assert backed_up.returncode == 0, backed_up.stderr
            wait_until(lambda: any(client.sending.is_set() for client in clients), PATIENCE, "a note that is sent")
            answer = _manage(database, "restore", str(kept))
            if answer.returncode == 0 or OPEN not in answer.stderr:
                let_in.append(answer.stderr or answer.stdout)
            wait_until(partial(_more, clients, len(noted)), PATIENCE, f"a note after restore {number}")
            say(f"{number:,} of {times:,} restores refused, {len(noted):,} notes acknowledged")
        for client in clients:
            client.over.set()
        for client in clients:
            client.join(30)
    finally:
        server.end()
    figures = told(database, clients, number)
    put_back = _manage(database, "restore", str(kept))
    assert put_back.returncode == 0, put_back.stderr
    there = set(json.loads(database.python(TITLES)))
    return Restores(figures, tuple(let_in), tuple(title for title in noted if title not in there))


def _more(clients: list[Client], noted: int) -> bool:
    return sum(len(client.acknowledged) for client in clients) > noted


def _manage(database: OwnDatabase, *command: str) -> subprocess.CompletedProcess[str]:
    return forks.run([sys.executable, "-W", "ignore", "manage.py", *command], cwd=ROOT, check=False, text=True,
                     env=database.environment, capture_output=True, timeout=PATIENCE)


def main(times: int) -> bool:
    """Plays it on a new database; answers whether all is as promised."""
    with tempfile.TemporaryDirectory() as folder, Template(Path(folder)).made() as template, \
            template.copied(Path(folder)) as database:
        restores = play(database, Path(folder), times, lambda said: print(said, flush=True))
    figures = restores.figures
    print(f"{counted(figures.kills, times)} restores under a server, {len(restores.let_in)} let in; "
          f"{figures.acknowledged:,} acknowledged, {len(figures.lost)} lost, {len(figures.doubled)} doubled; "
          f"put back afterwards, {len(restores.gone)} gone; the trail is whole")
    return restores.well


if __name__ == "__main__":
    until_stopped(partial(main, int(sys.argv[1]) if len(sys.argv) > 1 else TIMES))
