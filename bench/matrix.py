"""How soon the first row of a large matrix is painted in a browser: `python -m bench.matrix [ROUNDS] [GAME …]`.

Twelve characters by sixty obstacles, no two equally hard; the real server on a SQLite database of its own. Each
round starts the server, opens a page with nothing to count, and then the matrix twice: as it is counted for the first
time, and again. Times run from the start of the navigation until the row is painted; the least of all rounds is what it
costs, the others are what else the machine had to do. Beside them the server's own processor time, and how many plain
pages that is.
"""
from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROUNDS, HEROES, OBSTACLES, NPCS, WANTED = 5, 12, 60, 2, 300
KINDS = ("a plain page", "first time", "again")
# The frame after the one in which the row stood there for the first time: by then it is painted.
PAINTED = """window.painted = new Promise((resolve) => {
  const look = () => requestAnimationFrame(document.querySelector("table.matrix tbody tr") ? last : look);
  const last = () => requestAnimationFrame(() => resolve(performance.now()));
  look();
})"""
@dataclass(frozen=True)
class Took:
    """One page: milliseconds until its first row was painted (or all of it was read), and of the server's processor."""

    wall: float
    processor: float


def processor(pid: int) -> float:
    """Milliseconds that a process has had a processor for, all its threads together."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6


def opened(page: Page, pid: int, address: str, rows: bool) -> Took:
    """Opens a page, and waits for its first row, where it has `rows`."""
    begun = processor(pid)
    page.goto(address, wait_until="domcontentloaded")
    wall = page.evaluate("window.painted" if rows else
                         "performance.getEntriesByType('navigation')[0].domContentLoadedEventStart")
    return Took(wall, processor(pid) - begun)


@contextmanager
def guest(browser: Browser, url: str, session: str, desk: str) -> Iterator[Page]:
    """A GM's browser that has the style sheets already, as the server has its templates: somebody has been here."""
    context = browser.new_context(base_url=url, viewport={"width": 1280, "height": 900}, service_workers="block")
    context.add_cookies([{"name": "sessionid", "value": session, "url": url}])
    page = context.new_page()
    page.goto(f"{desk}plan/", wait_until="networkidle")
    page.add_init_script(PAINTED)
    yield page
    context.close()


def measured(server: Any, browser: Browser, laid: dict[str, Any], rounds: int) -> dict[str, list[Took]]:
    """Each page of each round."""
    took: dict[str, list[Took]] = {kind: [] for kind in KINDS}
    desk = f"{laid['address']}prepare/"
    for _ in range(rounds):
        server.start()
        with guest(browser, server.url, laid["cookies"]["Alice"], desk) as page:
            for kind in KINDS:
                rows = kind != KINDS[0]
                took[kind].append(opened(page, server.pid, f"{desk}matrix/" if rows else f"{desk}plan/", rows))
                page.wait_for_load_state("networkidle")
        server.stop()
    return took


def main(rounds: int, games: list[str]) -> None:
    """Prints a line for each game and kind of page."""
    from rules.registry import SYSTEMS

    chromium, serving = (import_module(f"tests.browser.{name}") for name in ("chromium", "serving"))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver, ExitStack() as ends:
        server = serving.set_up(Path(folder))
        browser = driver.chromium.launch(**chromium.launched_with())
        ends.callback(server.stop)
        desks = {game: server.lay("desk", game, HEROES, OBSTACLES, NPCS) for game in games or SYSTEMS}
        print(f"{'':28}{'painted':>10}{'all of them':>36}{'processor':>14}{'ratio':>8}")
        for game, laid in desks.items():
            took = measured(server, browser, laid, rounds)
            plain = min(page.processor for page in took[KINDS[0]])
            for kind, pages in took.items():
                walls, spent = sorted(page.wall for page in pages), min(page.processor for page in pages)
                over = "" if walls[0] <= WANTED else f"  over {WANTED}"
                print(f"{game + ', ' + kind:28}{walls[0]:7.0f} ms{', '.join(f'{wall:.0f}' for wall in walls):>36}"
                      f"{spent:11.1f} ms{spent / plain:8.2f}{over}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS, sys.argv[2:])
