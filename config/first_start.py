"""Everything before a server can start, done once and then only looked at: `python -m config.first_start`.

An `.env` with a secret of its own, the database's tables, the static files, and a sample campaign where there is none.
Of two that start at once one does it, and the other waits: on one machine, and before one PostgreSQL.
"""
from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.utils import get_random_secret_key

from config.serve import or_one_line, set_up

BASE_DIR = Path(__file__).resolve().parent.parent


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Inside is one process of this machine at a time."""
    folder.mkdir(exist_ok=True)
    with (folder / ".start.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.stdout.write("Another start is setting things up. Waiting for it.\n")
            sys.stdout.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_env(path: Path) -> bool:
    """Writes a file with a new secret key, readable by its owner only; answers False when there is one already."""
    if path.exists():
        return False
    path.touch(mode=0o600)
    # Single quotes, and none of the signs that the file's reader would take for more than themselves.
    key = "".join(sign for sign in get_random_secret_key() + get_random_secret_key() if sign.isalnum())
    path.write_text(f"# Settings of this machine; docs/operating.md lists what can be set here.\nSECRET_KEY='{key}'\n")
    return True


def prepare() -> None:
    """Brings database and static files up to date."""
    set_up(collected=False)
    from campaigns.models import Campaign
    from config.one_at_a_time import one_at_a_time
    from config.trials import files

    with one_at_a_time():
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        if settings.TRIALS:
            files.prepare()
        if "sample" in get_commands() and not Campaign.objects.exists():
            call_command("sample")


def begin() -> None:
    """All of it."""
    with alone(BASE_DIR / "data"):
        if "SECRET_KEY" not in os.environ and "SECRET_KEY_FILE" not in os.environ and write_env(BASE_DIR / ".env"):
            sys.stdout.write("A secret key was made and written to .env.\n")
        prepare()


if __name__ == "__main__":
    sys.exit(or_one_line(begin))
