"""A person's time zone: said by the browser, changed on the account page, and used for every time that they read."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.zones import NO_ZONE
from tests.html_forms import Page

pytestmark = pytest.mark.django_db
GUESS = reverse("guess_zone")


def test_the_browser_says_it_once(as_alice: Client, alice: Any) -> None:
    form = Page(as_alice.get(reverse("home"))).form(action=GUESS)
    assert as_alice.post(form.action, {"time_zone": "Europe/Atlantis"}).status_code == 204
    answer = as_alice.post(form.action, {"time_zone": "America/New_York"})
    assert "Times are shown for New York" in answer.content.decode()
    assert as_alice.post(form.action, {"time_zone": "Europe/Rome"}).status_code == 204, "what is said is kept"
    alice.refresh_from_db()
    assert alice.time_zone == "America/New_York"
    assert not Page(as_alice.get(reverse("home"))).matching(action=GUESS)


@pytest.mark.parametrize(("zone", "kept"), [("Asia/Tokyo", "Asia/Tokyo"), ("Europe/Atlantis", ""), ("", "")])
def test_signing_up_brings_it(anonymous: Client, zone: str, kept: str) -> None:
    form = Page(anonymous.get(reverse("sign_up"))).form(action=reverse("sign_up"))
    words = "a lantern over the ledger"
    sent = form.filled(username="Dora", password1=words, password2=words)
    answer = anonymous.post(form.action, {**sent, "time_zone": zone}, follow=True)
    assert User.objects.get(username="Dora").time_zone == kept
    assert ("Times are shown for Tokyo" in answer.content.decode()) == bool(kept)


def test_the_account_page_changes_it_and_refuses_one_that_is_none(as_alice: Client, alice: Any, campaign: Any) -> None:
    account = reverse("account")
    form = Page(as_alice.get(account)).form(action=account)
    assert form.send(as_alice, time_zone="Pacific/Kiritimati").status_code == 302
    alice.refresh_from_db()
    assert alice.time_zone == "Pacific/Kiritimati"
    ledger = as_alice.get(reverse("ledger", args=[campaign.slug])).content.decode()
    assert "+14" in ledger and "UTC" not in ledger
    answer = as_alice.post(account, {**form.filled(), "time_zone": "Europe/Atlantis"})
    assert (answer.status_code, Page(answer).errors) == (422, [NO_ZONE])
