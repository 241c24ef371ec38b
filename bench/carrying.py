"""How long a long campaign takes out and in, and how much memory: `python -m bench.carrying [ENTRIES]`.

On new SQLite databases, in a folder that is gone afterwards. Every third entry is a roll, the others change a sheet.
"""
from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = 100_000

MAKES = """
import sys, uuid
from django.db import connection, transaction
from accounts.models import User
from campaigns import trail
from campaigns.models import Campaign
from campaigns.services.founding import found
from characters.models import Character
mara = User.objects.create_user("Mara", password=None)
campaign = found(user=mara, op_id=uuid.uuid4(), name="The Long Road", system="pdq")
member = campaign.members.get()
connection.cursor().execute("PRAGMA synchronous=OFF")
with trail.entry(campaign=campaign, actor=member, op_id=uuid.uuid4(), kind="character.create", title="Ilse") as entry:
    ilse = entry.create(Character(campaign=campaign, name="Ilse"))
number = 0
while number < int(sys.argv[1]):
    with transaction.atomic():
        for _ in range(500):
            number += 1
            by = {"campaign": campaign, "actor": member, "op_id": uuid.uuid4()}
            with trail.entry(**by, kind="character.note", title="A line") as entry:
                if number % 3:
                    entry.change(ilse, story=f"Line {number} of what happened on the road, and some more words. " * 5)
                else:
                    entry.roll([6, 6], "5a" * 32)
print(Campaign.objects.get().head_seq)
"""


def main(entries: int) -> None:
    """Prints seconds and megabytes of each step."""
    with tempfile.TemporaryDirectory() as folder:
        here, there, file = Path(folder, "here.sqlite3"), Path(folder, "there.sqlite3"), Path(folder, "file.gz")
        for database in (here, there):
            _run(database, "manage.py", "migrate", "--verbosity", "0")
        _run(here, "-c", "import django; django.setup()\n" + MAKES, str(entries))
        _run(there, "-c", "import django; django.setup()\nfrom accounts.models import User\n"
                          "User.objects.create_user('Mara', password=None)")
        _timed("out", here, "manage.py", "export_campaign", "the-long-road", str(file))
        _timed("in", there, "manage.py", "import_campaign", str(file), "--owner", "Mara")
        print(f"file {file.stat().st_size / 1e6:.0f} MB")


def _timed(name: str, database: Path, *command: str) -> None:
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(database, *command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{name}: {time.monotonic() - begun:.0f} s, {cpu:.0f} s of the processor, "
          f"{after.ru_maxrss / 1024:.0f} MB for the largest process so far", flush=True)


def _run(database: Path, *command: str) -> None:
    own = {"DATABASE_URL": f"sqlite:///{database}", "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, *command], cwd=ROOT, env={**os.environ, **own, "SECRET_KEY": "only-to-measure"},
                   check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES)
