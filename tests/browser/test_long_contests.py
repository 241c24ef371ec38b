"""Long contests of QuestWorlds in several browsers, one a phone: each round within two taps (QW-43, QW-51, QW-57)."""
from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.staging import NAMES
from tests.browser.test_a_simple_contest import act, press
from tests.browser.test_axe import serious
from tests.gate import seldom

WITHIN = 3_000  # milliseconds, until the other browser shows it
MOST_ROUNDS = 40
BY_HAND = 2  # rounds in browsers: the others are no different, and are played without
TAPS_A_ROUND = 2  # for a player who changes nothing
Table = dict[str, Page]


@pytest.fixture
def seated(server: Server, guest: MakeGuest) -> Iterator[tuple[str, Table]]:
    """A table laid for the test's own kind of contest: its address, and everybody's page; Bob has a phone."""
    laid = server.lay("lay")
    pages = {}
    for name in NAMES:
        one = guest("phone" if name == "Bob" else "desk")
        one.context.add_cookies([{"name": "sessionid", "value": laid["cookies"][name], "url": server.url}])
        pages[name] = one.page
    yield f"{server.url}{laid['address']}", pages


def begin(page: Page, campaign: str, kind: str, opponents: str, **parts: str) -> str:
    """The GM starts one in the scene; answers its address. Who is in it stands on one side unless said otherwise."""
    page.goto(f"{campaign}contests/start/{kind}/")
    page.get_by_label("The prize").fill("The lamp bridge")
    page.get_by_label("Other opponents").fill(opponents)
    for name, part in parts.items():
        page.get_by_role("group", name=name).get_by_role("combobox").select_option(part)
    page.get_by_role("button", name=re.compile("^Start ")).click()
    return doing.at_its_card(page)


def tap(page: Page, title: str) -> int:
    """Presses this button of one's own acts where it stands open; answers how many taps that took."""
    button = page.locator("#acts").locator(".offer, .answer").get_by_role("button", name=re.compile(f"^{title}")).first
    if not button.is_visible():
        return 0
    with doing.answered(page):
        button.click()
    return 1


def a_round(page: Page, *titles: str) -> int:
    """Plays a round as it stands open; answers how many taps it took."""
    return sum(tap(page, title) for title in titles or ("Roll ", "Let it stand"))


def play_on(server: Server, contest: str, *titles: str) -> None:
    """To its end without browsers, by these buttons."""
    at = contest.removeprefix(server.url)
    server.lay("play_on", at.partition("contests/")[0], at, titles)


def is_over(page: Page) -> bool:
    return bool(page.get_by_text("The prize goes to", exact=False).count())


@seldom
def test_qw_47_and_49_three_against_a_villain_and_two_followers_on_four_browsers(
    server: Server, seated: tuple[str, Table]
) -> None:
    campaign, pages = seated
    alice, players = pages["Alice"], [pages[name] for name in NAMES[1:]]
    contest = begin(alice, campaign, "scored", "Captain Vey low (Two wardens very low; Clerk tiny)")
    expect(alice.locator("#view .pair")).to_have_count(3)
    for page in players:
        page.goto(contest)
        expect(page.locator("#now")).to_contain_text("Your turn: roll round 1")
    assert not overflow(pages["Bob"]) and not serious(pages["Bob"])
    for number in range(BY_HAND):
        for page in players:
            if number:
                page.goto(contest)
            assert a_round(page) <= TAPS_A_ROUND
        if number == 0:
            expect(alice.locator("#view .fallen li")).to_have_count(3, timeout=WITHIN)
    play_on(server, contest, "Roll ", "Let it stand", "Take on an opponent")
    alice.goto(contest)
    assert is_over(alice) and not overflow(alice) and not serious(alice)
    press(alice, act(alice, "Finish"), "Finish the contest")
    expect(alice.get_by_text("The contest is done.")).to_be_visible()
    doing.check_the_chain(pages["Eve"], campaign)


@seldom
def test_qw_52_two_players_bid_and_neither_reads_what_the_other_has_left(
    server: Server, seated: tuple[str, Table]
) -> None:
    campaign, pages = seated
    bob, dana = pages["Bob"], pages["Dana"]
    contest = begin(pages["Alice"], campaign, "extended", "", Bram="", Otho="two")
    for number in range(BY_HAND):
        for bids, answers in ((bob, dana), (dana, bob)):
            bids.goto(contest)
            if number and is_over(bids):
                break
            if number == 0:
                assert not overflow(bids)
                bids.get_by_role("button", name="One more").click()
                expect(bids.get_by_label("Your bid")).to_have_value("4")
            else:
                bids.get_by_role("button", name=re.compile(r" all$")).click()
            if number == 1:
                expect(bids.locator(".comes-to")).to_contain_text("By the die")
            assert a_round(bids, "Bid") == 1
            answers.goto(contest)
            assert 1 <= a_round(answers, "Answer", "Let it stand") <= TAPS_A_ROUND
            bids.goto(contest)
            a_round(bids, "Let it stand")
            if number == 0:
                _hidden(bob, dana, campaign, contest)
    play_on(server, contest, "Bid", "Answer", "Let it stand")
    bob.goto(contest)
    assert is_over(bob) and not serious(bob)


def _hidden(bob: Page, dana: Page, campaign: str, contest: str) -> None:
    """What each has left is in no byte that the other gets, before they ask."""
    for one, other in ((bob, dana), (dana, bob)):
        one.goto(contest)
        total = re.search(r"(\d+) of (\d+)", one.locator(".corner .points").all_inner_texts()[one is dana])
        assert total, one.content()
        for address in (contest, campaign, f"{campaign}ledger/", f"{campaign}now/"):
            sent = other.request.get(address).text()
            assert f"{total[1]} of {total[2]}" not in sent and f"has {total[1]} advantage" not in sent
        other.goto(contest)
        expect(other.locator(".corner .points").nth(int(other is bob))).to_have_text("not yet known")


@seldom
def test_qw_57_and_59_a_chase_goes_on_in_the_next_session_as_it_stood(
    server: Server, seated: tuple[str, Table]
) -> None:
    campaign, pages = seated
    alice, bob = pages["Alice"], pages["Bob"]
    # A consequence that ends it at once leaves nothing to go on with: then another one begins.
    for _ in range(MOST_ROUNDS):
        contest = begin(alice, campaign, "chained", "The courier +9", Bram="", Otho="")
        _until_somebody_is_hurt(bob, contest)
        if not is_over(bob):
            break
        alice.goto(contest)
        press(alice, act(alice, "Finish"), "Finish the contest")
    stood = bob.locator(".corner").all_inner_texts()
    alice.goto(f"{campaign}scene/close/")
    alice.get_by_role("button", name=re.compile("End the scene|Close")).last.click()
    alice.goto(f"{campaign}chronicle/close/")
    alice.get_by_role("button", name=re.compile("End the session")).last.click()
    doing.open_session(alice, campaign, "The second evening")
    doing.set_scene(alice, campaign, "The salt road", "Sefa")
    bob.goto(contest)
    assert bob.locator(".corner").all_inner_texts() == stood and not a_round(bob)
    alice.goto(contest)
    press(alice, act(alice, "Resume"), "Resume the contest")
    expect(bob.locator("#now")).to_contain_text("Your turn: roll round", timeout=WITHIN)
    for _ in range(BY_HAND):
        bob.goto(contest)
        assert a_round(bob) <= TAPS_A_ROUND
    play_on(server, contest, "Roll ", "Let it stand")
    bob.goto(contest)
    assert is_over(bob) and not overflow(bob) and not serious(bob)
    doing.check_the_chain(alice, campaign)


def _until_somebody_is_hurt(page: Page, contest: str) -> None:
    page.goto(contest)
    for _ in range(MOST_ROUNDS):
        assert 1 <= a_round(page) <= TAPS_A_ROUND
        if is_over(page) or page.locator(".corner .meta", has_text=re.compile(", −")).count():
            break
