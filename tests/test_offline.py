"""What a browser may keep for when there is no network: a player's pages, for one log-in, and no GM's."""
from __future__ import annotations

import io
import json
import re
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts import offline
from campaigns.models import Member, Role
from campaigns.services import members, pages
from campaigns.services.founding import found
from config.offline import FILES
from tests import laid
from tests.conftest import join, logged_in, person
from tests.effort import some
from tests.games import ROLLED
from tests.play.conftest import character
from tests.test_canary import WORD, addresses, begun, everything, hide_the_word

pytestmark = pytest.mark.django_db

SHELF = ("chronicle", "dates", "pages")


@pytest.fixture(autouse=True)
def _released(monkeypatch: pytest.MonkeyPatch) -> None:
    """The site as its static files are when they were collected."""
    for module in ("accounts.offline", "config.offline"):
        monkeypatch.setattr(f"{module}.release", lambda: "r1")


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Any:
    return character(campaign, bobs, "Ilse", [("strength", "Maps", 2)], player=bobs)


def listed(browser: Client) -> dict[str, Any]:
    """What the browser is to keep, by address."""
    said = browser.get("/offline/list/").json()
    return {page["url"]: page for page in said["pages"]}


def keeper(browser: Client) -> str:
    return str(browser.get("/offline/list/").json()["keeper"])


def header(browser: Client, address: str, **said: str) -> str | None:
    return browser.get(address, headers=said).headers.get(offline.HEADER)


def test_a_player_keeps_home_their_sheets_with_every_why_their_notes_the_chronicle_and_the_dates(
    as_bob: Client, campaign: Any, bobs: Any, ilse: Any
) -> None:
    note = pages.write(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), title="The road", words="North", whose="mine")
    address = reverse("page", args=[campaign.slug, pages.id_from(campaign, note.op_id)])
    sheet = reverse("sheet", args=[campaign.slug, ilse.pk])
    wanted = listed(as_bob)
    assert {"/?offline", sheet, address, *(reverse(route, args=[campaign.slug]) for route in SHELF)} <= set(wanted)
    whys = set(re.findall(r'href="([^"]+/why/[^"]+)"', as_bob.get(sheet).content.decode()))
    assert whys and whys <= {url for url, page in wanted.items() if page["part"]}
    mine = as_bob.get(reverse("my_sheet", args=[campaign.slug]))
    assert mine["Location"] == sheet
    allowed = f"r1 {keeper(as_bob)}"
    for url, page in wanted.items():
        if not url.endswith("/mine/"):
            assert header(as_bob, url, **({"HX-Request": "true"} if page["part"] else {})) == allowed, url


def test_it_is_for_one_log_in_alone(as_bob: Client, bob: Any) -> None:
    first, again = keeper(as_bob), keeper(logged_in(bob))
    assert len(first) == 32
    assert first != again
    assert str(bob.pk) not in first
    assert Client().get("/offline/list/").json() == {"release": "r1", "keeper": "", "pages": []}
    as_bob.post("/log-out/")
    assert keeper(as_bob) == ""


def test_a_page_is_fetched_again_when_something_happened(as_bob: Client, campaign: Any, bobs: Any, ilse: Any) -> None:
    before = listed(as_bob)
    join(campaign, person("Nils"), Role.PLAYER)
    after = listed(as_bob)
    chronicle, notes = (reverse(route, args=[campaign.slug]) for route in ("chronicle", "pages"))
    assert before[chronicle]["stamp"] != after[chronicle]["stamp"]
    pages.write(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), title="The road", words="North", whose="mine")
    assert after[notes]["stamp"] != listed(as_bob)[notes]["stamp"]
    whys = [url for url, page in before.items() if page["part"]]
    assert whys and all(before[url] == after[url] for url in whys)


def test_who_was_removed_is_to_keep_nothing_of_the_campaign(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any
) -> None:
    assert any(campaign.slug in url for url in listed(as_bob))
    members.remove(campaign=campaign, actor=alices, op_id=uuid.uuid4(), member_id=bobs.pk)
    assert list(listed(as_bob)) == ["/?offline"]
    assert header(as_bob, reverse("sheet", args=[campaign.slug, ilse.pk])) is None


def test_nothing_that_a_gm_reads_is_kept(as_alice: Client, campaign: Any, ilse: Any) -> None:
    assert list(listed(as_alice)) == ["/?offline"]
    assert header(as_alice, "/") is None
    wrong = [address for _, address in addresses(everything(campaign)) if header(as_alice, address)]
    assert not wrong


def test_who_runs_one_campaign_and_plays_in_another_keeps_home_without_the_first(
    as_bob: Client, bob: Any, campaign: Any, bobs: Any
) -> None:
    found(user=bob, op_id=uuid.uuid4(), name="Bob’s own cellar", system="pdq")
    assert header(as_bob, "/") is None
    kept = as_bob.get("/?offline")
    assert kept.headers[offline.HEADER]
    assert "own cellar" not in kept.content.decode()
    assert campaign.name in kept.content.decode()
    assert "Campaigns that you run need the network." in kept.content.decode()


def test_a_gm_who_looks_as_a_player_keeps_nothing(as_alice: Client, campaign: Any, bobs: Any, ilse: Any) -> None:
    as_alice.post(reverse("view_as", args=[campaign.slug, bobs.pk]))
    sheet = reverse("sheet", args=[campaign.slug, ilse.pk])
    assert "You are viewing this campaign as" in as_alice.get(sheet).content.decode()
    assert header(as_alice, sheet) is None


@pytest.mark.parametrize("system", some(ROLLED, "danger_world"))
def test_what_gms_alone_read_is_in_nothing_that_may_be_kept(system: str) -> None:
    campaign = found(user=person("Alice"), op_id=uuid.uuid4(), name="The Salt Road", system=system)
    gm, player = campaign.members.get(), join(campaign, person("Bob"), Role.PLAYER)
    begun(campaign, gm, player)
    hide_the_word(campaign, gm)
    bob, alice = (logged_in(member.user) for member in (player, gm))
    for browser in (bob, alice):
        for url in listed(browser):
            answer = browser.get(url)
            assert WORD.casefold() not in answer.content.decode().casefold(), url
    assert len(listed(bob)) > 4


def test_an_answer_to_a_post_is_never_kept(as_bob: Client, campaign: Any, ilse: Any) -> None:
    sheet = reverse("sheet", args=[campaign.slug, ilse.pk])
    assert header(as_bob, sheet)
    answer = as_bob.post(sheet)
    assert answer.status_code == 200
    assert offline.HEADER not in answer.headers


def test_what_is_said_once_is_not_said_to_nobody(as_bob: Client, campaign: Any) -> None:
    as_bob.post("/account/", {
        "username": "Bob", "email": "b@example.org", "time_zone": "Europe/Lisbon", "password": "a long password"})
    assert "Saved." not in as_bob.get("/", headers={offline.HEADER: "1"}).content.decode()
    assert "Saved." in as_bob.get("/").content.decode()


def test_the_worker_is_looked_for_anew_at_each_load_and_is_another_with_each_release(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/worker.js")
    assert first["Cache-Control"] == "no-cache"
    assert first["Content-Type"].startswith("text/javascript")
    assert "script-src 'self'" in first["Content-Security-Policy"]
    monkeypatch.setattr("config.offline.release", lambda: "r2")
    assert client.get("/worker.js").content != first.content


def test_the_manifest_has_icons_that_are_there(client: Client) -> None:
    said = json.loads(client.get("/manifest.webmanifest").content)
    assert (said["start_url"], said["scope"], said["display"]) == ("/", "/", "standalone")
    for icon in said["icons"]:
        assert (settings.BASE_DIR / "static" / icon["src"].removeprefix("/static/")).is_file()


def test_the_page_for_what_is_not_kept_names_nobody(as_bob: Client) -> None:
    page = as_bob.get("/offline/").content
    assert b"This page needs the network" in page
    assert b"Bob" not in page
    assert page == Client().get("/offline/").content


def test_what_pages_are_drawn_with_is_kept_beside_them(as_bob: Client, campaign: Any, ilse: Any) -> None:
    kept = {*FILES, *(source for name in FILES for source in settings.JOINED_FILES.get(name, ()))}
    linked = re.compile(r'<(?:link rel="(?:stylesheet|icon)"|script)[^>]*(?:href|src)="/static/([^"]+)"')
    for url, page in listed(as_bob).items():
        if not page["part"] and not url.endswith("/mine/"):
            assert set(linked.findall(as_bob.get(url).content.decode())) <= kept, url


def test_what_their_styles_draw_is_kept_too() -> None:
    """On a network that hangs a page would wait for it. Letters that English does not need may be lacking."""
    static = settings.BASE_DIR / "static"
    styles = [source for name in FILES if name.endswith(".css") for source in settings.JOINED_FILES.get(name, [name])]
    drawn = {(static / name).parent / url for name in styles for url in re.findall(
        r"""url\(["']?([^"')]+)""", (static / name).read_text()) if not url.startswith("data:")}
    wanted = {str(path.resolve().relative_to(static)) for path in drawn}
    assert {name for name in wanted if name.startswith("img/") or "-core-" in name} <= {*FILES}
    assert any(name.startswith("img/") for name in wanted)


def test_pictures_on_kept_pages_are_kept_each_within_its_bounds(
    as_bob: Client, as_alice: Client, campaign: Any, bobs: Any, ilse: Any
) -> None:
    note = pages.write(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), title="The road", words="North", whose="mine")
    of_note = reverse("page_picture", args=[campaign.slug, pages.id_from(campaign, note.op_id)])
    of_ilse = reverse("portrait", args=[campaign.slug, ilse.pk])
    for address, colour in ((of_note, "red"), (of_ilse, "blue")):
        drawn = io.BytesIO()
        Image.new("RGB", (30, 30), colour).save(drawn, "PNG")
        picture = SimpleUploadedFile("me.png", drawn.getvalue())
        assert as_bob.post(address, {"op_id": str(uuid.uuid4()), "picture": picture}).status_code == 302
    pictures = {url for url, wanted in listed(as_bob).items() if wanted["picture"]}
    assert len(pictures) == 2
    for url in pictures:
        assert header(as_bob, url) == f"r1 {keeper(as_bob)}" and as_bob.get(url)["Content-Type"] == "image/webp"
    assert not [url for url in pictures if header(as_alice, url)], "a GM's browser keeps none"
    assert not [url for url, wanted in listed(as_alice).items() if wanted["picture"]]
    shown = as_bob.get(reverse("sheet", args=[campaign.slug, ilse.pk])).content.decode()
    assert [url for url in pictures if f'src="{url}"' in shown], "it is what the sheet shows"


def test_my_sheet_is_one_tap_from_home(as_bob: Client, campaign: Any, ilse: Any) -> None:
    page = as_bob.get("/").content.decode()
    assert "Your sheets" in page
    assert reverse("sheet", args=[campaign.slug, ilse.pk]) in page


def test_home_tells_of_no_sheet_of_others(as_alice: Client, campaign: Any, ilse: Any) -> None:
    assert "Your sheets" not in as_alice.get("/").content.decode()
    assert Member.objects.filter(campaign=campaign).count() > 1
