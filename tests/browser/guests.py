"""People with a browser: whatever goes wrong in it is remembered, and fails the test."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request, Response

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SCREENS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": DESK}, "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True}}
# The site's worker keeps pages while others are tested, which takes time: who wants it says "allow".
USUAL = {"reduced_motion": "reduce", "service_workers": "block"}
SMALL = "/worker.js"  # little to read and nothing to draw; a browser that stays at the site keeps its process
STREAMS = "document.addEventListener('stream:open', () => { window.streams = true; })"


@dataclass
class Guest:
    """A browser of somebody's own. `expected` are answers that are meant: (status, part of the address)."""

    context: BrowserContext
    page: Page
    faults: list[str] = field(default_factory=list)
    expected: list[tuple[int, str]] = field(default_factory=list)
    away: bool = False  # the network is off, or the server gone, and the test means it
    of: str = ""  # the kind of screen, where the browser is like any other of its kind

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

    def forget(self) -> None:
        """Makes of it a browser in which nobody has been: only the site's scripts and styles are still kept."""
        for more in self.context.pages:
            if more is not self.page:
                more.close()
        self.context.set_offline(False)
        self.context.unroute_all()
        self.page.unroute_all()
        self.page.goto(SMALL)
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.context.clear_cookies()
        self.page.emulate_media(media="null", color_scheme="null")
        self.page.set_viewport_size(SCREENS[self.of]["viewport"])
        self.faults, self.expected, self.away = [], [], False

    def _said(self, message: ConsoleMessage) -> None:
        # What is said of an answer is judged where the answer comes in, and whoever leaves may drop what was coming.
        known = ("Failed to load resource", "htmx:afterRequest", "htmx:sendAbort")
        twice = "duplicate ids" in message.text  # what a morph warns of: an id is on the page twice
        if twice or (message.type == "error" and not message.text.startswith(known) and not self.away):
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


class Guests:
    """Lets people in, with the browser of somebody who has left where there is one: to start another takes longer than
    to open a page."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._left: dict[str, list[Guest]] = defaultdict(list)
        self.share = True  # not where a test puts something into a browser that can't be taken out

    def enter(self, screen: str, **more: Any) -> Guest:
        """Somebody at this kind of screen. `more` is what the browser's context is given besides: it is a new one then,
        but where `viewport` or `storage_state` is all."""
        usual = self.share and not set(more) - {"viewport", "storage_state"}
        if usual and self._left[screen]:
            guest = self._left[screen].pop()
            if "viewport" in more:
                guest.page.set_viewport_size(more["viewport"])
            if "storage_state" in more:
                guest.context.add_cookies(more["storage_state"]["cookies"])
            return guest
        context = self._browser.new_context(base_url=self._url, **{**USUAL, **SCREENS[screen], **more})
        context.set_default_timeout(20_000)
        context.add_init_script(STREAMS)
        guest = Guest(context, context.new_page(), of=screen if usual else "")
        guest.watch()
        return guest

    def leave(self, guest: Guest) -> None:
        """Their browser is the next one's, if it can forget them."""
        try:
            if guest.of:
                guest.forget()
                self._left[guest.of].append(guest)
                return
        except Error:  # it is closed, or has come to harm
            pass
        guest.context.close()


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
