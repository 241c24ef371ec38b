"""Everyone imports a campaign for themselves, where the server lets them: they own it, and ask the others in."""
from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaigns.carrying.placing import Bounds
from campaigns.models import Campaign, Entry, Member, Role
from config.operating import views
from tests.campaigns.test_carrying import file  # noqa: F401 - the fixture
from tests.conftest import logged_in, person
from tests.html_forms import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> Any:
    """One that lets everyone; its settings."""
    settings.IMPORTS = "everyone"
    return settings


def sent(browser: Client, content: bytes) -> Any:
    """The file chosen on the page that New campaign leads to, and sent."""
    assert reverse("campaign_import") in browser.get(reverse("found")).content.decode()
    page = Page(browser.get(reverse("campaign_import")))
    packed = SimpleUploadedFile("the-salt-road.campaign.gz", content)
    return browser.post(page.at, {**page.form(button="Import").filled(), "file": packed})


def test_by_default_only_an_operator_does(as_alice: Client) -> None:
    assert as_alice.get(reverse("campaign_import")).status_code == 404
    assert as_alice.post(reverse("campaign_import")).status_code == 404
    assert reverse("campaign_import") not in as_alice.get(reverse("found")).content.decode()


def test_whoever_imports_a_campaign_owns_it_and_asks_the_others_in(file: bytes, server: Any, alice: Any) -> None:  # noqa: F811
    mara = person("Mara")
    browser = logged_in(mara)
    answer = sent(browser, file)
    campaign = Campaign.objects.get()
    assert answer.url == reverse("people", args=[campaign.slug])
    assert campaign.members.get(role=Role.OWNER).user == mara
    assert Entry.objects.filter(campaign=campaign).count() == campaign.head_seq
    shown = browser.get(answer.url).content.decode()
    assert f"{campaign.name} is here" in shown and "Invite the others" in shown
    waiting = Member.objects.filter(campaign=campaign, active=True).exclude(user=mara)
    assert waiting and not any(member.user.is_active for member in waiting), "nobody here is taken for one of them"
    assert Page(browser.get(reverse("invite", args=[campaign.slug]))).form(button="Create link").send(
        browser).status_code == 200
    assert "is on this server already" in sent(browser, file).content.decode()


def test_what_one_account_may_is_bounded(
    file: bytes, server: Any, alice: Any, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:
    browser = logged_in(person("Mara"))
    for bounds, words in ((Bounds(entries=3), "too many for a page"), (Bounds(unpacked=2000), "larger inside"),
                          (Bounds(people=0), "does not have the shape")):
        monkeypatch.setattr(views, "BY_ANYONE", bounds)
        refused = sent(browser, file)
        assert refused.status_code == 422 and words in refused.content.decode()
    assert "You have imported as many campaigns" in sent(browser, file).content.decode(), "three tries an hour"
    other = logged_in(person("Nils"))
    server.MOST_CAMPAIGNS = 1
    assert Page(other.get(reverse("found"))).form(button="Create campaign").send(
        other, system="pdq").status_code == 302
    assert "You own 1 campaigns" in sent(other, file).content.decode()
    assert Campaign.objects.count() == 1
