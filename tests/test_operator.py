"""The operator's page: who keeps the server sees accounts, sizes and failures, and helps people in."""
from __future__ import annotations

import re
import uuid
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.models import User
from campaigns.keeping import nightly
from campaigns.models import Campaign
from campaigns.services.founding import found
from jobs import queue
from jobs.models import Sign
from news.models import Mailbox
from tests.conftest import logged_in, person
from tests.html_forms import Page
from tests.jobs.working import work

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper() -> Client:
    person("Olive")
    call_command("operator", "olive", stdout=StringIO())
    return logged_in(User.objects.get(username="Olive"))


def do(keeper: Client, whose: str, what: str, **more: str) -> Any:
    account = User.objects.get(username=whose)
    return keeper.post(f"/operator/people/{account.pk}/", {"do": what, **more}, follow=True)


def test_the_page_shows_sizes_and_people_and_no_contents(keeper: Client, campaign: Any, bobs: Any) -> None:
    campaign.pitch = "A secret of the table"
    campaign.save(update_fields=["pitch"])
    page = keeper.get("/operator/").content.decode()
    for said in ("Free disk space", campaign.name, f"{campaign.head_seq} entries", "Bob", "No failed jobs."):
        assert said in page
    for secret in (campaign.pitch, User.objects.get(username="Bob").password, "@example"):
        assert secret not in page
    assert "Bob" not in keeper.get("/operator/?name=ali").content.decode()
    assert keeper.get("/operator/").context["people"].query is not None


def test_the_page_says_when_the_last_backup_was_made(keeper: Client, settings: Any, tmp_path: Path) -> None:
    def said() -> str:
        return " ".join(Page(keeper.get("/operator/")).of_class("facts")[0].text.split())

    assert "None. Set BACKUPS in .env" in said()
    settings.BACKUPS = str(tmp_path)
    assert "None yet. The worker makes one every night" in said()
    for days in (9, 0):
        made = timezone.now() - timedelta(days=days)
        (tmp_path / (made.strftime(nightly.NAME) + nightly.ending())).write_bytes(b"x" * 2048)
        assert made.strftime("%Y %H:%M") in said() and "2.0" in said()
        assert ("there should be a newer one" in said()) == bool(days)


def test_a_new_password_by_a_link_without_mail(keeper: Client, campaign: Any, bobs: Any) -> None:
    page = do(keeper, "Bob", "link").content.decode()
    match = re.search(r"<code>http://[^/]+(/password/[^<]+)</code>", page)
    assert match
    form = Client()
    there = form.get(match[1], follow=True)
    assert there.status_code == 200
    done = form.post(there.redirect_chain[-1][0], dict.fromkeys(("new_password1", "new_password2"), "a new long one 9"))
    assert done.status_code == 302
    assert Client().login(username="Bob", password="a new long one 9")
    assert not mail.outbox


def test_who_is_locked_out_is_out_at_once_and_may_come_back(keeper: Client, campaign: Any, bobs: Any) -> None:
    bob = logged_in(User.objects.get(username="Bob"))
    assert bob.get("/account/").status_code == 200
    assert "Bob is locked out." in do(keeper, "Bob", "lock").content.decode()
    assert bob.get("/account/").status_code == 302
    do(keeper, "Bob", "unlock")
    assert logged_in(User.objects.get(username="Bob")).get("/account/").status_code == 200


def test_an_account_goes_when_its_name_is_entered_and_an_owner_stays(keeper: Client, campaign: Any, bobs: Any) -> None:
    assert "Nothing was changed." in do(keeper, "Bob", "delete", name="Bo").content.decode()
    assert "The account of Bob is deleted." in do(keeper, "Bob", "delete", name="Bob").content.decode()
    assert not User.objects.filter(username="Bob").exists()


def test_an_owner_with_others_at_the_table_is_not_deleted(keeper: Client, campaign: Any, bobs: Any) -> None:
    assert "Make someone else its owner first." in do(keeper, "Alice", "delete", name="Alice").content.decode()
    assert User.objects.filter(username="Alice").exists()


def test_operators_are_made_and_unmade_on_the_machine_alone(keeper: Client, as_alice: Client) -> None:
    assert "is an operator" in do(keeper, "Olive", "lock").content.decode()
    call_command("operator", "Olive", remove=True, stdout=StringIO())
    assert keeper.get("/operator/").status_code == 404
    with pytest.raises(CommandError, match="Nobody here is called Nobody"):
        call_command("operator", "Nobody")


def test_a_test_mail_goes_to_the_operator(keeper: Client) -> None:
    User.objects.filter(username="Olive").update(email="olive@example.org")
    assert "A test mail was sent to olive@example.org." in keeper.post(
        "/operator/maintain/", {"mail": "1"}, follow=True).content.decode()
    assert [letter.to for letter in mail.outbox] == [["olive@example.org"]]


def test_the_same_by_commands(campaign: Any, bobs: Any) -> None:
    said = StringIO()
    for what in ("lock", "unlock", "link", "delete"):
        call_command("person", "Bob", f"--{what}", stdout=said)
    lines = said.getvalue().splitlines()
    assert [*lines[:2], lines[3]] == [
        "Bob is locked out.", "Bob can log in again.", "The account of Bob is deleted."]
    assert "/password/" in lines[2]


def test_the_page_says_whether_a_worker_is_there(keeper: Client) -> None:
    def said() -> str:
        return " ".join(Page(keeper.get("/operator/")).of_class("facts")[0].text.split())

    assert "WorkerNone has reported for a day. Start one" in said()
    work()
    assert "WorkerAt work" in said()
    Sign.objects.update(at=timezone.now() - timedelta(minutes=9))
    assert "Last reported 9 minutes ago" in said()
    work()
    Sign.objects.create(worker="long gone", at=timezone.now() - timedelta(days=2))
    queue.give_sign("test")
    assert [sign.worker for sign in Sign.objects.all()] == ["test"]


def test_campaigns_stand_by_their_bytes_and_whose_mail_is_refused(keeper: Client, campaign: Any, bobs: Any) -> None:
    small = found(user=bobs.user, op_id=uuid.uuid4(), name="Much in few entries", system="pdq")
    Campaign.objects.filter(pk=small.pk).update(ledger_bytes=5 * 1024 * 1024, head_seq=3)
    page = keeper.get("/operator/").content.decode()
    assert page.index("Much in few entries") < page.index(campaign.name)
    assert "5.0\xa0MB · 3 entries" in page and "No refused mail." in page
    User.objects.filter(pk=bobs.user.pk).update(email="bob@example.org")
    Mailbox.objects.create(user=bobs.user, failures=3)
    page = keeper.get("/operator/").content.decode()
    assert "Bob <span class=\"meta\">3 refused</span>" in page and "bob@example.org" not in page
