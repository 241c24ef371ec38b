"""How much room there is: refused in a sentence, shown to the owner, and no hindrance to whoever wants to leave."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Entry, Invitation
from config import room
from tests.html_forms import Page

pytestmark = pytest.mark.django_db


def send(client: Client, address: str, button: str, **typed: Any) -> Any:
    """Fills in the form of a page that has this button."""
    page = Page(client.get(address))
    form = page.form(button=button)
    return form.send(client, next(one for one in form.buttons if one.words == button), **typed)


def test_an_account_owns_as_many_campaigns_as_it_has_room_for(as_alice: Client, campaign: Any, settings: Any) -> None:
    settings.MOST_CAMPAIGNS = 2
    for status in (302, 422):
        answer = send(as_alice, reverse("found"), "Create campaign", name="The Glass Sea", system="pdq")
        assert answer.status_code == status
    assert "You own 2 campaigns, the most that one account has room for." in answer.content.decode()
    assert "The Glass Sea" in answer.content.decode() and Campaign.objects.count() == 2
    sample = Page(as_alice.get("/")).form(action=reverse("sample_begin", args=["pnc"])).send(as_alice)
    assert sample.url == "/" and "You own 2 campaigns" in as_alice.get("/").content.decode()


def test_a_ledger_that_is_full_is_read_downloaded_archived_and_left(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any, settings: Any
) -> None:
    settings.MOST_ENTRIES = campaign.head_seq
    address = reverse("campaign_settings", args=[campaign.slug])
    refused = send(as_alice, address, "Save settings", name="Another name")
    assert refused.status_code == 422 and "Ledger is full" in refused.content.decode()
    before = Entry.objects.count()
    assert as_alice.get(reverse("table", args=[campaign.slug])).status_code == 200
    for button, status in (("Download the campaign", 200), ("Archive the campaign", 302)):
        asked = Page(send(as_alice, address, button))
        assert asked.form(button=button).send(as_alice).status_code == status
    assert send(as_alice, address, "Bring the campaign back").status_code == 302
    assert Entry.objects.count() == before + 3


def test_links_and_pictures_have_room_too(as_alice: Client, as_bob: Client, campaign: Any, settings: Any) -> None:
    settings.MOST_INVITATIONS, settings.PICTURES_MB = 1, 1
    invite = reverse("invite", args=[campaign.slug])
    statuses = [send(as_alice, invite, "Create link").status_code for _ in range(2)]
    assert statuses[1] == 422 and Invitation.objects.count() == 1
    shown = as_alice.get(reverse("campaign_settings", args=[campaign.slug])).content.decode()
    assert "Open invitation links</dt><dd>1 of 1<" in shown and "Pictures</dt><dd>0 of 1 MB<" in shown
    assert "Room on this server" not in as_bob.get(reverse("campaign_settings", args=[campaign.slug])).content.decode()


def test_where_the_disk_is_nearly_full_the_site_is_read_and_says_so(
    as_alice: Client, campaign: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_is_file", lambda: True)
    settings.LEAST_DISK_MB = 100
    monkeypatch.setattr(room, "bytes_left", lambda: 99 * room.MB)
    address = reverse("campaign_settings", args=[campaign.slug])
    assert "nearly full" in as_alice.get(address).content.decode()
    before = Entry.objects.count()
    refused = send(as_alice, address, "Save settings", name="Another name")
    assert refused.status_code == 503 and Entry.objects.count() == before
    assert "nearly full" in refused.content.decode() and "Another name" in refused.content.decode()
    assert as_alice.post(reverse("logout")).status_code == 302, "who keeps the server logs in and out"
    monkeypatch.setattr(room, "bytes_left", lambda: 101 * room.MB)
    assert "nearly full" not in as_alice.get(reverse("login")).content.decode()
