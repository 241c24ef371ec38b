"""The network is off: what a player may read is there, as of when; and gone as soon as somebody else could read it."""
from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Error, Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import Guest
from tests.browser.serving import Server
from tests.gate import seldom

AS_OF = "You’re offline. Last updated"
WITHIN = 90  # seconds, until all is kept on a machine that has much else to do
LIST = "/offline/list/"
KEPT = """async () => {
  const found = {};
  for (const name of (await caches.keys()).filter((each) => each.startsWith("kept "))) {
    const cache = await caches.open(name);
    for (const each of await cache.keys()) found[new URL(each.url).pathname] = await (await cache.match(each)).text();
  }
  return found;
}"""
Device = Callable[..., tuple[Guest, dict[str, Any]]]


@pytest.fixture
def device(guest: MakeGuest, server: Server) -> Device:
    """Somebody of a scene with a phone that may keep pages, at Home: `device("Bob")`; with where the campaign is."""
    def come_in(name: str = "Bob") -> tuple[Guest, dict[str, Any]]:
        laid = server.lay("scene", "pdq")
        one = guest("phone", service_workers="allow")
        logged_in(one, server, laid["cookies"][name]).goto("/")
        return one, laid

    return come_in


def kept(page: Page) -> dict[str, str]:
    """All that this device keeps of anybody, by address."""
    pages: dict[str, str] = page.evaluate(KEPT)
    return pages


def until(page: Page, holds: Callable[[dict[str, str]], bool]) -> dict[str, str]:
    """Waits until what is kept is so; answers it."""
    deadline, pages = time.monotonic() + WITHIN, dict[str, str]()
    while time.monotonic() < deadline:
        with suppress(Error):  # the page was just becoming another one
            pages = kept(page)
            if holds(pages):
                return pages
        page.wait_for_timeout(100)
    raise AssertionError(sorted(pages))


def fill(page: Page, campaign: str) -> dict[str, str]:
    """Waits until the device keeps all that it is to."""
    def whole(pages: dict[str, str]) -> bool:
        wanted = {urlsplit(page["at"]).path for page in json.loads(pages.get(LIST, '{"pages": []}'))["pages"]}
        return f"{campaign}chronicle/" in wanted and wanted <= set(pages)

    return until(page, whole)


def write(page: Page, campaign: str) -> None:
    """A recap for everyone, and a note for oneself."""
    page.goto(f"{campaign}chronicle/")
    page.get_by_role("link", name="Write the recap").click()
    page.get_by_label("What happened").fill("The rope had been cut.")
    page.get_by_role("button", name="Save the recap").click()
    page.goto(f"{campaign}notes/new/")
    page.get_by_label("Title").fill("The reeve")
    page.get_by_label("Text").fill("He lied about the key.")
    page.locator("[name=whose][value=mine]").check()
    page.get_by_role("main").get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="The reeve")).to_be_visible()


def go_away(one: Guest) -> None:
    """The network goes."""
    one.away = True
    one.context.set_offline(True)


def come_back(one: Guest) -> None:
    """It is there again."""
    one.context.set_offline(False)
    one.away = False


def test_home_the_sheet_with_its_whys_notes_chronicle_and_dates_open_without_a_network(device: Device) -> None:
    one, laid = device()
    page, campaign = one.page, laid["address"]
    write(page, campaign)
    note = urlsplit(page.url).path
    page.goto("/")
    until(page, lambda pages: "The rope had been cut" in pages.get(f"{campaign}chronicle/", ""))
    until(page, lambda pages: "The reeve" in pages.get(f"{campaign}notes/", "") and note in pages)
    fill(page, campaign)
    page.evaluate("document.fonts.ready")
    go_away(one)
    page.goto("/")
    expect(page.locator("#offline")).to_contain_text(AS_OF)
    expect(page.get_by_role("heading", name="Kept on this device")).to_be_visible()
    page.get_by_role("region", name="Your sheets").get_by_role("link", name="Ilse").click()
    expect(page.get_by_role("heading", name="Ilse", exact=True)).to_be_visible()
    expect(page.locator("#offline")).to_contain_text(AS_OF)
    page.locator("a.why").first.click()
    expect(page.locator(".because-place .entry").first).to_be_visible()
    expect(page.get_by_role("main").locator("form button:enabled")).to_have_count(0)
    expect(page.locator("summary", has_text="Retire character")).to_have_attribute("aria-disabled", "true")
    for address, heading in (("chronicle/", "Chronicle"), ("dates/", "Dates"), ("notes/", "Notes")):
        page.goto(f"{campaign}{address}")
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        expect(page.locator("#offline")).to_contain_text(AS_OF)
    page.get_by_role("link", name="The reeve").click()
    expect(page.get_by_text("He lied about the key.")).to_be_visible()
    page.goto(f"{campaign}chronicle/")
    expect(page.get_by_text("The rope had been cut.")).to_be_visible()
    page.goto(f"{campaign}characters/mine/")
    expect(page.get_by_role("heading", name="Ilse", exact=True)).to_be_visible()
    page.goto(f"{campaign}ledger/")
    expect(page.get_by_role("heading", name="This page needs the network")).to_be_visible()
    come_back(one)
    page.goto("/")
    expect(page.locator("#offline")).to_be_hidden()


def test_whoever_logs_out_leaves_nothing_and_another_finds_nothing(device: Device, server: Server) -> None:
    one, laid = device()
    page = one.page
    before = fill(page, laid["address"])
    assert any("Ilse" in text for text in before.values())
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("main").get_by_role("link", name="Log in")).to_be_visible()
    until(page, lambda pages: not pages)
    doing.sign_up(page, doing.unique("Zora"))
    after = until(page, lambda pages: "/" in pages)
    assert set(after) == {"/", LIST}
    assert not [text for text in after.values() if "Ilse" in text or laid["address"] in text]
    assert len(page.evaluate("caches.keys()")) == 2  # the site’s own files, and hers
    go_away(one)
    page.goto(laid["address"] + "chronicle/")
    expect(page.get_by_role("heading", name="This page needs the network")).to_be_visible()
    come_back(one)


def test_another_log_in_without_a_log_out_finds_nothing(device: Device, server: Server) -> None:
    one, laid = device()
    page = one.page
    fill(page, laid["address"])
    other = server.lay("scene", "pdq")
    logged_in(one, server, other["cookies"]["Bob"]).goto("/")
    after = fill(page, other["address"])
    assert not [address for address, text in after.items() if laid["address"] in f"{address} {text}"]


def test_a_gm_keeps_home_alone_and_nothing_of_the_campaign(device: Device) -> None:
    one, laid = device("Alice")
    page = one.page
    until(page, lambda pages: "/" in pages)
    page.goto(f"{laid['address']}characters/")
    page.get_by_role("link", name="Old Marrow").click()
    page.goto("/")
    pages = kept(page)
    assert set(pages) == {"/", LIST}
    assert not [text for text in pages.values() if laid["address"] in text or "Marrow" in text]
    go_away(one)
    page.goto("/")
    expect(page.get_by_text("Campaigns that you run need the network.")).to_be_visible()
    come_back(one)


def test_who_was_removed_keeps_nothing_of_the_campaign_once_they_look(
    device: Device, guest: MakeGuest, server: Server
) -> None:
    one, laid = device()
    fill(one.page, laid["address"])
    alice = logged_in(guest("desk"), server, laid["cookies"]["Alice"])
    alice.goto(f"{laid['address']}people/")
    alice.get_by_role("link", name=re.compile("^Remove")).first.click()
    alice.get_by_role("main").get_by_role("button", name=re.compile("^Remove")).click()
    one.expect(404, laid["address"])
    one.page.goto(laid["address"])
    until(one.page, lambda pages: not [item for item in pages.items() if laid["address"] in "".join(item)])


def test_a_device_is_forgotten_from_the_account_page_and_keeps_nothing_until_told_otherwise(device: Device) -> None:
    one, laid = device()
    page = one.page
    fill(page, laid["address"])
    page.goto("/account/")
    page.get_by_role("button", name="Forget this device").click()
    expect(page.get_by_text("Nothing is kept on this device any longer.")).to_be_visible()
    assert page.evaluate("caches.keys()") == []
    page.goto("/")
    expect(page.get_by_role("region", name="Your sheets")).to_be_visible()
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    page.goto("/account/")
    page.get_by_role("button", name="Keep my pages on this device").click()
    fill(page, laid["address"])


def test_after_fourteen_days_nothing_is_shown(device: Device) -> None:
    one, laid = device()
    page = one.page
    fill(page, laid["address"])
    page.evaluate("""async () => {
      const name = (await caches.keys()).find((each) => each.startsWith("kept ")), cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const old = await cache.match(request), headers = new Headers(old.headers);
        headers.set("X-Kept-At", Date.now() - 14 * 24 * 3600 * 1000 - 1);
        if (old.status === 200) await cache.put(request, new Response(await old.text(), { headers }));
      }
    }""")
    go_away(one)
    page.goto("/")
    expect(page.get_by_role("heading", name="This page needs the network")).to_be_visible()
    come_back(one)


def release_anew(server: Server) -> None:
    """Another release: a script of each page has another name, and the old one is gone."""
    statics = server.log.parent / "static"
    manifest = json.loads((statics / "staticfiles.json").read_text())
    old = statics / manifest["paths"]["js/pages.js"]
    manifest["paths"]["js/pages.js"], manifest["hash"] = "js/pages.another.js", "another"
    (statics / "js" / "pages.another.js").write_text(old.read_text())
    server.stop()
    (statics / "staticfiles.json").write_text(json.dumps(manifest))
    for file in (old, *old.parent.glob(f"{old.name}.*")):
        file.unlink()
    server.start()


def test_a_release_takes_over_at_the_next_load_and_no_page_meets_a_script_of_another(
    device: Device, server: Server
) -> None:
    one, laid = device()
    page = one.page
    fill(page, laid["address"])
    one.away = True
    release_anew(server)
    one.away = False
    page.goto("/")
    pages = until(page, lambda pages: f"{laid['address']}chronicle/" in pages and "/" in pages and all(
        "pages.another.js" in text for address, text in pages.items() if text.startswith("<!doctype")))
    assert not [text for text in pages.values() if text.startswith("<!doctype") and "js/pages.another.js" not in text]
    until(page, lambda _: all(re.match("(site|kept) another", key) for key in page.evaluate("caches.keys()")))
    fill(page, laid["address"])
    go_away(one)
    page.goto(f"{laid['address']}chronicle/")
    expect(page.locator("#offline")).to_contain_text(AS_OF)
    come_back(one)


@seldom
def test_a_network_that_hangs_is_as_good_as_none(device: Device, server: Server) -> None:
    one, laid = device()
    page = one.page
    fill(page, laid["address"])
    one.away = True
    with server.held():
        page.goto(f"{laid['address']}characters/mine/")
        expect(page.get_by_role("heading", name="Ilse", exact=True)).to_be_visible()
        expect(page.locator("#offline")).to_contain_text(AS_OF)
        page.locator("a.why").first.click()
        expect(page.locator(".because-place .entry").first).to_be_visible()
        page.goto(f"{laid['address']}ledger/", timeout=60_000)
        expect(page.get_by_role("heading", name="This page needs the network")).to_be_visible()
        page.goto("/")
        expect(page.locator("#offline")).to_contain_text(AS_OF)
    expect(page.locator("#offline")).to_be_hidden(timeout=60_000)
    assert page.locator("html[data-kept]").count() == 0, "it is there again, and the page is the new one"
    one.away = False


def test_the_picture_on_ones_sheet_is_kept_and_goes_with_the_rest(device: Device) -> None:
    one, laid = device()
    page, campaign = one.page, laid["address"]
    fill(page, campaign)
    page.goto(f"{campaign}characters/mine/")
    page.get_by_role("link", name="Add a portrait").click()
    picture = io.BytesIO()
    Image.new("RGB", (300, 300), (90, 60, 30)).save(picture, "PNG")
    page.locator("[name=picture]").set_input_files(
        {"name": "me.png", "mimeType": "image/png", "buffer": picture.getvalue()})
    page.get_by_role("main").get_by_role("button").last.click()
    expect(page.locator("img.portrait")).to_be_visible()
    where = urlsplit(page.locator("img.portrait").evaluate("picture => picture.src")).path
    page.goto("/")
    until(page, lambda pages: where in pages)
    one.context.new_cdp_session(page).send("Network.clearBrowserCache")  # what a browser keeps by itself is not meant
    go_away(one)
    page.goto(f"{campaign}characters/mine/")
    expect(page.locator("img.portrait")).to_be_visible()
    drawn = "async picture => (await picture.decode(), picture.naturalWidth)"
    assert page.locator("img.portrait").evaluate(drawn) == 300
    come_back(one)
    page.goto("/")
    page.get_by_role("button", name="Log out").click()
    until(page, lambda pages: not pages)
