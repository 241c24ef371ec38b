"""What people feel: a real server, tables of five with their live pages open, a roll now and then at each of them.

    python -m bench.tables [TABLES,… [SECONDS]]          1, 8 and 50 tables, half a minute each
    python -m bench.tables 50 600                        the long form

At each table somebody rolls every `PACE` seconds. A roll *all told* is from the press until the last of the other four
has what is new, fetched because the live page said so. A bare page (`bench/bare.py`) is asked for as often. On a new
database of SQLite, and on one of PostgreSQL where TEST_POSTGRES_URL leads to a server. Ends with 1 where one request
was answered otherwise than it should be, or one live page broke off or heard nothing.
"""
from __future__ import annotations

import asyncio
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.carrying import ROOT, databases
from bench.listening import Broken, Browser, listened

TABLES, SECONDS = (1, 8, 50), 30.0
PACE = 10.0  # seconds between two rolls at a table
WITHIN = 15.0  # seconds in which everybody at a table has what is new
SEED = """
import json, sys
import django; django.setup()
from bench.laying import lay_tables
lay_tables()
from bench.site import SEATS, furnish, tray_of
for number in range(int(sys.argv[1])):
    viewer, cookies = furnish(f" of table {number}")
    print(json.dumps({"slug": viewer.campaign.slug, "people": [cookies, *SEATS], "tray": tray_of(viewer)}, default=str))
"""


@dataclass
class Felt:
    """Seconds that each of these took, and what went wrong."""

    bare: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    all_told: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)

    def row(self) -> str:
        """The middle and the slow end of each, in milliseconds."""
        return "".join(f"{_share(times, 50):9.0f}{_share(times, 95):7.0f}" for times in (
            self.bare, self.answers, self.all_told))


def _share(seconds: Sequence[float], percent: int) -> float:
    return 1000 * statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1] if len(seconds) > 1 else 0.0


class Table:
    """Five people, each with the table open; the first of them rolls."""

    def __init__(self, port: int, slug: str, people: list[dict[str, str]], tray: dict[str, Any], felt: Felt) -> None:
        self.slug, self.tray, self.felt = slug, tray, felt
        self.people = [Browser(port, cookies) for cookies in people]
        self.heads = [asyncio.Queue[int]() for _ in people]  # what each live page said

    async def play(self, over: asyncio.Event, first: float) -> None:
        """Comes in its turn, as people do; listens, and rolls every now and then, until it is over."""
        await asyncio.sleep(first / 2)
        listening = [asyncio.create_task(self._listen(number, over)) for number in range(len(self.people))]
        head = max(await asyncio.gather(*(asyncio.wait_for(queue.get(), 60) for queue in self.heads)))
        due = time.monotonic() + first / 2
        while await _not_yet(over, due):
            await self._bare()
            if await _not_yet(over, due + PACE / 2):
                head = await self._roll(head)
            due += PACE
        over.set()
        await asyncio.gather(*listening)

    async def _listen(self, number: int, over: asyncio.Event) -> None:
        while not over.is_set():
            try:
                await listened(self.people[number], f"/c/{self.slug}/live/", self.heads[number], over)
            except (OSError, Broken, EOFError) as error:
                if not over.is_set():
                    self.felt.wrong[f"a live page broke off: {error}"] += 1
                    await asyncio.sleep(1)

    async def _bare(self) -> None:
        begun = time.monotonic()
        await self._ask(self.people[0], "GET", "/bare/")
        self.felt.bare.append(time.monotonic() - begun)

    async def _roll(self, head: int) -> int:
        begun = time.monotonic()
        form = {**self.tray, "op_id": str(uuid.uuid4()), "client_seed": secrets.token_hex(32)}
        await self._ask(self.people[0], "POST", f"/c/{self.slug}/roll/?since={head}&opened=", form)
        self.felt.answers.append(time.monotonic() - begun)
        others = range(1, len(self.people))
        try:
            async with asyncio.timeout(WITHIN):
                news = await asyncio.gather(
                    self._keeps(head), *(self._hears(number, head) for number in others))
        except TimeoutError:
            self.felt.wrong["nothing was heard of a roll"] += 1
            return head
        self.felt.all_told.append(time.monotonic() - begun)
        return max(news)

    async def _keeps(self, head: int) -> int:
        """The roller's browser keeps the entry that was written."""
        answer = await self._ask(self.people[0], "GET", f"/c/{self.slug}/ledger/since/{head}/")
        return int(json.loads(answer)["head"]["seq"]) if answer else head

    async def _hears(self, number: int, head: int) -> int:
        """Somebody else's live page says that there is news, and they fetch it."""
        while (now := await self.heads[number].get()) <= head:
            pass
        await self._ask(self.people[number], "GET", f"/c/{self.slug}/feed/?since={head}", by_htmx=True)
        return now

    async def _ask(
        self, who: Browser, method: str, path: str, form: dict[str, Any] | None = None, *, by_htmx: bool = False,
    ) -> bytes:
        try:
            status, answer = await who.ask(method, path, form, by_htmx=by_htmx or form is not None)
        except (OSError, EOFError, Broken) as error:
            self.felt.wrong[type(error).__name__] += 1
            return b""
        if status != 200:
            self.felt.wrong[f"{method} {path.replace(self.slug, '…').partition('?')[0]}: {status}"] += 1
        return answer


async def _not_yet(over: asyncio.Event, due: float) -> bool:
    """Waits until a moment; False where it is over before."""
    try:
        async with asyncio.timeout(max(0, due - time.monotonic())):
            await over.wait()
    except TimeoutError:
        return True
    return False


async def played(port: int, tables: list[dict[str, Any]], seconds: float) -> Felt:
    """So many seconds at these tables, which begin one after the other."""
    felt, over = Felt(), asyncio.Event()
    every = [Table(port, **table, felt=felt) for table in tables]
    playing = [asyncio.create_task(table.play(over, PACE * number / len(every))) for number, table in enumerate(every)]
    begun = time.monotonic()
    while (left := seconds - (time.monotonic() - begun)) > 0:
        done, _ = await asyncio.wait(playing, timeout=min(60, left))
        if done:
            break
        if left > 60:
            print(f"  {time.monotonic() - begun:.0f} of {seconds:.0f} s, {len(felt.all_told):,} rolls, "
                  f"{felt.wrong.total():,} errors", flush=True)
    over.set()
    for failed in await asyncio.gather(*playing, return_exceptions=True):
        if failed:
            felt.wrong[f"{type(failed).__name__}: {failed}"] += 1
    return felt


def main(counts: Sequence[int], seconds: float) -> bool:
    """Prints a line for each number of tables; answers whether nothing went wrong."""
    well = True
    print(f"{'milliseconds (50 %, 95 %)':26}{'bare page':>16}{'roll’s answer':>16}{'roll all told':>16}"
          f"{'of a core':>12}{'MB':>6}{'rolls':>7}{'errors':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, database in databases(Path(folder)):
            environment = {**os.environ, "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "bench.settings",
                           "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "LOG_REQUESTS": "false"}
            laid = subprocess.run([sys.executable, "-c", SEED, str(max(counts))], cwd=ROOT, env=environment, check=True,
                                  stdout=subprocess.PIPE, text=True)
            tables = [json.loads(line) for line in laid.stdout.splitlines()]
            for count in counts:
                well &= _measured(f"{name}, {count} tables", environment, tables[:count], seconds)
    return well


def _measured(name: str, environment: dict[str, str], tables: list[dict[str, Any]], seconds: float) -> bool:
    """One server, from its start to its end."""
    server = subprocess.Popen([sys.executable, "-u", "-m", "config.serve"], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                              env={**environment, "HOST": "127.0.0.1", "PORT": "0", "CONNECTIONS_PER_ADDRESS": "2000"})
    assert server.stdout
    port = int(server.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0])
    begun = time.monotonic()
    try:
        felt = asyncio.run(played(port, tables, seconds))
        took = time.monotonic() - begun
    finally:
        server.terminate()
        _, _, used = os.wait4(server.pid, 0)
        server.returncode = 0
    print(f"{name:26}{felt.row()}{(used.ru_utime + used.ru_stime) / took:12.2f}{used.ru_maxrss / 1024:6.0f}"
          f"{len(felt.all_told):7,}{felt.wrong.total():8,}", flush=True)
    for what, times in felt.wrong.most_common(10):
        print(f"  {times:,} times: {what}")
    return not felt.wrong and bool(felt.all_told)


if __name__ == "__main__":
    asked = sys.argv[1].split(",") if len(sys.argv) > 1 else TABLES
    sys.exit(not main([int(count) for count in asked], float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS))
