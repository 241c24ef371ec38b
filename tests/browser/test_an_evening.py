"""One evening from the first sign-up to the end of a conflict, in two browsers at once."""
from __future__ import annotations

import re
import time

from playwright.sync_api import Locator, Page, expect

from tests.browser import doing
from tests.browser.guests import Guest
from tests.gate import seldom

ROUNDS = 40  # so many attacks without a wound are less likely than one in a million
WITHIN = 2_000  # milliseconds, until the other browser shows it


def build_with_the_budget(page: Page, campaign: str) -> None:
    """Makes Ilse in the builder, and sees the budget count along."""
    page.goto(f"{campaign}characters/new/")
    budget = page.locator("#budget")
    expect(budget).to_contain_text("0 of 4")
    page.locator("#builder [name=name]").fill("Ilse")
    doing.write_line(page, "Strength", 1, "Old maps", "Master [+6]")
    expect(budget).to_contain_text("3 of 4")
    expect(budget).to_contain_text("1 left: raise a strength, or add one")
    doing.write_line(page, "Strength", 2, "Short knife", "Good [+2]")
    expect(budget).to_contain_text("4 of 4")
    doing.write_line(page, "Weakness", 1, "Heights")
    expect(budget).to_contain_text("This sheet is complete")
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_role("heading", name="Ilse", exact=True)).to_be_visible()


@seldom
def test_an_evening(desk: Guest, phone: Guest) -> None:
    alice, bob = desk.page, phone.page
    doing.sign_up(alice, doing.unique("Alice"))
    campaign = doing.found(alice, "The Salt Road")
    link = doing.invite(alice, campaign)

    doing.sign_up_by_the_link(bob, link, doing.unique("Bob"))
    build_with_the_budget(bob, campaign)

    doing.make_npc(alice, campaign, "Old Marrow, Club expert, Grudges good, Slow poor")
    doing.open_session(alice, campaign)
    doing.set_scene(alice, campaign, "The dry well", "Ilse", "Old Marrow")

    a_roll_with_its_odds(alice, bob, campaign)
    a_sealed_roll(alice, bob, campaign)
    an_undone_roll(alice, campaign)
    doing.check_the_chain(alice, campaign)
    a_conflict(alice, bob, campaign)
    end_the_scene(alice, campaign)
    why_in_place(bob, campaign)
    doing.check_the_chain(bob, campaign)


def a_roll_with_its_odds(alice: Page, bob: Page, campaign: str) -> None:
    """Bob's choice moves the odds and the button; what he rolls stands on Alice's page at once."""
    doing.put_obstacle(alice, campaign, "The dry riverbed", "average")
    bob.goto(campaign)
    tray = doing.tray(bob)
    button = tray.locator("#forecast button.primary")
    before = tray.locator("#forecast .odds svg[role=img]").get_attribute("aria-label")
    expect(button).to_contain_text("Roll 2d6 against 7")
    doing.say(tray, "Find the way by an old map")
    tray.locator("label", has_text="Old maps").tap()
    expect(button).to_contain_text("Roll 2d6 +6 against 7")
    assert tray.locator("#forecast .odds svg[role=img]").get_attribute("aria-label") != before
    button.tap()
    expect(bob.locator("#rolled")).to_contain_text("Find the way by an old map")
    expect(alice.locator("#story .ledger").first).to_contain_text("Find the way by an old map", timeout=WITHIN)


def a_sealed_roll(alice: Page, bob: Page, campaign: str) -> None:
    """Alice rolls behind the screen; Bob's table does not move, and he reads it once she breaks the seal."""
    alice.goto(campaign)
    tray = doing.tray(alice)
    tray.get_by_label("Who rolls").select_option(label="Old Marrow")
    doing.say(tray, "Listens at the door")
    tray.get_by_label("Behind the screen").check()
    tray.locator("#forecast button.primary").click()
    expect(alice.locator("#rolled")).to_contain_text("Listens at the door")
    bob.wait_for_timeout(WITHIN)
    expect(bob.locator("#story")).not_to_contain_text("Sealed")
    expect(bob.get_by_text("Listens at the door")).to_have_count(0)

    alice.locator("#rolled").get_by_role("link", name=re.compile("Entry")).click()
    alice.locator("summary", has_text="Reveal").click()
    alice.get_by_role("button", name=re.compile("^Yes, reveal entry ")).click()
    expect(bob.locator("#story .ledger").first).to_contain_text("Listens at the door", timeout=WITHIN)


def an_undone_roll(alice: Page, campaign: str) -> None:
    """What was a slip is undone, and stays readable."""
    alice.goto(campaign)
    slip = doing.ledger(alice).filter(has_text="Find the way by an old map")
    slip.get_by_role("link", name=re.compile("Entry")).click()
    alice.get_by_label("Reason").or_(alice.locator("[name=reason]")).first.fill("That was a slip")
    alice.get_by_role("button", name=re.compile("Undo entry")).click()
    alice.goto(f"{campaign}ledger/")
    expect(doing.ledger(alice).first).to_contain_text("That was a slip")
    expect(doing.ledger(alice).filter(has_text="Find the way by an old map").last).to_contain_text("Undone by entry")


def offered(page: Page, title: str, who: str = "") -> Locator:
    """A legal move, where there is such a one."""
    fold = page.locator("details.offer").filter(has=page.locator("summary", has_text=re.compile(f"{title}\\s*$")))
    button = page.locator("form.offer.plain").filter(
        has=page.locator("button", has_text=re.compile(f"^\\s*{title}\\s*$")))
    move = fold.or_(button)
    return move.filter(has=page.locator("summary, .actions", has_text=who)) if who else move


def offer(page: Page, title: str, who: str = "") -> Locator:
    """A legal move, unfolded, and whatever it is folded into."""
    move = offered(page, title, who).first
    move.evaluate("""(one) => {
      for (let at = one; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    }""")
    return move


def send(page: Page, move: Locator, title: str) -> None:
    """Presses a move's button, and waits until it is answered."""
    with doing.answered(page):
        move.get_by_role("button", name=title, exact=True).click()


def a_conflict(alice: Page, bob: Page, campaign: str) -> None:
    """Bob attacks from his phone and Alice defends, until somebody is hurt; the damage is placed; Alice ends it."""
    alice.goto(campaign)
    doing.from_the_menu(alice, alice.locator("a[href$='contests/start/conflict/']"))
    alice.get_by_label("Title (what is at stake)").fill("Knives at the well")
    alice.get_by_role("button", name="Start the conflict").click()
    doing.at_its_card(alice)
    expect(alice.get_by_role("heading", name="Knives at the well")).to_be_visible()

    bob.goto(campaign)
    bob.locator("label", has_text="Participants").tap()
    bob.get_by_role("link", name="Knives at the well").click()
    for _ in range(ROUNDS):
        if one_step(alice, bob) == "placed" and not owed(alice):
            break
    else:
        raise AssertionError("Nobody was hurt.")
    # Where nobody at all is left standing it has ended by itself.
    if not alice.locator("#view .chip").first.inner_text().startswith(("Won by", "Ended")):
        with doing.answered(alice):
            move = offer(alice, "Finish the conflict")
            move.get_by_role("button", name="Finish the conflict").click()
    expect(bob.locator("#view .chip").first).to_have_text(re.compile("^(Ended|Won by .+)$"), timeout=WITHIN)


def owed(alice: Page) -> bool:
    """Whether damage is left to place: a tie hurts both. The card says so; what is folded is not fetched yet."""
    alice.reload()
    return alice.locator("#view").get_by_text(re.compile(r"has \d+ .+ to assign")).count() > 0


def one_step(alice: Page, bob: Page) -> str:
    """Whatever is to be done next by one of the two: told as a word."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for page, who in ((bob, ""), (alice, "Old Marrow")):
            for title, step in STEPS.items():
                if offered(page, title, who).count():
                    # Alice does not strike back: sooner or later it is Old Marrow who is hurt, and she places it.
                    return pass_by(page, who) if title == "Attack" and page is alice else step(page, who)
        bob.wait_for_timeout(50)

    raise AssertionError("Nobody can do anything.")


def attack(page: Page, who: str) -> str:
    """With what helps, after a look at the odds."""
    move = offer(page, "Attack", who)
    move.get_by_label("Old Marrow").check()
    move.get_by_label(re.compile("Short knife")).first.check()
    expect(move.locator(".odds svg[role=img]").first).to_be_visible()
    send(page, move, "Attack")
    return "attacked"


def defend(page: Page, who: str) -> str:
    """With nothing but luck."""
    send(page, offer(page, "React", who), "React")
    return "defended"


def pass_by(page: Page, who: str) -> str:
    """Lets a turn go by."""
    send(page, offer(page, "Pass", who), "Pass")
    return "passed"


def place(page: Page, who: str) -> str:
    """All of it where there is room, from the top."""
    move = offer(page, "Assign damage", who)
    text = move.locator("p.meta").first.inner_text()
    allocation = int(re.search(r"Assign (\d+)", text)[1])  # type: ignore[index]
    for locator in move.locator("input[type=number]").all():
        label = locator.evaluate("field => field.labels[0].textContent")
        room = int(re.search(r": (\d+) here", label)[1])  # type: ignore[index]
        locator.fill(str(min(room, allocation)))
        allocation -= min(room, allocation)
    send(page, move, "Assign damage")
    return "placed"


STEPS = {"Assign damage": place, "React": defend, "Attack": attack}


def end_the_scene(alice: Page, campaign: str) -> None:
    """Closes the scene; whoever was hurt recovers."""
    alice.goto(campaign)
    doing.from_the_menu(alice, alice.locator("details.menu a", has_text="End the scene"))
    alice.get_by_role("button", name="End the scene").click()
    expect(alice.get_by_role("link", name="Open a scene")).to_be_visible()


def why_in_place(bob: Page, campaign: str) -> None:
    """Each number of the sheet answers why it is what it is, on the page itself."""
    bob.goto(campaign)
    bob.get_by_role("link", name="Sheet", exact=True).click()
    address = bob.url
    bob.get_by_role("link", name=re.compile("why is Old maps")).click()
    expect(bob.locator(".because-place .ledger").first).to_be_visible()
    assert bob.url == address
