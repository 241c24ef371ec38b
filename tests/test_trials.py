"""A table that a visitor tries without an account: in a file of its own, bounded, and gone after a day."""
from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import User
from campaigns.models import Campaign, Entry
from config.trials import files, services, work
from config.trials.door import COOKIE, NOT_HERE, OUTSIDE
from rules.registry import SYSTEMS
from tests.gate import seldom
from tests.html_forms import Page
from tests.upgrade.opening import addresses, things

pytestmark = pytest.mark.django_db
SIGNED_UP = {"username": "Dora", "password1": "a-long-long-word", "password2": "a-long-long-word"}


@pytest.fixture(scope="session")
def empty(tmp_path_factory: Any, django_db_setup: None, django_db_blocker: Any) -> Path:
    """The empty database of this release, made once."""
    folder = tmp_path_factory.mktemp("empty")
    with django_db_blocker.unblock(), patch("config.trials.files.folder", lambda: folder):
        files.prepare()
        return files.empty()


@pytest.fixture(autouse=True)
def room(settings: Any, tmp_path: Path, empty: Path) -> None:
    """Room for three tables, two in an hour from one address."""
    settings.TRIALS, settings.TRIALS_AN_HOUR, settings.TRIALS_FOLDER = 3, 2, str(tmp_path)
    shutil.copyfile(empty, tmp_path / empty.name)


@pytest.fixture
def visitor() -> Client:
    """Somebody who has pressed."""
    return begun(Client())


@pytest.fixture
def inside(visitor: Client) -> Iterator[Campaign]:
    """Within the visitor's file: their campaign."""
    with files.at(trial(visitor).file):
        yield Campaign.objects.get()


def begun(browser: Client, game: str = "pdq", address: str = "192.0.2.1") -> Client:
    """Presses on the landing page."""
    browser.defaults["REMOTE_ADDR"] = address
    answer = Page(browser.get("/")).form(action="/try/").send(browser, game=game)
    assert answer.status_code == 302, answer.content
    return browser


def trial(browser: Client) -> files.Trial:
    """The table of this browser."""
    trial_id = files.trial_of(browser.cookies[COOKIE].value)
    assert trial_id
    return trial_id


def counted() -> list[int]:
    """What the site's own database holds of people and their campaigns."""
    return [model.objects.count() for model in (User, Campaign, Entry, Session)]


@pytest.mark.parametrize("game", [slug for slug, rules in SYSTEMS.items() if rules.sample])
def test_one_press_leads_to_a_table_of_ones_own_and_the_next_rolls(game: str) -> None:
    before, browser = counted(), Client()
    assert game in Page(browser.get("/")).form(action="/try/").controls["game"].offered
    answer = browser.post("/try/", {"game": game, "zone": "Asia/Tokyo"})  # the zone is the script’s to say
    address = answer["Location"].removesuffix("#tray")
    page = browser.get(address)
    words = page.content.decode()
    assert "Trial table until" in words and "Delete sample" not in words
    form = Page(page).form(action=f"{address}roll/")
    # What a game asks to be chosen, with what it is rolled.
    needed = {"danger_world": ("stats", 2), "questworlds": ("ability", 1)}.get(game)
    chosen = {needed[0]: list(filter(None, form.controls[needed[0]].offered))[:needed[1]]} if needed else {}
    with files.at(trial(browser).file):
        entries = Entry.objects.count()
        assert User.objects.get().time_zone == "Asia/Tokyo"
    rolled = form.send(browser, **chosen)
    assert rolled.status_code == 302, Page(rolled).errors
    with files.at(trial(browser).file):
        assert Entry.objects.count() > entries
    assert counted() == before, "nothing of it is in the site’s own database"


def test_nobody_has_the_table_of_another(visitor: Client, inside: Campaign, as_bob: Client) -> None:
    other = begun(Client(), "pnc")
    for browser in (other, as_bob, Client()):
        assert browser.get(f"/c/{inside.slug}/").status_code in (302, 404)
    assert visitor.get(f"/c/{inside.slug}/").status_code == 200
    assert trial(visitor).file != trial(other).file


def test_a_cookie_that_is_not_ours_is_taken_back() -> None:
    for forged in ("1-x", f"{'9' * 12}-x.key", f"{'9' * 12}-../../table.key:signed", ""):
        browser = Client()
        browser.cookies[COOKIE] = forged
        answer = browser.get("/")
        assert "Try a table" in answer.content.decode() and answer.cookies[COOKIE].value == ""


def test_it_is_gone_whole_after_a_day(visitor: Client, inside: Campaign) -> None:
    file, begun_at = trial(visitor).file, timezone.now()
    with patch("django.utils.timezone.now", lambda: begun_at + timedelta(hours=23)):
        files.sweep()
        assert file.exists() and visitor.get(f"/c/{inside.slug}/").status_code == 200
    with patch("django.utils.timezone.now", lambda: begun_at + timedelta(hours=24, seconds=1)):
        answer = visitor.get("/")
        assert "Try a table" in answer.content.decode(), "its cookie opens nothing from then on, whoever sweeps"
        files.sweep()
    assert not list(file.parent.glob(f"{file.name}*"))


def test_a_worker_deletes_each_when_it_is_over() -> None:
    first, second = begun(Client()), begun(Client())
    mine = DBTaskResult.objects.get(task_path="config.trials.work.sweep")
    assert abs(mine.run_after - trial(first).until) < timedelta(seconds=2)
    later, over = trial(second).file, trial(first).until
    later.rename(later.with_name(f"{int(over.timestamp()) + 600}-{later.name.partition('-')[2]}"))
    DBTaskResult.objects.all().delete()
    with patch("django.utils.timezone.now", lambda: over + timedelta(seconds=1)):
        work.sweep.func()
    assert len(files.there()) == 1
    again = DBTaskResult.objects.get(task_path="config.trials.work.sweep")
    assert again.run_after - over >= timedelta(seconds=599), "it comes again for the next"


def test_so_many_from_one_address_in_an_hour() -> None:
    for _ in range(2):
        begun(Client())
    answer = Client().post("/try/", {"game": "pdq"}, REMOTE_ADDR="192.0.2.1")
    assert answer.status_code == 429 and int(answer["Retry-After"]) > 0
    assert "Too many trial tables were begun from your network." in answer.content.decode()
    begun(Client(), address="198.51.100.1")


def test_so_many_in_all() -> None:
    for number in range(3):
        begun(Client(), address=f"192.0.2.{number}")
    answer = Client().post("/try/", {"game": "pdq"}, REMOTE_ADDR="198.51.100.1")
    assert answer.status_code == 503 and services.NOT_NOW in answer.content.decode()
    assert len(files.there()) == 3


@pytest.mark.parametrize(("name", "value"), [
    ("REGISTRATION", "closed"), ("REGISTRATION", "invite"), ("TRIALS", 0), ("TRIALS_FOLDER", "/nowhere")])
def test_where_strangers_may_not_sign_up_or_there_is_no_room_none_is_offered(
    settings: Any, name: str, value: Any,
) -> None:
    setattr(settings, name, value)
    assert "Try a table" not in Client().get("/").content.decode()
    assert Client().post("/try/", {"game": "pdq"}).status_code == 503
    assert not files.there()


def test_whoever_is_logged_in_has_samples_instead(as_bob: Client) -> None:
    answer = as_bob.post("/try/", {"game": "pdq"})
    assert answer["Location"] == "/" and COOKIE not in answer.cookies and not files.there()


def test_what_a_trial_table_has_not_says_why(visitor: Client, inside: Campaign) -> None:
    have = {name: those[0] for name, those in things(inside).items() if those} | {
        "page_id": inside.pk, "shared_link_id": inside.pk, "invitation": inside.pk}
    from tests.upgrade.opening import routes

    needed = dict(routes())
    for route, why in NOT_HERE.items():
        address = reverse(route, kwargs={name: have[name] for name in needed[route]})
        for answer in (visitor.get(address), visitor.post(address)):
            assert answer.status_code == 403 and why in answer.content.decode(), route
    assert not set(NOT_HERE) & OUTSIDE


@seldom
def test_every_page_of_it_opens(visitor: Client, inside: Campaign) -> None:
    visitor.raise_request_exception = False
    wrong = []
    for route, address in [*addresses(inside)]:
        if route in OUTSIDE:
            continue
        if (answer := visitor.get(address)).status_code >= 500:
            wrong.append((route, answer.status_code))
    assert not wrong


def test_no_page_of_it_asks_the_sites_own_database_anything(visitor: Client) -> None:
    def refuse(*asked: Any) -> None:
        raise AssertionError(f"the site’s own database is asked {asked[1]}")

    with connection.execute_wrapper(refuse):
        address = visitor.get("/", follow=True).context["cards"][0].slug
        table = Page(visitor.get(f"/c/{address}/"))
        assert table.form(action="/roll/").send(visitor).status_code == 302
        for page in ("characters/", "ledger/", "ledger/export/", "chronicle/", "prepare/", "odds/", "search/?q=bell"):
            assert visitor.get(f"/c/{address}/{page}").status_code == 200
        assert visitor.get("/nowhere/").status_code == 404 and visitor.get("/account/").status_code == 403
        assert visitor.get("/c/other/").status_code == 404


def test_what_is_refused_has_the_headers_of_every_page(visitor: Client) -> None:
    answer = visitor.get("/account/")
    assert answer.status_code == 403 and "no-store" in answer["Cache-Control"]
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_a_download_holds_the_trial_tables_own_entries(visitor: Client) -> None:
    with files.at(trial(visitor).file):
        campaign = Campaign.objects.get()
    answer = visitor.get(f"/c/{campaign.slug}/ledger/export/")
    assert str(campaign.pk) in b"".join(answer.streaming_content).decode(), "also what is read after the view is theirs"


def test_whoever_signs_up_leaves_it_and_has_an_account_on_the_site(visitor: Client) -> None:
    form = Page(visitor.get("/sign-up/")).form(action="/sign-up/")
    answer = form.send(visitor, **SIGNED_UP)
    assert answer.status_code == 302 and User.objects.get(username="Dora").is_active
    assert answer.cookies[COOKIE].value == ""
    assert "Trial table" not in visitor.get("/").content.decode()


def test_logging_out_deletes_it(visitor: Client) -> None:
    file = trial(visitor).file
    assert visitor.post("/log-out/").cookies[COOKIE].value == "" and not file.exists()
    assert "Try a table" in visitor.get("/").content.decode()


def test_it_cannot_grow_without_end(visitor: Client, inside: Campaign) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count")
        pages = cursor.fetchone()[0]
        cursor.execute("PRAGMA page_size")
        assert pages * cursor.fetchone()[0] == 12 * 1024 * 1024


def test_only_the_thread_that_answers_a_visitor_is_at_their_file(visitor: Client) -> None:
    own, seen = connections["default"], []
    with files.at(trial(visitor).file):
        here = connections["default"]
        other = threading.Thread(target=lambda: seen.append(connections["default"].settings_dict["NAME"]))
        other.start()
        other.join()
    assert connections["default"] is own and here is not own
    assert seen == [own.settings_dict["NAME"]]
