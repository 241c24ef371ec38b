"""How long a long campaign takes in and out, and how much memory: `python -m bench.carrying [ENTRIES]`.

On a new database of SQLite, and on one of PostgreSQL where TEST_POSTGRES_URL leads to a server; both are gone
afterwards. What comes out has to be what went in, to the byte. Ends with 1 where something is over its budget;
seconds are those of the processor, the process's own, so that what else runs on the machine makes no difference.
"""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = 100_000
MOST_SECONDS, MOST_MEGABYTES = 300, 300  # for each way


def main(entries: int) -> bool:
    """Prints seconds and megabytes of each step; answers whether all of it is within the budget."""
    os.environ["DJANGO_SETTINGS_MODULE"], os.environ["SECRET_KEY"] = "config.settings", "only-to-measure"
    django.setup()
    from bench.long_road import write

    well = True
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, "in.gz"), Path(folder, "out.gz")
        write(file, entries)
        print(f"{entries:,} entries, {file.stat().st_size / 1e6:.0f} MB", flush=True)
        for name, database in databases(Path(folder)):
            run(database, "manage.py", "migrate", "--verbosity", "0")
            run(database, "-c", "import django; django.setup()\nfrom accounts.models import User\n"
                                 "User.objects.create_user('Mara', password=None)")
            well &= _timed(f"{name}, in", database, "manage.py", "import_campaign", str(file), "--owner", "Mara")
            well &= _timed(f"{name}, out", database, "manage.py", "export_campaign", "the-long-road", str(out))
            if out.read_bytes() != file.read_bytes():
                print(f"{name}: what came out is not what went in")
                well = False
            out.unlink()
    return well


def databases(folder: Path) -> Iterator[tuple[str, str]]:
    """One after the other, by name and address."""
    yield "SQLite", f"sqlite:///{folder / 'long.sqlite3'}"
    if server := os.environ.get("TEST_POSTGRES_URL"):
        with _on_server(server) as address:
            yield "PostgreSQL", address


@contextmanager
def _on_server(server: str) -> Iterator[str]:
    from urllib.parse import urlsplit

    import psycopg
    from psycopg import sql

    name = f"bench_long_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _timed(name: str, database: str, *command: str) -> bool:
    begun = time.monotonic()
    process = _start(database, *command)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    seconds, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{name}: {time.monotonic() - begun:.0f} s by the clock, {seconds:.0f} s of its processor, "
          f"{megabytes:.0f} MB", flush=True)
    return status == 0 and seconds <= MOST_SECONDS and megabytes <= MOST_MEGABYTES


def run(database: str, *command: str) -> None:
    """Runs Python with this database to its end; raises `SystemExit` where that fails."""
    if _start(database, *command).wait():
        raise SystemExit(f"{' '.join(command[:2])} failed")


def _start(database: str, *command: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "DATABASE_URL": database}
    return subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment)


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES))
