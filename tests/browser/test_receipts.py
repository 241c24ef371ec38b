"""What a browser keeps of its rolls: receipts that agree, a file that the verifier reads, and a server that cheats."""
from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, expect

import verify
from tests.browser import doing
from tests.browser.conftest import Sit


@pytest.fixture
def at_the_table(sit: Sit) -> tuple[Page, str]:
    """Whoever runs the game, with somebody in a scene, and the campaign's address."""
    campaign, page, _ = sit("pdq")
    return page, campaign


def roll(page: Page, campaign: str, what: str) -> None:
    page.goto(campaign)
    tray = doing.tray(page)
    doing.say(tray, what)
    tray.get_by_label(re.compile("Knife")).first.check()
    tray.locator("#forecast button.primary").click()
    expect(page.locator("#rolled")).to_contain_text(what)


def kept(page: Page) -> dict[str, Any]:
    """What the browser keeps, once it has compared what it sent."""
    until(page, "dice.load().receipts.filter((each) => each.entry).length")
    receipts: dict[str, Any] = page.evaluate("dice.load()")
    return receipts


def change(page: Page, script: str) -> None:
    """Changes what the browser keeps, as if it had seen something else; `kept` is what it keeps."""
    page.evaluate(f"() => {{ const kept = dice.load(); {script}; dice.save(kept); }}")


def until(page: Page, true: str) -> None:
    """Waits for a script to find this true; asked from outside, as a page's own policy lets it evaluate no text."""
    for _ in range(200):
        if page.evaluate(true):
            return
        page.wait_for_timeout(50)
    raise AssertionError(true)


WARNING = "#dice-warning"


def test_every_roll_has_a_receipt_that_agrees_with_its_entry(
    at_the_table: tuple[Page, str], tmp_path: Path
) -> None:
    page, campaign = at_the_table
    for what in ("Climb down", "Climb up"):
        roll(page, campaign, what)
    until(page, "dice.load().receipts.filter((each) => each.entry).length === 2")
    known = kept(page)
    rolls = [receipt for receipt in known["receipts"] if receipt.get("entry")]
    assert [(roll["number"], roll["entry"]["number"]) for roll in rolls] == [(1, 1), (2, 2)]
    assert len({roll["seed"] for roll in rolls}) == 2 and all(roll["commitment"] for roll in rolls)
    assert known["warnings"] == [] and known["elsewhere"] == []
    page.goto(f"{campaign}ledger/receipts/")
    expect(page.get_by_role("cell", name="agrees")).to_have_count(2)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save receipts as a file").click()
    receipts, export = tmp_path / "receipts.jsonl", tmp_path / "trail.jsonl"
    saved.value.save_as(receipts)
    export.write_bytes(page.request.get(f"{campaign}ledger/export/").body())
    assert verify.main([str(export), "--receipts", str(receipts)]) == verify.SOUND
    expect(page.locator(WARNING)).to_have_count(0)


def test_a_refused_form_goes_again_with_the_same_seed_and_never_brings_one_back(
    at_the_table: tuple[Page, str]
) -> None:
    page, campaign = at_the_table
    page.goto(f"{campaign}people/invite/")
    page.locator("main form input[name=client_seed]").first.wait_for(state="attached")
    assert page.locator("main form input[name=client_seed]").first.input_value() == ""
    script = """() => { const form = document.querySelector("main form"); form.addEventListener("submit", (event) =>
      event.preventDefault()); const send = () => { form.requestSubmit(); return form.client_seed.value; };
      for (const field of form.elements) field.required = false;
      return [send(), send()]; }"""
    first, second = page.evaluate(script)
    assert len(first) == 64 and first == second


def forge(page: Page, how: Callable[[dict[str, Any]], None]) -> None:
    """From here on the server tells the chain otherwise."""
    def answer(route: Route) -> None:
        with suppress(Error):  # a page that is left meanwhile takes no answer; the next one asks again
            response = route.fetch()
            body = response.json()
            how(body)
            route.fulfill(response=response, json=body)

    page.route(re.compile(r"/ledger/since/"), answer)


def other_seed(answer: dict[str, Any]) -> None:
    for row in answer["entries"]:
        if row["payload"]:
            payload = json.loads(row["payload"])
            payload["dice"]["client_seed"] = "ab" * 32
            row["payload"] = json.dumps(payload)


def other_number(answer: dict[str, Any]) -> None:
    for row in answer["entries"]:
        if row["payload"]:
            payload = json.loads(row["payload"])
            payload["dice"]["number"] = 0
            row["payload"] = json.dumps(payload)


def other_faces(answer: dict[str, Any]) -> None:
    for row in answer["entries"]:
        if row["payload"]:
            row["payload"] = row["payload"].replace('"faces":[', '"faces":[6,')


def other_past(answer: dict[str, Any]) -> None:
    answer["entries"][0]["hash"] = "ab" * 32


def shorter(answer: dict[str, Any]) -> None:
    answer["head"]["seq"], answer["entries"] = 2, []


def broken(answer: dict[str, Any]) -> None:
    if len(answer["entries"]) > 1:
        envelope = json.loads(answer["entries"][1]["envelope"])
        answer["entries"][1]["envelope"] = json.dumps({**envelope, "prev": "ab" * 32})


OTHERWISE = {
    other_seed: "another seed than this browser sent", other_number: "came from secret 0",
    other_faces: "its text is not what its place in the chain was made with",
    other_past: "another one than this browser has seen",
    shorter: "The Ledger ends at entry 2", broken: "does not follow from the entry before",
}


def test_a_server_that_tells_it_otherwise_is_found_out_for_good(at_the_table: tuple[Page, str]) -> None:
    page, campaign = at_the_table
    said = ""
    for how, said in OTHERWISE.items():
        page.goto(f"{campaign}characters/")
        page.evaluate("localStorage.clear()")  # it is somebody else’s browser, who has seen nothing of it
        forge(page, how)
        roll(page, campaign, "Climb down")
        expect(page.locator(WARNING)).to_contain_text(said)
        page.unroute(re.compile(r"/ledger/since/"))
    page.goto(f"{campaign}characters/")
    expect(page.locator(WARNING)).to_contain_text(said)
    page.locator(WARNING).get_by_role("link").click()
    expect(page.get_by_role("main")).to_contain_text(said)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the evidence").click()
    assert said in Path(saved.value.path()).read_text()
    expect(page.locator(WARNING)).to_have_count(0)


def test_the_secret_has_to_be_the_one_that_was_shown(at_the_table: tuple[Page, str]) -> None:
    page, campaign = at_the_table
    roll(page, campaign, "Climb down")
    kept(page)
    # As if the page had shown another digest before the seed was sent.
    page.goto(campaign)
    page.locator("[data-dice]").evaluate("(each) => { each.dataset.commitment = 'ab'.repeat(32); }")
    page.evaluate("() => { const form = document.querySelector('#tray form, form#tray'); form.requestSubmit(); }")
    expect(page.locator(WARNING)).to_contain_text("not the one that this browser was shown")


def test_a_roll_from_another_device_is_told_of(at_the_table: tuple[Page, str]) -> None:
    page, campaign = at_the_table
    roll(page, campaign, "Climb down")
    saved = kept(page)
    seq = next(receipt["entry"]["seq"] for receipt in saved["receipts"] if receipt.get("entry"))
    change(page, "kept.receipts = []")
    # From the first entry on, with a receipt of nothing: that roll is somebody else's.
    first = page.request.get(f"{campaign}ledger/since/1/").json()["entries"][0]
    change(page, f"kept.head = {{ seq: 1, hash: '{first['hash']}' }}")
    page.goto(f"{campaign}characters/")
    until(page, "dice.load().elsewhere.length === 1")
    assert page.evaluate("dice.load().elsewhere") == [seq]
    page.goto(f"{campaign}ledger/receipts/")
    expect(page.get_by_text("Rolls in your name that this browser did not send")).to_be_visible()
    expect(page.locator(WARNING)).to_have_count(0)
