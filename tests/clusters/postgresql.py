"""A primary of PostgreSQL, a standby that has what was committed before anybody hears of it, a pooler before them."""
from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.databases import PATIENCE

NAME = "salt_road"
USER = "postgres"


def free_port() -> int:
    """A port that nobody has taken yet."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def programs() -> Path:
    """Where the programs of the newest PostgreSQL on this machine are."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    return installed[-1]


def run(*command: str | Path) -> None:
    """A program as somebody who is not root, as these programs want it."""
    subprocess.run(
        _as_user(command), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=PATIENCE)


def _as_user(command: tuple[str | Path, ...]) -> list[str | Path]:
    return ["runuser", "-u", USER, "--", *command] if os.geteuid() == 0 else [*command]


def wait_until(holds: Callable[[], object], within: float, what: str) -> None:
    """Returns when it holds; raises after so many seconds."""
    until = time.monotonic() + within
    while not holds():
        if time.monotonic() > until:
            raise AssertionError(f"{what}: not within {within:.0f} s")
        time.sleep(0.05)


class Node:
    """One server of PostgreSQL in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()

    def ask(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """What it answers to a statement."""
        address = f"host=127.0.0.1 port={self.port} user={USER} dbname={database} connect_timeout=2"
        with psycopg.connect(address, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def create(self) -> None:
        """A primary with an empty database, in which a commit is on its disk."""
        run(programs() / "initdb", "-D", self.folder, "-A", "trust", "-U", USER)
        self.start()
        self.ask(f"CREATE DATABASE {NAME}")

    def copy(self, primary: Node) -> None:
        """A standby of that primary, which from now on waits for it with every commit."""
        source = ("-h", "127.0.0.1", "-p", str(primary.port), "-U", USER)
        run(programs() / "pg_basebackup", *source, "-D", self.folder, "-R", "--checkpoint=fast")
        self.start()
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.ask("SELECT pg_reload_conf()")
        waiting = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
        wait_until(lambda: primary.ask(waiting), PATIENCE, "a standby")

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        run(programs() / "pg_ctl", "-D", self.folder, "-o", options, "-l", self.folder / "log", "-w", "start")

    def kill(self) -> None:
        """All its processes at once, as when the power goes."""
        first = int((self.folder / "postmaster.pid").read_text().split()[0])
        children = subprocess.run(["pgrep", "-P", str(first)], stdout=subprocess.PIPE, text=True, check=False)
        for process in (first, *map(int, children.stdout.split())):
            os.kill(process, signal.SIGKILL)

    def restart(self, how: str) -> None:
        """Ends it, "fast" or "immediate" as its own program does or by a "kill", and starts it again."""
        if how == "kill":
            self.kill()
        else:
            run(programs() / "pg_ctl", "-D", self.folder, "-m", how, "-w", "stop")
        # A process that began while the others were killed holds on to their memory until it sees that they are gone.
        wait_until(self._started, PATIENCE, "PostgreSQL’s start")

    def _started(self) -> bool:
        with suppress(subprocess.CalledProcessError):
            self.start()
            return True
        return False

    def promote(self) -> None:
        """Makes a standby the primary, and waits until it takes writes."""
        run(programs() / "pg_ctl", "-D", self.folder, "-w", "promote")

    def stop(self) -> None:
        """Ends it, where it runs."""
        stop = _as_user((programs() / "pg_ctl", "-D", self.folder, "-m", "immediate", "-w", "stop"))
        subprocess.run(stop, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Pooler:
    """pgbouncer, which lends each transaction a connection."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def lead_to(self, node: Node) -> None:
        """Begins, or goes on with that server in place of the one before."""
        file = self.folder / "pgbouncer.ini"
        file.write_text(
            f"[databases]\n{NAME} = host=127.0.0.1 port={node.port} user={USER}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
            f"listen_port = {self.port}\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 10\n"
            f"server_login_retry = 1\nunix_socket_dir = \npidfile = {self.folder / 'pid'}\n"
            "ignore_startup_parameters = extra_float_digits\n")
        if self._process:
            self._signal(signal.SIGHUP)
        else:
            program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
            self._process = subprocess.Popen(_as_user((program, "-q", file)), stderr=subprocess.DEVNULL)
            wait_until(self._answers, PATIENCE, "pgbouncer")

    def _signal(self, number: signal.Signals) -> None:
        os.kill(int((self.folder / "pid").read_text()), number)

    def _answers(self) -> bool:
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """Ends it."""
        if self._process:
            self._signal(signal.SIGTERM)
            self._process.wait(10)
