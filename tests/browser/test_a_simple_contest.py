"""An evening of QuestWorlds in two browsers: a character as one goes, frames, dice, what lasts, facts, time."""
from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser import doing
from tests.browser.guests import Guest, overflow
from tests.browser.test_axe import serious
from tests.effort import LONG
from tests.gate import seldom

WITHIN = 3_000  # milliseconds, until the other browser shows it


def act(page: Page, title: str, who: str = "") -> Locator:
    """Something that is open to somebody, unfolded, and whatever it is folded into."""
    locator = page.locator("#acts .offer").filter(has_text=re.compile(f"{who}.*{title}" if who else title, re.S)).first
    expect(locator).to_be_attached(timeout=WITHIN)
    locator.evaluate("""(each) => {
      for (let at = each; at; at = at.parentElement) if (at.tagName == "DETAILS") at.open = true;
    }""")
    return locator


def press(page: Page, form: Locator, title: str) -> None:
    with doing.answered(page):
        form.get_by_role("button", name=title, exact=True).click()


def looks_right(page: Page) -> None:
    """What a screen reader meets is asked at the end too; on the way, in a long run."""
    assert not overflow(page)
    assert not (LONG and serious(page))


def test_a_simple_contest(desk: Guest, phone: Guest) -> None:
    alice, bob = desk.page, phone.page
    doing.sign_up(alice, doing.unique("Alice"))
    campaign = doing.found(alice, "Nets and Ledgers", "questworlds")
    link = doing.invite(alice, campaign)
    doing.sign_up_by_the_link(bob, link, doing.unique("Bob"))

    a_concept_will_do(bob, campaign)
    doing.open_session(alice, campaign)
    doing.set_scene(alice, campaign, "The net loft", "Ottilie")
    a_frame_from_two_browsers(alice, bob, campaign)
    the_dice(alice, bob)
    something_lasts(alice, bob, campaign)
    a_fact(alice, bob, campaign)
    a_montage(alice, bob, campaign)
    what_lasts_is_gone_through(alice, campaign)
    assert not serious(alice) and not serious(bob)
    doing.check_the_chain(bob, campaign)


@seldom
def test_a_refusal_is_in_view_on_a_phone(phone: Guest) -> None:
    page = phone.page
    doing.sign_up(page, doing.unique("Alice"))
    campaign = doing.found(page, "Nets alone", "questworlds")
    a_concept_will_do(page, campaign)
    doing.open_session(page, campaign)
    doing.set_scene(page, campaign, "The net loft", "Ottilie")
    page.goto(f"{campaign}contests/start/framed/")
    page.get_by_label("The prize").fill("The ledger is out of the house")
    page.get_by_role("button", name="Start framing").click()
    doing.at_its_card(page)

    phone.expect(422, "/oppose/")
    against = act(page, "Set the resistance")
    against.get_by_label("Opponent").fill("Two watchmen and a dog")
    against.locator("[name=resistance]").fill("+7")
    press(page, against, "Set the resistance")
    typed = page.locator("#offer-oppose-gm [name=resistance]")
    expect(typed).to_be_focused()
    expect(typed).to_be_in_viewport()
    expect(page.locator("#offer-oppose-gm").get_by_text("+7 is no rank.").first).to_be_in_viewport()
    expect(page.locator(".not-done[role=alert]")).to_be_attached()
    expect(typed).to_have_value("+7")
    looks_right(page)


def a_concept_will_do(bob: Page, campaign: str) -> None:
    """Two words and a flaw; the rest is made up in play."""
    bob.goto(f"{campaign}characters/new/")
    bob.locator("#builder [name=name]").fill("Ottilie")
    if (part := bob.locator("[name=part]")).count():  # a GM's, who says for whom: of what is hidden nobody frames
        part.select_option("nobody")
    line(bob, "Distinguishing characteristic", "Cautious")
    line(bob, "Keyword", "Net mender", "1M")
    line(bob, "Flaw", "Can’t refuse a child")
    looks_right(bob)
    bob.get_by_role("button", name="Save").last.click()
    expect(bob.get_by_role("heading", name="Ottilie", exact=True)).to_be_visible()
    expect(bob.get_by_text("1M").first).to_be_visible()


def line(page: Page, kind: str, name: str, score: str = "") -> None:
    """A line of the builder; a kind of which there is one only has no number."""
    group = page.get_by_role("group", name=re.compile(f"^{kind}( 1)?$")).first
    group.get_by_role("textbox").first.fill(name)
    if score:
        group.get_by_role("textbox", name="Score").fill(score)


def a_frame_from_two_browsers(alice: Page, bob: Page, campaign: str) -> None:
    """Bob says what he wants and how, with an ability that he makes up; Alice says what is against it."""
    bob.goto(campaign)
    doing.from_the_menu(bob, bob.locator("a[href$='contests/start/framed/']"))
    bob.get_by_label("The prize").fill("The ledger is out of the house")
    bob.get_by_label("Obstacle").fill("The harbour office at night")
    bob.get_by_role("button", name="Start framing").click()
    doing.at_its_card(bob)

    alice.goto(campaign)
    alice.get_by_role("link", name="The ledger is out of the house").click()
    against = act(alice, "Set the resistance")
    against.get_by_label("Opponent").fill("Two watchmen and a dog")
    against.locator("[name=resistance]").fill("high")
    against.get_by_label("At stake").fill("Her name in the watch’s book")
    press(alice, against, "Set the resistance")
    expect(bob.get_by_text("Two watchmen and a dog").first).to_be_visible(timeout=WITHIN)
    expect(bob.get_by_text("With each ability")).to_be_visible()

    says = act(bob, "Describe what you do")
    says.get_by_label("How do you go about it?").fill("Over the roofs, with a net for the dog")
    says.get_by_label("Or a new ability").fill("Roofs by night")
    press(bob, says, "Describe what you do")
    expect(bob.get_by_text("Roofs by night 13").first).to_be_visible()

    # The other page has moved on before somebody unfolds something there.
    expect(alice.get_by_text("Over the roofs").first).to_be_visible(timeout=WITHIN)
    heads = act(alice, "Count heads")
    heads.get_by_label("How many of them").fill("3")
    press(alice, heads, "Count heads")
    expect(bob.get_by_text("Many against few: 3 of them on one of us.")).to_be_visible(timeout=WITHIN)

    helps = act(bob, "Offer an augment")
    helps.get_by_label("Net mender · 1M").check()
    helps.get_by_label("How it helps").fill("The dog runs into the net")
    before = bob.locator(".framed .odds svg[role=img]").first.get_attribute("aria-label")
    press(bob, helps, "Offer an augment")
    answer = act(alice, "Answer an augment")
    answer.get_by_label("Your answer").select_option(label="Yes, and well told: +6")
    press(alice, answer, "Answer an augment")
    expect(bob.locator(".framed .odds svg[role=img]").first).not_to_have_attribute("aria-label", before or "",
                                                                                  timeout=WITHIN)
    looks_right(alice)
    looks_right(bob)


def the_dice(alice: Page, bob: Page) -> None:
    """All is ready; Bob rolls, and lets a story point be where one is offered."""
    press(alice, act(alice, "Ready to roll"), "Ready to roll")
    with doing.answered(bob):
        act(bob, "Roll").get_by_role("button", name=re.compile("^Roll")).click()
    stands = re.compile("^Let it stand: (victory|defeat|tie)")
    while bob.get_by_role("button", name=stands).count():
        with doing.answered(bob):
            bob.get_by_role("button", name=stands).click()
    expect(bob.locator(".framed .came .outcome").first).to_have_text(re.compile("^(Victory|Defeat|Tie)"))
    expect(bob.locator(".framed svg.die, .framed .dice svg").first).to_be_visible()


def something_lasts(alice: Page, bob: Page, campaign: str) -> None:
    """Alice gives a consequence; it stands on Bob's sheet, and says where it is from."""
    gives = act(alice, "Add a consequence or benefit")
    gives.get_by_label("Type").select_option(label="A consequence")
    gives.get_by_label("Rank").select_option(index=1)
    gives.get_by_label("Name").fill("Bitten by the dog")
    gives.get_by_label("Applies to").fill("running and climbing")
    press(alice, gives, "Add a consequence or benefit")
    expect(bob.get_by_text("Ottilie: Bitten by the dog, −6", exact=True)).to_be_visible(timeout=WITHIN)
    press(alice, act(alice, "Finish"), "Finish the contest")
    bob.goto(campaign)
    bob.get_by_role("link", name="Sheet", exact=True).click()
    expect(bob.get_by_text("Bitten by the dog").first).to_be_visible()
    expect(bob.get_by_text("From: The ledger is out of the house").first).to_be_visible()
    expect(bob.get_by_text("Roofs by night").first).to_be_visible()
    bob.goto(f"{campaign}experience/")
    expect(bob.get_by_role("heading", name="Experience")).to_be_visible()
    looks_right(bob)


def a_fact(alice: Page, bob: Page, campaign: str) -> None:
    """Bob edits the plot, Alice agrees; a point is gone and the campaign has a fact."""
    bob.goto(f"{campaign}facts/")
    bob.get_by_role("link", name="Edit the plot").click()
    bob.get_by_label("New fact").fill("The watch’s book is a year behind")
    bob.get_by_role("button", name="Propose").click()
    doing.at_its_card(bob)
    alice.goto(f"{campaign}facts/")
    alice.get_by_role("link", name=re.compile("Answer it")).click()
    press_plain(alice, "Accept")
    bob.goto(f"{campaign}facts/")
    expect(bob.locator(".ledger")).to_contain_text("The watch’s book is a year behind")
    looks_right(bob)


def press_plain(page: Page, title: str) -> None:
    with doing.answered(page):
        page.get_by_role("button", name=title, exact=True).first.click()


def a_montage(alice: Page, bob: Page, campaign: str) -> None:
    """Time passes: Bob says how, from his phone."""
    alice.goto(campaign)
    doing.from_the_menu(alice, alice.locator("details.menu a", has_text=re.compile("owntime|time pass", re.I)).first)
    title = alice.get_by_role("textbox").first
    title.fill("A week of rain")
    with doing.answered(alice):
        alice.locator("main form button, main button").last.click()
    alice.wait_for_url("**/contests/*/")
    bob.goto(campaign)
    bob.get_by_role("link", name="A week of rain").click()
    says = act(bob, "")
    says.get_by_role("textbox").first.fill("She mends what the dog tore")
    with doing.answered(bob):
        says.get_by_role("button").click()
    expect(alice.get_by_text("She mends what the dog tore").first).to_be_visible(timeout=WITHIN)
    press_plain(alice, "Finish the downtime")


def what_lasts_is_gone_through(alice: Page, campaign: str) -> None:
    """At the start of the next evening the bite falls by a rank."""
    alice.goto(campaign)
    doing.from_the_menu(alice, alice.locator("details.menu a", has_text="End the scene"))
    alice.get_by_role("button", name="End the scene").click()
    doing.from_the_menu(alice, alice.get_by_role("link", name="End the session"))
    alice.get_by_role("button", name="End the session").click()
    doing.open_session(alice, campaign, "The second evening")
    alice.get_by_role("link", name="Review consequences").first.click()
    with doing.answered(alice):
        alice.locator("main form button").last.click()
    looks_right(alice)
    with doing.answered(alice):
        alice.get_by_role("button", name=re.compile("Lower by a rank")).first.click()
    expect(alice.get_by_text("−3").first).to_be_visible()
