"""The phone's first screen, measured in the states of all games: what is asked, what counts, the chance, the button."""
from __future__ import annotations

import os
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.looks import LOUD, USUAL
from tests.browser.serving import Server
from tests.browser.test_axe import serious
from tests.browser.test_contests_under_way import LOOKS
from tests.browser.test_more_games import with_a_style_die
from tests.effort import LONG, tries
from tests.gate import seldom

KINDS = [("pdq", "conflict"), ("pdq_sharp", "duel"), ("pdq_sharp", "challenge"), ("pnc", "fight"),
         ("danger_world", "check"), ("questworlds", "scored"), ("questworlds", "framed")]
# In a long run all of them; what these have in common is seen in each run.
SELDOM = [("questworlds", "extended"), ("questworlds", "chained"), ("questworlds", "group"), ("pdq_sharp", "flashy")]
OF_GMS = [*KINDS, *SELDOM] if LONG else [("pnc", "fight")]
OF_PLAYERS = [*KINDS, *SELDOM, ("pnc", "opposed")] if LONG else [
    ("pdq_sharp", "duel"), ("questworlds", "scored")]
LESSER = [("pnc", "competition"), *[("pnc", "opposed")] * LONG]
DESK = {"width": 1280, "height": 900}
OTHERS = [("pdq", "conflict"), ("pnc", "fight"),
          *([("pdq_sharp", "duel"), ("danger_world", "check"), ("questworlds", "framed")] if LONG else [])]
PICTURES = os.environ.get("PICTURES", "")
STEPS, PRESS = tries(8, 12), 44
TALL = 2200  # in a contest: what can’t be done now is put by
TRIES = 8
AT_A_DESK = 400  # the highest dock: what one chooses is above it
# The bottoms of the dice that fell, and where the decision lies.
DICE = """() => {
  const dice = [...document.querySelectorAll("#contest .die")].filter((die) => die.checkVisibility());
  const { top, bottom } = document.querySelector(".decision").getBoundingClientRect();
  return [dice.map((die) => die.getBoundingClientRect().bottom), { top, bottom }];
}"""
COMING = ".next [id^='odds-'].htmx-request, #forecast.htmx-request"
LOW, DOCK, TRAY = 844, 150, 260  # the screen, the dock's height, where my tray begins at the latest
BOXES = """() => {
  const box = (each) => {
    const { top, bottom, height } = each.getBoundingClientRect();
    return { top, bottom, height };
  };
  const all = (choice) => [...document.querySelectorAll(choice)].filter((each) => each.checkVisibility());
  const docks = all("#forecast, .dock, .decision").filter((each) =>
    ["fixed", "sticky"].includes(getComputedStyle(each).position));
  // What a composer could be put to is not chosen yet.
  const chosen = all("main :checked:not(option, .unfold, .composer *)").filter((each) => each.value).map((each) =>
    each.closest("label") ?? each);
  const covered = chosen.filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect(), middle = (top + bottom) / 2;
    const there = middle > 0 && middle < innerHeight && document.elementFromPoint((left + right) / 2, middle);
    return there && !each.contains(there) && !there.contains(each);
  });
  const [tray] = all("#tray .field").map(box);
  return {
    tall: document.querySelector(".card-here") ? document.documentElement.scrollHeight : 0,
    chances: all(".next [id^=odds-] .odds").map(box),
    now: box(document.querySelector("#now")), docks: docks.map(box), covered: covered.map((each) => each.textContent),
    mine: all(".card-here.engages").length > 0, asked: all(".now li[data-of] strong").length > 0, tray,
    buttons: all("[id^=offer-] button, .dock button, .decision button").map(box).filter(({ top, bottom }) =>
      top > 0 && bottom <= innerHeight),
  };
}"""


def pictured(page: Page, name: str) -> None:
    """A picture for whoever wants to look."""
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png")


def measured(page: Page, state: str) -> dict[str, Any]:
    """What is where, with what holds in every state."""
    expect(page.locator(COMING)).to_have_count(0)
    boxes: dict[str, Any] = page.evaluate(BOXES)
    said = f"{state}: {boxes}"
    assert all(odds["top"] > 0 and odds["bottom"] <= LOW for odds in boxes["chances"]), f"the chance is hidden: {said}"
    assert boxes["now"]["height"] <= 48 and boxes["now"]["bottom"] < LOW, f"Now takes more than a line: {said}"
    assert boxes["tall"] < TALL, f"the table is too tall: {said}"
    assert not boxes["covered"], f"what is chosen is covered: {said}"
    assert all(dock["height"] <= DOCK and dock["bottom"] <= LOW for dock in boxes["docks"]), f"the dock: {said}"
    if boxes["asked"]:
        assert boxes["buttons"], f"no button in sight: {said}"
    elif boxes.get("tray") and not boxes["mine"]:
        assert boxes["tray"]["top"] <= TRAY, f"others push my tray down: {said}"
    assert not overflow(page)
    one_is_loud(page, state)
    return boxes


def one_is_loud(page: Page, state: str) -> None:
    """The button that is usual next is filled, and no other one."""
    loud = page.evaluate(LOUD)
    assert len(loud) <= 1, f"{state}: {loud}"


def looked_at(page: Page, state: str, first: bool) -> None:
    """Nothing serious, and nothing beside the screen: each state at both widths and in both themes; without the time
    for that the `first` of each contest, as the phone stands."""
    if not LONG:
        assert not first or not serious(page), state
        return
    stood = page.viewport_size
    for viewport, scheme in LOOKS:
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        said = f"{state}, {viewport['width']}, {scheme}"
        assert not overflow(page), said
        assert not (wrong := serious(page)), f"{said}: {wrong}"
    page.set_viewport_size(stood)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light")


@pytest.mark.parametrize(("system", "kind"), OF_PLAYERS, ids=[kind for _, kind in OF_PLAYERS])
def test_the_first_screen_has_all_that_a_player_needs(server: Server, guest: MakeGuest, system: str, kind: str) -> None:
    laid = server.lay("table", system, {"long": "all"} if system == "questworlds" else {})
    page = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    table, seen = f"{server.url}{laid['address']}", set()
    page.goto(table)
    measured(page, "choose")
    server.lay("begin", laid["address"], kind)
    for _ in range(STEPS):
        state = " ".join(sorted(action for _, action, _ in server.lay("waiting", laid["address"])))
        if state not in seen:
            seen.add(state)
            page.goto(table)
            measured(page, state or "over")
            looked_at(page, state or "over", first=len(seen) == 1)
        if server.lay("step", laid["address"]) is None:
            break
    assert len(seen) > 1


@pytest.mark.parametrize(("system", "kind"), OTHERS, ids=[system for system, _ in OTHERS])
def test_what_others_do_never_pushes_my_tray_down(
    server: Server, guest: MakeGuest, system: str, kind: str
) -> None:
    """Out of action, a contest in which others are, and a scene that is stopped, one after the other."""
    laid = server.lay("table", system, {"states": True} if system == "questworlds" else {})
    page = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    table = f"{server.url}{laid['address']}"
    server.lay("begin", laid["address"], kind, True)
    page.goto(table)
    assert not page.locator(".card-here.engages").count(), "Bob is not in it"
    pictured(page, f"{system}-others")
    assert measured(page, "others’ contest")["tray"]
    looked_at(page, "others’ contest", first=system == "pdq")
    why = server.lay("put_out", laid["address"], "Bob")
    page.goto(table)
    pictured(page, f"{system}-out")
    forecast = page.locator("#forecast")
    assert why in forecast.inner_text() and not forecast.get_by_role("button", name="Roll").count()
    back = forecast.locator("a.button, button").first
    assert back.bounding_box()["y"] + PRESS <= LOW, "what brings them back is in sight"  # type: ignore[index]
    measured(page, "out")
    looked_at(page, "out", first=system == "pdq")
    assert server.lay("stop", laid["address"], "Dana")
    page.goto(table)
    measured(page, "stopped")
    looked_at(page, "stopped", first=system == "pdq")
    pictured(page, f"{system}-stopped")


@pytest.mark.parametrize(("system", "kind"), OF_GMS, ids=[kind for _, kind in OF_GMS])
def test_a_gms_phone_is_short_and_the_usual_button_is_in_view_at_a_desk(
    server: Server, guest: MakeGuest, system: str, kind: str
) -> None:
    laid = server.lay("table", system, {"long": "all"} if system == "questworlds" else {})
    here = {(name, screen): logged_in(guest(screen, **({} if screen == "phone" else {"viewport": DESK})), server,
                                      laid["cookies"][name])
            for name, screen in (("Alice", "phone"), ("Alice", "desk"), ("Bob", "desk"))}
    table, seen = f"{server.url}{laid['address']}", {""}

    def look(state: str) -> None:
        for (name, screen), page in here.items():
            page.goto(table)
            said = f"{name} at a {screen}, {state}: "
            if screen == "desk":
                expect(page.locator(COMING)).to_have_count(0)
                usual = page.evaluate(USUAL)
                assert usual["seen"] or not usual["asked"], f"{said}{usual}"
                docks = page.evaluate(BOXES)["docks"]  # of which the form above it is not under one
                assert all(dock["height"] <= AT_A_DESK for dock in docks), f"{said}{docks}"
            else:
                boxes: dict[str, Any] = page.evaluate(BOXES)
                assert boxes["tall"] < TALL and not boxes["covered"], f"{said}{boxes}"
                assert all(dock["height"] <= DOCK and dock["bottom"] <= LOW for dock in boxes["docks"]), said
            assert not overflow(page), said
            one_is_loud(page, said)

    look("choose")
    server.lay("begin", laid["address"], kind)
    for _ in range(STEPS):
        state = " ".join(sorted(action for _, action, _ in server.lay("waiting", laid["address"])))
        if state not in seen:
            seen.add(state)
            look(state)
        if server.lay("step", laid["address"]) is None:
            break
    assert len(seen) > 2


def test_the_chances_of_a_bid_never_lie_over_the_bid(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("table", "questworlds", {"long": "all"})
    server.lay("begin", laid["address"], "extended")
    page = logged_in(guest("desk", viewport=DESK), server, laid["cookies"]["Bob"])
    for _ in range(STEPS):
        page.goto(f"{server.url}{laid['address']}")
        expect(page.locator(COMING)).to_have_count(0)
        if page.locator(".bidding .dock table").or_(page.locator(".bidding .dock .odds")).first.is_visible():
            break
        server.lay("step", laid["address"])
    bid, dock = page.locator(".bidding .stepper").bounding_box(), page.locator(".bidding .dock").bounding_box()
    assert bid and dock and bid["y"] + bid["height"] <= dock["y"], (bid, dock)


@seldom
def test_ways_back_with_long_names_stay_on_a_phone(server: Server, guest: MakeGuest) -> None:
    """After a duel the one who fell has several ways back beside each other, each with a name of eighty letters."""
    laid = server.lay("table", "pdq_sharp")
    server.lay("lengthen", laid["address"])
    server.lay("begin", laid["address"], "duel")
    for _ in range(10 * STEPS):
        if server.lay("step", laid["address"]) is None:
            break
    page = logged_in(guest("phone"), server, laid["cookies"]["Alice"])
    page.goto(f"{server.url}{laid['address']}")
    ways = page.locator("#forecast .way")
    expect(ways.filter(has_text="Donaudampf")).not_to_have_count(0)
    assert not ways.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length")
    assert page.evaluate("innerWidth") == page.evaluate("screen.width"), "a phone zooms out of what is too wide"


def test_dice_that_npcs_may_add_to_are_short_on_a_phone_with_long_names(server: Server, guest: MakeGuest) -> None:
    for _ in range(TRIES):
        laid = server.lay("table", "pdq_sharp")
        server.lay("lengthen", laid["address"])
        server.lay("begin", laid["address"], "duel")
        while not (asked := "stand_npcs" in [act for _, act, _ in server.lay("waiting", laid["address"])]):
            if server.lay("step", laid["address"]) is None:
                break
        if asked:
            page = logged_in(guest("phone"), server, laid["cookies"]["Alice"])
            page.goto(f"{server.url}{laid['address']}")
            pictured(page, "pdq_sharp-long-names")
            assert 0 < page.evaluate(BOXES)["tall"] < TALL and not overflow(page)
            return
    raise AssertionError("NPCs never had anything to add")


@pytest.mark.parametrize(("system", "kind"), LESSER, ids=[kind for _, kind in LESSER])
def test_the_table_is_short_in_every_other_contest(server: Server, guest: MakeGuest, system: str, kind: str) -> None:
    laid = server.lay("table", system, {"long": "all"} if system == "questworlds" else {})
    here = [logged_in(guest("phone"), server, laid["cookies"][name]) for name in ("Alice", "Bob")]
    server.lay("begin", laid["address"], kind)
    shown, seen = False, set()
    for _ in range(STEPS):
        state = " ".join(sorted(action for _, action, _ in server.lay("waiting", laid["address"])))
        for page in here if state not in seen else ():
            page.goto(f"{server.url}{laid['address']}")
            tall = page.evaluate(BOXES)["tall"]
            shown = shown or tall > 0
            assert tall < TALL and not overflow(page), f"{state}: {tall}"
            one_is_loud(page, state)
        seen.add(state)
        if server.lay("step", laid["address"]) is None:
            break
    assert shown, "it stands on the table"


def rolls(page: Page, table: str, system: str) -> None:
    """Bob rolls from his tray, by tap."""
    page.goto(table)
    rows = page.locator("#tray [name=stats]" if system == "danger_world" else "#tray .lines input")
    for number in (4, 5) if system == "danger_world" else (0,):
        if not rows.nth(number).is_checked():
            rows.nth(number).locator("xpath=ancestor::label | following-sibling::label").first.tap()
    expect(page.locator(".htmx-request")).to_have_count(0)
    with doing.answered(page):
        page.locator("#forecast > button").first.tap()


@pytest.mark.parametrize("system", ["questworlds", "pnc", "danger_world", "pdq_sharp", "pdq"])
def test_after_a_roll_its_dice_and_what_is_left_to_decide_are_in_sight_once(
    server: Server, guest: MakeGuest, system: str
) -> None:
    """Where nothing is left to decide, the roll stands large instead."""
    for _ in range(TRIES):
        laid = server.lay("table", system)
        table = f"{server.url}{laid['address']}"
        if system == "pdq_sharp":
            with_a_style_die(logged_in(guest(viewport=DESK), server, laid["cookies"]["Alice"]), table)
        page = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
        rolls(page, table, system)
        decision = page.get_by_role("group", name="Your decision")
        if not decision.count():
            expect(page.locator("#rolled")).to_be_focused()
            continue
        expect(decision).to_be_focused()
        expect(page.locator("#rolled")).to_have_count(0)
        pictured(page, f"{system}-decide")
        dice, dock = page.evaluate(DICE)
        assert dice and max(dice) <= dock["top"] and min(dice) > 0, (dice, dock)
        assert dock["bottom"] <= LOW
        page.reload()
        expect(page.locator("#rolled")).to_have_count(0)
        expect(decision).to_be_visible()
        return
    assert system == "pdq", "nothing was left to decide"


@pytest.mark.parametrize("system", ["pdq", "pdq_sharp", "pnc"])
def test_why_unfolds_below_the_rows_and_counts_what_is_not_counted_at_one_tap(
    server: Server, guest: MakeGuest, system: str
) -> None:
    laid = server.lay("table", system)
    page = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    page.goto(f"{server.url}{laid['address']}")
    page.locator("#tray .lines label").first.tap()
    why = page.locator("#tray details.why")
    why.locator("summary").first.tap()
    pictured(page, f"{system}-why")
    idle = why.locator(".idle-ones > summary")  # several that don’t count are a line
    if idle.count():
        assert idle.inner_text().startswith("Not counted: ") and not why.locator(".count-it").first.is_visible()
        assert idle.bounding_box()["height"] < 2 * PRESS  # type: ignore[index]
        idle.tap()
    measured(page, "why")
    looked_at(page, f"{system}, why", first=system == "pnc")
    counted, tick = why.locator(".sources > li:not(.idle)"), why.locator(".count-it").first
    many = counted.count()
    control = page.locator(f"#{tick.get_attribute('for')}")
    assert not control.is_checked() and tick.bounding_box()["height"] >= PRESS  # type: ignore[index]
    tick.tap()
    expect(control).to_be_checked()
    expect(counted).to_have_count(many + 1)
    expect(page.locator("#tray details.why[open]")).to_have_count(1)
    measured(page, "counted")


def test_what_counts_stands_on_the_row_that_is_used(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("table", "questworlds")
    server.lay("hurt", laid["address"], "Bob", "Broken wrist", 2)
    page = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    page.goto(f"{server.url}{laid['address']}")
    row = page.locator("#tray .lines > div > div").first
    was = row.locator(".notation").inner_text()
    row.locator("label").first.tap()
    page.locator("#tray .used .notation del").wait_for()
    assert row.locator("del").inner_text() == was != row.locator(".notation b").inner_text()
    assert "Broken wrist" in row.locator(".chip-tick.bound").inner_text()
    assert row.locator(".notation b").inner_text() in page.locator("#forecast button").first.inner_text()
    measured(page, "chosen")
    assert row.bounding_box()["y"] + row.bounding_box()["height"] < LOW - DOCK  # type: ignore[index]


@pytest.mark.parametrize("name", ["Bob", "Alice"])
def test_style_dice_on_a_phone_lead_with_the_bowl_and_fit(server: Server, guest: MakeGuest, name: str) -> None:
    """As they are brought out, and after the first act that is asked for. They are a page beside the table."""
    laid = server.lay("table", "pdq_sharp")
    page = logged_in(guest("phone"), server, laid["cookies"][name])
    page.goto(f"{server.url}{laid['address']}contests/ongoing/style-dice/")
    for state in ("begun", "later"):
        pictured(page, f"style-dice-{name}-{state}")
        bowl = page.locator(".purses").bounding_box()
        assert bowl and bowl["y"] + bowl["height"] <= LOW, (state, bowl)
        assert not overflow(page), state
        looked_at(page, f"style dice, {name}, {state}", first=state == "begun")
        if server.lay("step", laid["address"]) is None:
            break
        page.reload()
