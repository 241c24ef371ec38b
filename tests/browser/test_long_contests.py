"""Long contests of QuestWorlds in two browsers, one a phone: scored to its end, within two taps a round (QW-43)."""
from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.guests import Guest, overflow
from tests.browser.test_a_framed_evening import a_concept_will_do, act, press
from tests.browser.test_axe import serious

WITHIN = 3_000  # milliseconds, until the other browser shows it
MOST_ROUNDS = 40
TAPS_A_ROUND = 2  # for a player who changes nothing


def test_a_scored_contest_from_two_browsers(desk: Guest, phone: Guest) -> None:
    alice, bob = desk.page, phone.page
    doing.sign_up(alice, doing.unique("Alice"))
    campaign = doing.found(alice, "The Salt Parliament", "questworlds")
    link = doing.invite(alice, campaign)
    doing.sign_up_by_the_link(bob, link, doing.unique("Bob"))
    a_concept_will_do(bob, campaign)
    alice.goto("about:blank")  # what the others did moves the page that one leaves
    doing.open_session(alice, campaign)
    doing.set_scene(alice, campaign, "The lamp bridge", "Ottilie")

    alice.goto(f"{campaign}contests/start/scored/")
    alice.get_by_label("The prize").fill("Hold the bridge until the ferry is away")
    alice.get_by_label("Who else is against them").fill("Captain Vey low")
    alice.get_by_role("button", name="Begin").click()
    alice.wait_for_url("**/contests/*/")
    contest = alice.url
    expect(alice.get_by_text("Waiting for Ottilie: round 1.")).to_be_visible()

    bob.goto(contest)
    assert not overflow(bob) and not serious(bob)
    expect(bob.locator("#acts .gauge").first).to_be_attached()
    for number in range(1, MOST_ROUNDS):
        if bob.get_by_text("Waiting for the GM to finish.").count():
            break
        assert a_round(bob) <= TAPS_A_ROUND
        if number == 1:
            expect(alice.locator("#board .fallen li").first).to_be_visible(timeout=WITHIN)
    expect(bob.get_by_text("wins.", exact=False).first).to_be_visible()
    assert not overflow(bob) and not serious(bob)

    alice.goto(contest)
    press(alice, act(alice, "Finish"), "Finish")
    expect(alice.get_by_text("The contest is done.")).to_be_visible()
    assert not overflow(alice) and not serious(alice)
    doing.check_the_chain(bob, campaign)


def a_round(page: Page) -> int:
    """Plays a round as it stands open; answers how many taps it took."""
    taps = 0
    for title in ("Roll ", "Let it stand"):
        button = page.locator("#acts .offer button").filter(has_text=title).first
        if button.count():
            with page.expect_navigation():
                button.click()
            taps += 1
    return taps
