"""An evening is prepared: three scenes, five NPCs, six obstacles at a desk, one more of each step on a phone."""
from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.guests import Guest, overflow
from tests.browser.test_axe import serious

NPCS = ("Gate guard, Spear good, Bored poor, #gate", "2 squads of 4 bandits, good, #wild",
        "Fence, Knows the price expert, #town", "Captain Vey, Sabre expert, Proud poor, #gate")
OBSTACLES = ("A locked door, good", "The swollen river, expert", "Any guard’s eyes, average", "The moot, 13",
             "A tide race, master", "Wet planks, good")
SCENES = {
    "The salt store": ("Gate guard", "A locked door", "Any guard’s eyes"),
    "The moot": ("Fence", "The moot"),
    "The lamp bridge": ("Captain Vey", "Bandits 1", "A tide race", "Wet planks", "The bell rings at dusk"),
}


def prepared(page: Page, campaign: str) -> None:
    """Everything from pasted lines, read before it is added."""
    page.goto(f"{campaign}prepare/")
    page.get_by_role("link", name="Paste several lines").click()
    page.get_by_label("One thing a line").fill("\n".join((*NPCS, *(f"Resistance: {each}" for each in OBSTACLES))))
    page.get_by_role("button", name="Show what is understood").click()
    expect(page.get_by_text("Sabre Expert [+4]")).to_be_visible()
    page.get_by_role("button", name="Add all 10").click()
    expect(page.get_by_text("11 prepared")).to_be_visible()


def planned(page: Page, campaign: str) -> None:
    """Three scenes with who is there and what stands in the way."""
    for title, lines in SCENES.items():
        page.goto(f"{campaign}prepare/plan/")
        page.get_by_role("link", name="Add a scene").click()
        page.get_by_label("Title").fill(title)
        page.get_by_role("button", name="Save").click()
        for words in lines:
            scene = page.locator(".plan-scene").filter(has=page.get_by_role("heading", name=title))
            if (fold := scene.locator("details:not([open]) > summary")).count():
                fold.click()
            scene.get_by_label("From the library, or a few words").fill(words)
            scene.get_by_role("button", name="Add").click()
            expect(scene.get_by_text(words).first).to_be_attached()


def test_an_evening_is_prepared_at_a_desk_and_goes_on_on_a_phone(desk: Guest, phone: Guest) -> None:
    page, name = desk.page, doing.unique("Alice")
    doing.sign_up(page, name)
    campaign = doing.found(page, doing.unique("The Salt Parliament "))
    doing.sign_up_by_the_link(phone.page, doing.invite(page, campaign), doing.unique("Bob"))
    doing.make_character(phone.page, campaign, "Sefa", strengths=("Rope", "Talk"), weakness="Proud")
    prepared(page, campaign)
    page.locator("#library-q").fill("sabre")
    expect(page.locator(".library > li")).to_have_count(1)
    assert not overflow(page) and not serious(page)

    planned(page, campaign)
    brings = "Brings everybody who is played and 2 obstacles. Gate guard stays hidden."
    expect(page.get_by_text(brings)).to_be_attached()
    assert not overflow(page) and not serious(page)
    page.get_by_role("link", name="Open this scene").first.click()
    page.get_by_role("button", name="Open this scene").click()
    expect(page.get_by_role("heading", name="The salt store")).to_be_visible()

    page.goto(f"{campaign}prepare/matrix/")
    assert page.locator("td.cell").count() == 6 and not serious(page)
    page.get_by_role("link", name="Change how hard A tide race is").click()
    row = page.locator("tbody.changing")
    row.get_by_label("Difficulty", exact=True).select_option("number")
    row.get_by_label("Target number").fill("5")
    expect(row.locator("del").first).to_be_visible()
    row.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Change how hard A tide race is: 5")).to_be_visible()

    on_the_phone(phone, name, campaign)


def on_the_phone(phone: Guest, name: str, campaign: str) -> None:
    """One line with a word that is not understood, taken out with a tap, and put on the scene."""
    page = phone.page
    phone.context.clear_cookies()
    doing.log_in(page, name)
    page.goto(f"{campaign}prepare/")
    page.get_by_label("Add in one line").fill("Sleepy sentry, Yawns good, rather tall")
    expect(page.get_by_text("“rather tall” is not understood.")).to_be_visible()
    expect(page.get_by_role("button", name="Add Sleepy sentry")).to_be_disabled()
    page.locator(".choice.unread").get_by_label("Leave it out").check()
    page.get_by_role("button", name="Add, put here").click()
    expect(page.get_by_text("Added: Sleepy sentry.")).to_be_visible()
    page.locator("#library-q").fill("sleepy")
    expect(page.get_by_text("✓ Here")).to_have_count(1)
    assert not overflow(page) and not serious(page)
    for place in ("matrix/", "plan/", "threads/"):
        page.goto(f"{campaign}prepare/{place}")
        assert not overflow(page), place
