"""How long others wait while a long campaign comes in by the worker: `python -m bench.importing [ENTRIES]`.

On a new database of SQLite, which has one lock for all that is written, and on one of PostgreSQL where
TEST_POSTGRES_URL leads to a server; both are gone afterwards. Somebody writes a note all the time. Ends with 1 where
one took longer than it may.
"""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import django

from bench.carrying import ROOT, databases, run

ENTRIES = 20_000
MOST_SECONDS = 2.0
KEPT = """
import sys
import django; django.setup()
from accounts.models import User
from campaigns.services.founding import found
from config.importing import services
import uuid
mara = User.objects.create_user("Mara", password=None)
found(user=mara, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
with open(sys.argv[1], "rb") as file:
    services.keep(file, user=mara, owner=mara, by_operator=True)
"""
WRITES = """
import sys, time, uuid
import django; django.setup()
from campaigns.models import Campaign
from campaigns.services import pages
from config.models import Upload
campaign, doing, took, over = Campaign.objects.get(), Upload.objects.get(), [], None
while over is None or time.monotonic() < over + 5:  # the search is laid out afterwards
    doing.refresh_from_db()
    if not doing.is_open and over is None:
        over = time.monotonic()
    begun = time.monotonic()
    pages.write(campaign=campaign, actor=campaign.members.get(), op_id=uuid.uuid4(), title=f"Note {len(took)}",
                words="By candle.", whose="mine")
    took.append(time.monotonic() - begun)
    time.sleep(0.05)
print(doing.state, len(took), max(took), sorted(took)[len(took) // 2])
"""


def main(entries: int) -> bool:
    """Prints what each database came to; answers whether nobody waited for too long."""
    os.environ["DJANGO_SETTINGS_MODULE"], os.environ["SECRET_KEY"] = "config.settings", "only-to-measure"
    django.setup()
    from bench.long_road import write

    well = True
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "in.gz")
        write(file, entries)
        for name, database in databases(Path(folder)):
            well &= _measured(name, database, file, entries)
    return well


def _measured(name: str, database: str, file: Path, entries: int) -> bool:
    run(database, "manage.py", "migrate", "--verbosity", "0")
    run(database, "manage.py", "trials")
    run(database, "-c", KEPT, str(file))
    environment = {**os.environ, "DATABASE_URL": database}
    command = [sys.executable, "-c", WRITES]
    writer = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    run(database, "manage.py", "worker", "--once")
    state, notes, longest, middle = writer.communicate()[0].split()
    print(f"{name}: {entries:,} entries, {file.stat().st_size / 1e6:.1f} MB: {state}. {notes} notes meanwhile, half of "
          f"them in {float(middle) * 1000:.0f} ms, the longest in {float(longest):.2f} s", flush=True)
    return state == "done" and float(longest) <= MOST_SECONDS


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES))
