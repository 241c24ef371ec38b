"""Whether pages stay as quick as they were, however long a campaign is: `python -m bench.flat [ENTRIES]`.

Two campaigns of one server, of 1,000 and of 100,000 entries, each its owner's only one; each page is asked for in turn.
On a new database of SQLite, and on one of PostgreSQL where TEST_POSTGRES_URL leads to a server. Prints the processor's
time of each page, with what PostgreSQL's own process took for it. Ends with 1 where one takes more than `MOST` times as
long. `DATABASE_URL=… python -m bench.flat there` measures those that are on a server already, by their lengths.
"""
from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.carrying import ROOT, databases

SHORT, LONG = 1_000, 100_000
MOST = 1.2
WHOLE = {"export", "receipts", "verify", "old_export", "old_verify"}  # what is the whole trail, as a file or as a sum
WARM, ROUNDS = 3, 25


def main(entries: int) -> bool:
    """On both databases; answers whether all pages are flat."""
    well = True
    with tempfile.TemporaryDirectory() as folder:
        for name, database in databases(Path(folder)):
            print(name, flush=True)
            environment = {**os.environ, "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "bench.settings"}
            for command in (["lay", str(SHORT), folder], ["lay", str(entries), folder], ["there"]):
                own = [sys.executable, "-m", "bench.flat", *command]
                well &= subprocess.run(own, cwd=ROOT, env=environment, check=False).returncode == 0
    return well


def lay(entries: int, folder: str) -> None:
    """Imports a campaign of so many entries, of an owner of its own."""
    from django.core.management import call_command

    from accounts.models import User
    from bench import long_road
    from bench.laying import lay_tables

    lay_tables()
    User.objects.create_user(f"Mara{entries}", password=None)
    long_road.another(str(entries))
    file = Path(folder, f"{entries}.gz")
    if not file.exists():
        long_road.write(file, entries)
    call_command("import_campaign", str(file), owner=f"Mara{entries}", verbosity=0)


def measured() -> bool:
    """The shortest and the longest campaign of the database, page by page; answers whether none is much slower."""
    from bench.__main__ import sender
    from bench.site import Case, Request, cookies_of
    from campaigns.models import Campaign, Role

    campaigns = list(Campaign.objects.order_by("head_seq"))
    ends = {campaign.head_seq: campaign for campaign in (campaigns[0], campaigns[-1])}
    runs: dict[tuple[str, int], Callable[[], int]] = {}
    for length, campaign in ends.items():
        cookies = cookies_of(campaign.members.get(role=Role.OWNER, active=True).user)
        for name, (path, query) in pages(campaign).items():
            def asked(path: str = path, query: str = query) -> Request:
                return Request("GET", path, query=query)
            runs[name, length] = sender(Case(name, "", asked), cookies)
    times: dict[tuple[str, int], list[float]] = {key: [] for key in runs}
    for turn in range(WARM + ROUNDS):
        for key, run in runs.items():
            begun = spent()
            run()
            if turn >= WARM:
                times[key].append(spent() - begun)
    return _told(times, *ends)


def _told(times: dict[tuple[str, int], list[float]], short: int, long: int) -> bool:
    well = True
    print(f"{'milliseconds (25 %)':28}{short:>12,}{long:>12,}{'ratio':>8}")
    for name in dict.fromkeys(name for name, _ in times):
        # The quick quarter is what the code costs.
        first, last = (statistics.quantiles(times[name, length], n=4)[0] for length in (short, long))
        print(f"{name:28}{1000 * first:12.1f}{1000 * last:12.1f}{last / first:8.2f}", flush=True)
        well &= last / first <= MOST
    return well


def pages(campaign: Any) -> dict[str, tuple[str, str]]:
    """Address and query of each page."""
    from django.urls import reverse

    from characters.models import Character

    slug, sheet, end = campaign.slug, Character.objects.filter(campaign=campaign).earliest("name"), campaign.head_seq

    def at(name: str, *rest: Any, query: str = "") -> tuple[str, str]:
        return reverse(name, args=[slug, *rest]), query

    return {
        "Home": ("/", ""), "table": at("table"), "sheet": at("sheet", sheet.pk),
        "sheet, as of an early entry": at("sheet_as_of", sheet.pk, 4),
        "sheet, as of a late entry": at("sheet_as_of", sheet.pk, end - 2),
        "search, a word of each entry": at("search", query="q=roll"),
        "search, no such word": at("search", query="q=xylo"),
        "Ledger": at("ledger"), "Ledger, in the middle": at("ledger", query=f"before={end // 2}"),
        "an entry": at("entry", end // 2), "Ledger, a rare kind": at("ledger", query="kind=people"),
        "Ledger, no such kind": at("ledger", query="kind=undone"),
        "Ledger, a character": at("ledger", query=f"character={sheet.pk}"),
        **{name: (address, "") for name, address in _others(campaign, sheet.pk)},
    }


def _others(campaign: Any, sheet: Any) -> Iterator[tuple[str, str]]:
    """All other pages of a campaign that can be named by it, its sheet and an entry; not what gives the whole trail."""
    from django.test import Client
    from django.urls import reverse

    from campaigns.models import Role

    client = Client(SERVER_NAME="localhost")
    client.force_login(campaign.members.get(role=Role.OWNER, active=True).user)
    named = {"slug": campaign.slug, "character_id": sheet, "seq": campaign.head_seq // 2}
    for name, needed in routes():
        if "slug" in needed and set(needed) <= set(named) and name not in (*WHOLE, "table", "sheet", "ledger", "entry"):
            address = reverse(name, kwargs={part: named[part] for part in needed})
            if client.get(address).status_code == 200:
                yield name, address


def routes(resolver: Any = None, parts: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every route that has a name, and what stands in its address."""
    from django.urls import get_resolver

    for pattern in (resolver or get_resolver()).url_patterns:
        within = (*parts, *pattern.pattern.converters)
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern, within)
        elif pattern.name:
            yield pattern.name, within


def spent() -> float:
    """Seconds of the processor until now: of this process, and of PostgreSQL's that serves it."""
    from django.db import connection

    own = time.process_time()
    if connection.vendor != "postgresql":
        return own
    connection.ensure_connection()
    # In nanoseconds; the times in `stat` are hundredths of a second.
    return own + int(Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()[0]) / 1e9


if __name__ == "__main__":
    asked = sys.argv[1] if len(sys.argv) > 1 else str(LONG)
    if asked not in ("lay", "there"):
        sys.exit(not main(int(asked)))
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.settings")
    warnings.filterwarnings("ignore", "No directory at")  # static files are not collected
    django.setup()
    if asked == "lay":
        lay(int(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(not measured())
