"""People with a browser: whatever goes wrong in it is remembered, and fails the test."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@dataclass
class Guest:
    """A browser of somebody's own. `expected` are answers that are meant: (status, part of the address)."""

    context: BrowserContext
    page: Page
    faults: list[str] = field(default_factory=list)
    expected: list[tuple[int, str]] = field(default_factory=list)
    away: bool = False  # the network is off, or the server gone, and the test means it

    def watch(self) -> None:
        """Begins to remember what goes wrong."""
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self.faults.append(f"error in the page: {error.error}"))
        self.context.on("requestfailed", self._failed)
        self.context.on("response", self._answered)

    def expect(self, status: int, part: str) -> None:
        """From here on such an answer is no fault."""
        self.expected.append((status, part))

    def open(self, address: str) -> None:
        """Goes to an address of the site."""
        self.page.goto(address)

    def _said(self, message: ConsoleMessage) -> None:
        # What is said of an answer is judged where the answer comes in, and whoever leaves may drop what was coming.
        known = ("Failed to load resource", "htmx:afterRequest", "htmx:sendAbort")
        if message.type == "error" and not message.text.startswith(known) and not self.away:
            self.faults.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        # A page that is left drops its stream and what it was just fetching.
        if request.failure != "net::ERR_ABORTED" and not self.away:
            self.faults.append(f"{request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if "csrfmiddlewaretoken=" in response.url:
            self.faults.append(f"a token in an address: {response.url}")
        if response.status < 400:
            return
        if not any(response.status == status and part in response.url for status, part in self.expected):
            self.faults.append(f"{response.request.method} {response.url}: {response.status}")


def overflow(page: Page) -> list[str]:
    """What reaches over the page's right edge; empty where the page fits.

    A phone zooms out of what is too wide, and every other width grows along: the screen's stays.
    """
    wide: Any = page.evaluate("""() => {
      const root = document.documentElement;
      const width = Math.min(root.clientWidth, screen.width);
      if (root.scrollWidth <= width) return [];
      const wide = [...document.querySelectorAll("body *")].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width && box.right > width + 1;
      });
      return [`${root.scrollWidth} > ${width}`, ...wide.slice(0, 8).map((each) =>
        `${each.tagName.toLowerCase()}.${each.className} to ${Math.round(each.getBoundingClientRect().right)}: ` +
        each.textContent.trim().slice(0, 40))];
    }""")
    return list(wide)
