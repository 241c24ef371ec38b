"""An evening is prepared: three scenes, five NPCs, six obstacles at a desk, one more of each step on a phone."""
from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.guests import Guest, overflow
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps
from tests.gate import seldom

NPCS = ("Gate guard, Spear good, Bored poor, #gate", "2 squads of 4 bandits, good, #wild",
        "Fence, Knows the price expert, #town", "Captain Vey, Sabre expert, Proud poor, #gate")
OBSTACLES = ("A locked door, good", "The swollen river, expert", "Any guard’s eyes, average", "The moot, 13",
             "A tide race, master", "Wet planks, good")
SCENES = {
    "The salt store": ("Gate guard", "A locked door", "Any guard’s eyes"),
    "The moot": ("Fence", "The moot"),
    "The lamp bridge": ("Captain Vey", "Bandits 1", "A tide race", "Wet planks", "The bell rings at dusk"),
}


def prepared(page: Page, campaign: str, count: Taps) -> None:
    """Everything from pasted lines, read before it is added."""
    page.goto(f"{campaign}prepare/")
    count.tap(page.get_by_role("link", name="Paste several lines"))
    lines = (*NPCS, *(f"Resistance: {obstacle}" for obstacle in OBSTACLES))
    page.get_by_label("One thing a line").fill("\n".join(lines))
    count.tap(page.get_by_role("button", name="Show what is understood"))
    expect(page.get_by_text("Sabre Expert [+4]")).to_be_visible()
    count.tap(page.get_by_role("button", name="Add all 10"))
    expect(page.get_by_text("11 prepared")).to_be_visible()


def planned(page: Page, campaign: str, count: Taps) -> int:
    """Three scenes with who is there and what stands in the way; answers how many fields were typed."""
    page.goto(f"{campaign}prepare/plan/")
    typed = 0
    for title, lines in SCENES.items():
        count.tap(page.get_by_role("link", name="Add a scene"))
        page.get_by_label("Title").fill(title)
        typed += 1
        library = page.get_by_role("group", name="From the library")
        for words in lines:
            if (known := library.get_by_label(words, exact=True)).count():
                count.tap(known)
            else:
                page.get_by_label("Anything else, a line each").fill(words)
                typed += 1
        assert not overflow(page) and not serious(page)
        count.tap(page.get_by_role("button", name="Save"))
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    return typed


def an_evening(page: Page, campaign: str) -> None:
    """Five NPCs, six obstacles, three scenes: so many taps, and so many typed fields at most."""
    count = Taps()
    prepared(page, campaign, count)
    typed = 1 + planned(page, campaign, count)
    assert count.taps <= 18 and typed <= 5


def test_a_new_gm_prepares_an_evening_on_a_phone(phone: Guest) -> None:
    doing.sign_up(phone.page, doing.unique("Alice"))
    an_evening(phone.page, doing.found(phone.page, doing.unique("The Salt Parliament ")))


@seldom
def test_an_evening_is_prepared_at_a_desk_and_goes_on_on_a_phone(desk: Guest, phone: Guest) -> None:
    page, name = desk.page, doing.unique("Alice")
    doing.sign_up(page, name)
    campaign = doing.found(page, doing.unique("The Salt Parliament "))
    doing.sign_up_by_the_link(phone.page, doing.invite(page, campaign), doing.unique("Bob"))
    doing.make_character(phone.page, campaign, "Sefa", strengths=("Rope", "Talk"), weakness="Proud")
    an_evening(page, campaign)
    page.goto(f"{campaign}prepare/")
    page.locator("#library-q").fill("sabre")
    expect(page.locator(".library > li")).to_have_count(1)
    assert not overflow(page) and not serious(page)

    page.goto(f"{campaign}prepare/plan/")
    brings = "Brings all player characters and 2 obstacles. Gate guard stays hidden."
    expect(page.get_by_text(brings)).to_be_attached()
    assert not overflow(page) and not serious(page)
    a_contest_is_ready(page)
    page.get_by_role("button", name="Open this scene").first.click()
    expect(page.get_by_role("heading", name="The salt store")).to_be_visible()
    it_begins(page, campaign)

    page.goto(f"{campaign}prepare/matrix/")
    assert page.locator("td.cell").count() >= 6 and not serious(page)
    page.get_by_role("link", name="Change the difficulty of A tide race").click()
    row = page.locator("tbody.changing")
    row.get_by_label("Difficulty", exact=True).select_option("number")
    row.get_by_label("Target number").fill("5")
    expect(row.locator("del").first).to_be_visible()
    row.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Change the difficulty of A tide race: 5")).to_be_visible()

    on_the_phone(phone, name, campaign)


def a_contest_is_ready(page: Page) -> None:
    """For the first scene, with one field typed: who is there is in it already."""
    page.get_by_role("link", name="Prepare a contest").first.click()
    page.get_by_label("Title (what is at stake)").fill("Hold the store")
    page.get_by_text("Names of the sides").click()
    page.get_by_label("The other side").fill("The watch")
    assert not overflow(page) and not serious(page)
    page.get_by_role("main").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Conflict: Sefa against Gate guard")).to_be_visible()


def it_begins(page: Page, campaign: str) -> None:
    """One tap at the table opens the form as it was prepared: the guard is hidden, and is seen as it begins."""
    ready = page.locator(".expected").filter(has_text="Hold the store")
    ready.get_by_role("button").click()
    expect(page.get_by_label("Title (what is at stake)")).to_have_value("Hold the store")
    expect(page.get_by_label("The other side")).to_have_value("The watch")
    expect(page.get_by_role("group", name="Gate guard")).to_contain_text("players will see the name and picture")
    assert not overflow(page) and not serious(page)
    page.get_by_role("button", name="Start the conflict").click()
    expect(page.locator(".card-here").filter(has_text="Hold the store")).to_be_visible()
    expect(ready).to_have_count(0)


def on_the_phone(phone: Guest, name: str, campaign: str) -> None:
    """One line with a word that is not understood, taken out with a tap, and put on the scene."""
    page = phone.page
    phone.context.clear_cookies()
    doing.log_in(page, name)
    page.goto(f"{campaign}prepare/")
    page.get_by_label("Add in one line").fill("Sleepy sentry, Yawns good, rather tall")
    expect(page.get_by_text("“rather tall” is not understood.")).to_be_visible()
    expect(page.get_by_role("button", name="Add Sleepy sentry")).to_be_disabled()
    page.locator(".choice.unread").get_by_label("Remove this part").check()
    page.get_by_role("button", name="Add to the scene").click()
    expect(page.get_by_text("Added: Sleepy sentry.")).to_be_visible()
    page.locator("#library-q").fill("sleepy")
    expect(page.get_by_text("✓ Here")).to_have_count(1)
    assert not overflow(page) and not serious(page)
    for place in ("matrix/", "plan/", "threads/"):
        page.goto(f"{campaign}prepare/{place}")
        assert not overflow(page), place
