"""A campaign's file by a page: kept, read and checked beside the site by the worker, then here whole, or not at all."""
from __future__ import annotations

import shutil
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import OperationalError, models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns.carrying.placing import Bounds
from campaigns.models import Campaign, Entry, Found, Member, Role
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import whole
from config.importing import scratch, services, work
from config.models import Upload, UploadPart
from config.trials import files
from jobs import queue
from jobs.queue import Job
from tests.campaigns.hostile_files import changed, rewritten
from tests.campaigns.test_carrying import file, taken  # noqa: F401 - the fixture
from tests.conftest import logged_in, person
from tests.databases import migrated_file
from tests.html_forms import Page
from tests.jobs.working import one_connection
from tests.jobs.working import work as worker

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def server(settings: Any, tmp_path: Path) -> Any:
    """One that lets everyone import, with an empty database to copy; its settings."""
    settings.IMPORTS, settings.TRIALS_FOLDER = "everyone", str(tmp_path)
    shutil.copyfile(migrated_file(), files.empty())
    return settings


@pytest.fixture
def keeper() -> Any:
    """Olive keeps the server."""
    person("Olive")
    call_command("operator", "Olive", stdout=StringIO())
    return logged_in(User.objects.get(username="Olive"))


def sent(browser: Client, content: bytes, at: str = "campaign_import", **typed: str) -> Any:
    """The file chosen on the page, and sent."""
    page = Page(browser.get(reverse(at)))
    packed = SimpleUploadedFile("the-salt-road.campaign.gz", content)
    return browser.post(page.at, {**page.form(button="Import the campaign").filled(**typed), "file": packed})


def left(tmp_path: Path) -> list[str]:
    """What a worker left in its folder."""
    return [path.name for path in tmp_path.glob("importing-*")]


def test_by_default_only_an_operator_does(server: Any, as_alice: Client) -> None:
    assert reverse("campaign_import") in as_alice.get(reverse("found")).content.decode()
    server.IMPORTS = "operator"
    assert as_alice.get(reverse("campaign_import")).status_code == 404
    assert as_alice.post(reverse("campaign_import")).status_code == 404
    assert reverse("campaign_import") not in as_alice.get(reverse("found")).content.decode()


def test_whoever_imports_a_campaign_owns_it_and_asks_the_others_in(
    file: bytes, alice: Any, tmp_path: Path  # noqa: F811
) -> None:
    mara = person("Mara")
    browser = logged_in(mara)
    at = sent(browser, file).url
    assert "Your file waits to be read" in browser.get(at).content.decode() and not Campaign.objects.exists()
    worker()
    campaign = Campaign.objects.get()
    shown = browser.get(at).content.decode()
    assert f"Go to {campaign.name}" in shown and reverse("table", args=[campaign.slug]) in shown
    assert "Invite the others" in shown and 'id="far"' not in shown
    assert campaign.members.get(role=Role.OWNER).user == mara
    assert Entry.objects.filter(campaign=campaign).count() == campaign.head_seq
    assert not whole(campaign).fault and not list(differences(campaign.pk))
    waiting = Member.objects.filter(campaign=campaign, active=True).exclude(user=mara)
    assert waiting and not any(member.user.is_active for member in waiting), "nobody here is taken for one of them"
    assert Found.objects.filter(campaign=campaign).exists()
    assert not UploadPart.objects.exists() and not left(tmp_path)
    assert Page(browser.get(reverse("invite", args=[campaign.slug]))).form(button="Create link").send(
        browser).status_code == 200
    assert "is on this server already" in sent(browser, file).content.decode()


def test_an_operator_imports_it_for_whom_they_name(file: bytes, keeper: Any, alice: Any) -> None:  # noqa: F811
    for content, owner, words in ((b"", "Alice", "not a campaign’s file"), (file, "Nobody", "no account of this name")):
        refused = sent(keeper, content, "operator_import", owner=owner)
        assert refused.status_code == 422 and words in refused.content.decode()
        assert f'value="{owner}"' in refused.content.decode()
    answer = sent(keeper, file, "operator_import", owner="alice")
    worker()
    campaign = Campaign.objects.get()
    assert campaign.members.get(user=alice).role == Role.OWNER and taken(campaign) == file
    shown = keeper.get(answer.url).content.decode()
    assert f"{campaign.name} is here, and Alice owns it" in shown
    assert reverse("table", args=[campaign.slug]) not in shown
    assert logged_in(alice).get(f"/c/{campaign.slug}/search/?q=Ilse").content.decode().count("Ilse") > 1
    assert "is on this server already" in sent(keeper, file, "operator_import", owner="Alice").content.decode()


def test_what_is_plainly_none_is_refused_at_the_field_and_nothing_is_kept(
    file: bytes, alice: Any, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    browser = logged_in(person("Mara"))
    later = changed(file, lambda lines: lines[0].update(v=99))
    for content, words in ((b"words", "not a campaign’s file"), (b"", "not a campaign’s file"),
                           (later, "by a later version")):
        refused = sent(browser, content)
        assert refused.status_code == 422 and words in refused.content.decode()
    monkeypatch.setattr(services, "bounds", lambda by_operator: Bounds(entries=3))
    assert "too many for a page" in sent(browser, file).content.decode()
    assert not Upload.objects.exists() and not Job.objects.filter(task_path=work.bring.module_path).exists()


def test_what_is_wrong_further_on_is_said_in_a_sentence_and_nothing_is_there(
    file: bytes, alice: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    browser, people = logged_in(person("Mara")), User.objects.count()
    forged = changed(file, rewritten)
    for content, bounds, words in (
        (file[:-9], Bounds(), "ends too early. Download the file again."),
        (forged, Bounds(), "The Ledger in this file"), (file, Bounds(unpacked=2000), "larger inside"),
        (file, Bounds(people=0), "does not have the shape"),
    ):
        monkeypatch.setattr(services, "bounds", lambda by_operator, bounds=bounds: bounds)
        monkeypatch.setattr("accounts.tallies.take", lambda *_, **__: None)
        answer = sent(browser, content)
        worker()
        shown = browser.get(answer.url).content.decode()
        assert words in shown and "Nothing was imported." in shown and "Choose a file again" in shown
        assert not Campaign.objects.exists() and not UploadPart.objects.exists() and not left(tmp_path)
    assert User.objects.count() == people, "nobody's place is left either"


def test_a_fault_of_the_server_is_said_too(
    file: bytes, alice: Any, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    browser = logged_in(person("Mara"))

    def fails(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(scratch, "copy", fails)
    answer = sent(browser, file)
    worker()
    assert "Something went wrong on the server. Nothing was imported." in browser.get(answer.url).content.decode()
    assert not Campaign.objects.exists()


def test_what_one_account_may_is_bounded(file: bytes, server: Any, alice: Any) -> None:  # noqa: F811
    browser = logged_in(person("Mara"))
    at = sent(browser, file).url
    assert at in browser.get(reverse("campaign_import")).content.decode()
    refused = sent(browser, file)
    assert refused.status_code == 422 and "importing a campaign already" in refused.content.decode()
    for _ in range(2):
        assert Page(browser.get(at)).form(button="Stop the import").send(browser).status_code == 302
        at = sent(browser, file).url
    Page(browser.get(at)).form(button="Stop the import").send(browser)
    assert "You have imported as many campaigns" in sent(browser, file).content.decode(), "three tries an hour"
    other = logged_in(person("Nils"))
    server.MOST_CAMPAIGNS = 1
    assert Page(other.get(reverse("found"))).form(button="Create campaign").send(
        other, system="pdq").status_code == 302
    assert "You own 1 campaign," in sent(other, file).content.decode()


def test_no_more_files_wait_than_the_server_has_room_for(
    file: bytes, alice: Any, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    monkeypatch.setattr(services, "MOST_OPEN", 1)
    assert sent(logged_in(person("Mara")), file).status_code == 302
    refused = sent(logged_in(person("Nils")), file)
    assert refused.status_code == 422 and "Too many campaigns are being imported" in refused.content.decode()


def test_of_two_files_sent_at_one_moment_one_is_kept(
    file: bytes, alice: Any, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    browser = logged_in(person("Mara"))
    assert sent(browser, file).status_code == 302
    with monkeypatch.context() as at_that_moment:
        at_that_moment.setattr(services, "open_of", lambda user: None)
        refused = sent(browser, file)
    assert refused.status_code == 422 and "importing a campaign already" in refused.content.decode()
    assert Upload.objects.count() == 1


def test_an_owner_who_is_locked_meanwhile_gets_no_campaign(file: bytes, keeper: Any, alice: Any) -> None:  # noqa: F811
    person("Nils")
    at = sent(keeper, file, "operator_import", owner="Nils").url
    User.objects.filter(username="Nils").update(is_active=False)
    worker()
    assert "locked or gone. Nothing was imported." in keeper.get(at).content.decode()
    assert not Campaign.objects.exists()


def test_its_page_says_how_far_it_is_and_stops_it_at_the_next_step(
    file: bytes, alice: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    browser, shown = logged_in(person("Mara")), []
    monkeypatch.setattr(work, "SAID", 0)
    step = services.step

    def look(upload: Upload, doing: str, seq: int) -> None:
        step(upload, doing, seq)
        page = Page(answer := browser.get(at))
        shown.append(answer.content.decode())
        if doing == "checked":
            page.form(button="Stop the import").send(browser)

    monkeypatch.setattr(services, "step", look)
    at = sent(browser, file).url
    worker()
    head = Upload.objects.get().last
    assert f"{head} of {head} entries read." in shown[0] and f"{head} of {head} entries checked." in shown[1]
    assert "You stopped this import. Nothing was imported." in browser.get(at).content.decode()
    assert not Campaign.objects.exists() and not UploadPart.objects.exists() and not left(tmp_path)
    assert not Job.objects.filter(task_path=work.bring.module_path).exists()


def test_whoever_stops_it_at_the_last_moment_is_told_what_is_so(
    file: bytes, alice: Any, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    browser = logged_in(person("Mara"))
    at = sent(browser, file).url
    place = scratch.place

    def placed(*given: Any) -> Any:
        made = place(*given)
        Page(browser.get(at)).form(button="Stop the import").send(browser)
        return made

    monkeypatch.setattr(scratch, "place", placed)
    stop = Page(browser.get(at)).form(button="Stop the import")
    worker()
    assert not Campaign.objects.exists() and "You stopped this import" in browser.get(at).content.decode()
    monkeypatch.setattr(scratch, "place", place)
    at = sent(browser, file).url
    stop = Page(browser.get(at)).form(button="Stop the import")
    worker()
    assert stop.send(browser).url == at and "Go to " in browser.get(at).content.decode(), "it was too late"


def test_only_who_sent_it_sees_it(file: bytes, alice: Any, keeper: Any) -> None:  # noqa: F811
    at = sent(logged_in(person("Mara")), file).url
    for other in (keeper, logged_in(alice)):
        assert other.get(at).status_code == 404 and other.post(f"{at}stop/").status_code == 404
    assert Upload.objects.get().is_open


def test_it_says_where_no_worker_is_at_work(file: bytes, alice: Any) -> None:  # noqa: F811
    browser = logged_in(person("Mara"))
    at = sent(browser, file).url
    assert "No worker is at work on this server" in browser.get(at).content.decode()
    queue.give_sign("one")
    assert "No worker is at work" not in browser.get(at).content.decode()


def test_one_whose_worker_was_killed_is_begun_anew_by_the_next(
    file: bytes, alice: Any, tmp_path: Path  # noqa: F811
) -> None:
    browser = logged_in(person("Mara"))
    at = sent(browser, file).url
    killed = services.begin(Upload.objects.get().pk)
    assert killed
    (tmp_path / f"importing-{killed.pk.hex}").mkdir()
    with one_connection():
        worker()  # it finds the other one at work, and comes again
    assert not Campaign.objects.exists()
    assert Job.objects.filter(task_path=work.bring.module_path, run_after__gt=timezone.now()).exists()
    Upload.objects.update(sign=timezone.now() - services.GONE - timedelta(seconds=1))
    worker(later=timedelta(minutes=3))
    assert "Go to " in browser.get(at).content.decode() and not left(tmp_path)
    with pytest.raises(services.Stopped):
        services.step(killed, "checked", 1)


def test_where_the_database_is_busy_it_is_tried_again(
    file: bytes, alice: Any, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    browser, copy = logged_in(person("Mara")), scratch.copy

    def busy(*_: Any) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(scratch, "copy", busy)
    at = sent(browser, file).url
    worker()
    assert "Your file waits to be read" in browser.get(at).content.decode() and not Campaign.objects.exists()
    monkeypatch.setattr(scratch, "copy", copy)
    worker(later=timedelta(minutes=2))
    assert "Go to " in browser.get(at).content.decode()


def test_after_a_day_nothing_is_left_of_it(file: bytes, alice: Any) -> None:  # noqa: F811
    browser = logged_in(person("Mara"))
    at = sent(browser, file).url
    Job.objects.filter(task_path=work.bring.module_path).delete()
    Upload.objects.update(made=timezone.now() - services.KEPT - timedelta(minutes=1))
    worker(later=services.KEPT)
    assert not Upload.objects.exists() and not UploadPart.objects.exists() and browser.get(at).status_code == 404


def test_a_name_that_is_taken_here_is_another_ones(file: bytes, alice: Any) -> None:  # noqa: F811
    for name in ("Alice.unmatched", "Bob.unmatched"):
        User.objects.create_user(name)
    sent(logged_in(person("Mara")), file)
    worker()
    places = Member.objects.exclude(user__username="Mara").values_list("user__username", flat=True)
    assert list(places) == ["Bob.unmatched.2"]


def test_no_row_names_a_number_that_is_given_anew() -> None:
    numbered = [model for model in scratch.tables() if isinstance(model._meta.pk, models.AutoField)]
    assert numbered and not any(model._meta.related_objects for model in numbered)
