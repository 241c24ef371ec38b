"""What people do here, through the browser; each is at its page already, or goes there by its links."""
from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from playwright.sync_api import Locator, Page, expect

PASSWORD = "a lantern over the ledger"
_numbers = count(1)


def unique(name: str) -> str:
    """A name that no other test has."""
    return f"{name}{next(_numbers)}"


def sign_up(page: Page, name: str, address: str = "/sign-up/") -> None:
    """Makes an account, and is logged in."""
    page.goto(address)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The same password again").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Sign up")).to_have_count(0)


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    """Logs in, from the welcome page."""
    page.goto("/")
    page.get_by_role("main").get_by_role("link", name="Log in").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Your campaigns")).to_be_visible()


def sign_up_by_the_link(page: Page, link: str, name: str) -> None:
    """Follows an invitation without an account, signs up, comes back, joins."""
    page.goto(link)
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    sign_up(page, name, page.url)
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/c/**")


def found(page: Page, name: str, system: str = "pdq") -> str:
    """Founds a campaign of a game; answers its address."""
    page.goto("/")
    page.get_by_role("main").get_by_role("link", name="New campaign").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.locator(f"input[name=system][value={system}]").check()
    page.get_by_role("button", name="Create campaign").click()
    page.wait_for_url("**/c/**")
    place = re.match(r".*/c/[^/]+/", page.url)
    assert place, page.url
    return place[0]


def invite(page: Page, campaign: str) -> str:
    """Makes a link for one player; answers its address."""
    page.goto(f"{campaign}people/")
    page.get_by_role("link", name="Invite by link").first.click()
    page.get_by_role("button", name="Create link").click()
    return page.get_by_label("Address").input_value()


def write_line(page: Page, kind: str, number: int, name: str, rank: str = "") -> Locator:
    """Fills a line of the builder."""
    line = page.get_by_role("group", name=f"{kind} {number}", exact=True)
    line.get_by_role("textbox").first.fill(name)
    if rank:
        line.get_by_role("combobox").select_option(label=rank)
    return line


def make_character(page: Page, campaign: str, name: str, *, strengths: tuple[str, ...], weakness: str) -> str:
    """A character of Expert strengths and a weakness, made in the builder; answers the sheet's address."""
    page.goto(f"{campaign}characters/new/")
    page.locator("#builder [name=name]").fill(name)
    if (part := page.locator("#builder [name=part]")).count():  # a GM's would be hidden otherwise
        part.select_option("nobody")
    for number, strength in enumerate(strengths, 1):
        if not page.get_by_role("group", name=f"Strength {number}", exact=True).count():
            page.get_by_role("button", name="Add strength").click()
        write_line(page, "Strength", number, strength, "Expert [+4]")
    write_line(page, "Weakness", 1, weakness)
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    return page.url


def make_npc(page: Page, campaign: str, line: str) -> None:
    """An NPC from one line, whom the players see."""
    page.goto(f"{campaign}characters/quick/")
    page.locator("[name=line]").fill(line)
    page.get_by_label("Hidden from players").uncheck()
    page.get_by_role("button", name="Add NPC").click()
    page.wait_for_url(re.compile(r"/characters/(?!quick)"))


def open_session(page: Page, campaign: str, title: str = "The first session") -> None:
    """Opens a session, and is at the table afterwards."""
    page.goto(f"{campaign}chronicle/")
    if not page.get_by_label("Its name").is_visible():
        page.get_by_text("Open a session").click()
    page.get_by_label("Its name").fill(title)
    page.get_by_role("button", name="Open the session").click()
    page.goto(campaign)


def set_scene(page: Page, campaign: str, title: str, *names: str) -> None:
    """Sets a scene with these characters; afterwards at the table."""
    page.goto(f"{campaign}scene/open/")
    page.get_by_label("Scene title").fill(title)
    for name in names:
        page.get_by_role("group", name="Characters").get_by_label(name).check()
    page.get_by_role("button", name="Open the scene").click()
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()


def put_obstacle(page: Page, campaign: str, name: str, difficulty: str) -> None:
    """The GM puts something in the way, on the scene that is on."""
    page.goto(f"{campaign}obstacles/put/")
    page.get_by_label("Obstacle").fill(name)
    page.locator("[name=difficulty]").select_option(difficulty)
    page.get_by_role("button", name="Add to the scene").click()


def from_the_menu(page: Page, choice: Locator) -> None:
    """Follows a link of the table; one that is folded into the menu at the scene's title is unfolded first."""
    shown = choice.locator("visible=true")
    if not shown.count():
        page.locator("details.menu > summary").click()
    shown.first.click()


def at_its_card(page: Page) -> str:
    """Waits until a contest that was begun stands on the table, with focus on it; answers its own page's address."""
    page.wait_for_url("**/?contest=*#contest")
    expect(page.locator("#contest")).to_be_focused()
    table, _, card = page.url.partition("?contest=")
    return f"{table}contests/{card.partition('#')[0]}/"


def say(tray: Locator, words: str) -> None:
    """Types what is tried; the field is unfolded first, once more where another sheet came under the press."""
    field = tray.get_by_label("What do you try?")
    for _ in range(3):
        if not field.is_visible():
            tray.get_by_text("More options", exact=True).click()
            tray.page.wait_for_timeout(100)
    field.fill(words)


def tray(page: Page) -> Locator:
    """The roll tray."""
    return page.locator("#tray")


def ledger(page: Page) -> Locator:
    """The entries of the page that is open, newest first."""
    return page.locator(".ledger > .entry")


def check_the_chain(page: Page, campaign: str) -> None:
    """Checks the Ledger from its page; it is sound."""
    page.goto(f"{campaign}ledger/")
    page.get_by_role("link", name="Verify the Ledger").click()
    page.get_by_role("button", name=re.compile("Verify all")).click()
    expect(page.get_by_text(re.compile(r"The Ledger is sound: \d+ entries"))).to_be_visible()


def at_an_open_table(page: Page, address: str) -> None:
    """Goes to a table, and waits until its stream is open and it shows all that has happened."""
    page.goto(address)
    page.wait_for_function("() => window.streams")
    caught_up(page)


def caught_up(page: Page) -> None:
    """Waits until an open table shows all that has happened: what follows is asked for by no earlier move."""
    page.wait_for_function("""async () => {
      const head = await (await fetch(document.getElementById("now").dataset.head)).text();
      return Number(document.getElementById("since").value) >= Number(head);
    }""")


def is_asked(page: Page, campaign: str) -> bool:
    """Whether a contest asks whoever sits there for something: asked without a page, which takes long to draw."""
    return bool(re.search(r'<li data-of="', page.request.get(f"{campaign}now/").text()))


def turn_of(page: Page, contest: str) -> int:
    """The turn of a duel, 0 when one side is left; asked without drawing its page."""
    turn = re.search(r'class="chip[^"]*">Turn (\d+)', page.request.get(contest).text())
    return int(turn[1]) if turn else 0


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """Waits until what is pressed in it is answered: by a page, or at a table that stands open."""
    page.wait_for_load_state()
    page.evaluate("""() => {
      const root = document.documentElement;
      root.dataset.waits = "";
      document.addEventListener("press:answered", () => { delete root.dataset.waits; }, { once: true });
    }""")
    yield
    page.wait_for_function("() => document.body && !('waits' in document.documentElement.dataset)")
    page.wait_for_load_state()
