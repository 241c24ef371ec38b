"""Everything for hours, part by part: `python -m tests.torture [PART …]`; `--list` names the parts.

Each part's last line, with the day, how long it took and how it ended, is added to `build/torture.md`, so that a run
that was stopped goes on with the parts that are left. What a part says on its way goes to `build/torture/<part>.txt`.
"""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from tests.databases import ROOT

SQLITE = "sqlite://:memory:"
POSTGRESQL = os.environ.get("TEST_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/postgres")
SAID = 60.0  # seconds between two words of how far a part is
RESULTS = ROOT / "build" / "torture.md"


@dataclass(frozen=True)
class Part:
    """A command, on which database, and a program that it needs."""

    name: str
    command: tuple[str, ...]
    database: str = SQLITE
    needs: str = ""
    more: dict[str, str] = field(default_factory=dict)

    @property
    def is_there(self) -> bool:
        """Whether the program that it needs is."""
        return not self.needs or os.access(self.needs, os.X_OK)


def _module(name: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", name, *arguments)


# Each test has a line, so that how far it is can be told.
LINES = ("-n", "2", "-o", "addopts=-v --tb=short --strict-markers --import-mode=importlib")
# Each test, tried as often as in the gate, but for the rules', which have no database.
EACH = _module("pytest", "-n", "3", "--ignore=tests/rules", "tests")
AS_IN_THE_GATE = {"LONG": "", "ALL": "1"}
SERIALIZABLE = {"PGOPTIONS": "-c default_transaction_isolation=serializable"}
BROWSER = ("-n", "3", "-o", "addopts=-q --tb=short --strict-markers --import-mode=importlib", "tests/browser")
PARTS = (
    Part("tests on SQLite", _module("pytest", "-n", "3", "tests")),
    Part("rows backwards", EACH, more={**AS_IN_THE_GATE, "REVERSED": "1"}),
    Part("tests on PostgreSQL", EACH, POSTGRESQL, more=AS_IN_THE_GATE),
    Part("tests as SERIALIZABLE", EACH, POSTGRESQL, more={**AS_IN_THE_GATE, **SERIALIZABLE}),
    Part("browsers", _module("pytest", *BROWSER)),
    Part("100,000 requests that mean no well", _module("pytest", *LINES, "tests/test_fuzzed.py")),
    Part("2,000 walks", _module("pytest", *LINES, "tests/play/test_walks.py")),
    Part("writes that fail", _module("tests.clusters.writes")),
    Part("PostgreSQL restarted", _module("tests.clusters.restarts")),
    Part("50 tables for ten minutes", _module("bench.tables", "50", "600"), more={"TEST_POSTGRES_URL": POSTGRESQL}),
    Part("kills on SQLite", _module("tests.clusters.kills")),
    Part("kills on PostgreSQL", _module("tests.clusters.kills"), POSTGRESQL),
    Part("restores on SQLite", _module("tests.clusters.restores")),
    Part("restores on PostgreSQL", _module("tests.clusters.restores"), POSTGRESQL),
    Part("a primary that dies", _module("tests.clusters.failover"), needs="/usr/sbin/pgbouncer"),
)


def play(part: Part, results: Path = RESULTS) -> bool:
    """One part, to its end; answers whether it ended well. What is stopped is written down as that."""
    folder = results.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    said, begun, ended = folder / f"{part.name.replace(' ', '-')}.txt", time.monotonic(), "stopped"
    if not part.is_there:
        _add(results, part, 0, "left out", f"It needs {part.needs}.")
        return True
    try:
        with said.open("w") as out:
            environment = {**os.environ, "LONG": "1", "DATABASE_URL": part.database, **part.more}
            running = subprocess.Popen(part.command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
            try:
                _wait(running, part, said, begun)
            finally:
                running.terminate()
                running.wait()
        ended = "well" if running.returncode == 0 else f"status {running.returncode}"
    finally:
        _add(results, part, time.monotonic() - begun, ended, _last(said))
    return ended == "well"


def _wait(running: subprocess.Popen[bytes], part: Part, said: Path, begun: float) -> None:
    while running.poll() is None:
        try:
            running.wait(SAID)
        except subprocess.TimeoutExpired:
            print(f"{part.name}, {(time.monotonic() - begun) / 60:.0f} min: {_last(said)}", flush=True)


def _last(said: Path) -> str:
    """The last line that was said."""
    lines = said.read_text(errors="replace").split("\n") if said.exists() else []
    return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "")


def _add(results: Path, part: Part, took: float, ended: str, last: str) -> None:
    line = f"- {datetime.now().astimezone():%d %b %Y %H:%M} · {part.name} · {took / 60:.1f} min · {ended} · {last}\n"
    with results.open("a") as file:
        file.write(line)
    print(line, end="", flush=True)


def chosen(names: Sequence[str], parts: Sequence[Part] = PARTS) -> list[Part]:
    """The parts of these names, all without one; raises `SystemExit` for a name of none."""
    known = {part.name: part for part in parts}
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"There is no part {unknown[0]!r}. There are: {', '.join(known)}.")
    return [known[name] for name in names] or list(parts)


def main(names: Sequence[str]) -> bool:
    """Plays them; answers whether all ended well. Stopped, by Ctrl-C or SIGTERM, it waits until its part has said what
    came of it until then."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if "--list" in names:
        print("\n".join(part.name for part in PARTS))
        return True
    try:
        ended = [play(part) for part in chosen(names)]
    except KeyboardInterrupt:
        return False
    return all(ended)


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1:]))
