"""How much room there is: refused in a sentence, shown to the owner, and no hindrance to whoever wants to leave."""
from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from campaigns import budgets
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Invitation, Payload
from config import room
from tests.html_forms import Page

pytestmark = pytest.mark.django_db


def send(client: Client, address: str, button: str, **typed: Any) -> Any:
    """Fills in the form of a page that has this button."""
    page = Page(client.get(address))
    form = page.form(button=button)
    return form.send(client, next(pressed for pressed in form.buttons if pressed.words == button), **typed)


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


def test_where_a_database_elsewhere_has_grown_to_its_size_the_site_is_read_and_says_so(
    as_alice: Client, campaign: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_is_file", lambda: False)
    monkeypatch.setattr(room, "_SIZE", room._Size())
    settings.LEAST_DISK_MB, settings.LARGEST_DATABASE_MB = 10**9, 100
    size = [101 * room.MB]
    monkeypatch.setattr(room, "bytes_of_database", lambda: size[0])
    address = reverse("campaign_settings", args=[campaign.slug])
    assert "nearly full" in as_alice.get(address).content.decode()
    before = Entry.objects.count()
    refused = send(as_alice, address, "Save settings", name="Another name")
    assert refused.status_code == 503 and Entry.objects.count() == before
    assert "Another name" in refused.content.decode()
    size[0] = 99 * room.MB
    assert "nearly full" in as_alice.get(address).content.decode(), "It looks at each request."
    room._SIZE.forget()
    assert "nearly full" not in as_alice.get(address).content.decode()
    settings.LARGEST_DATABASE_MB, size[0] = 0, 10**15
    room._SIZE.forget()
    assert "nearly full" not in as_alice.get(address).content.decode()


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite is a file, whose disk is looked at")
def test_postgresql_says_how_large_it_is(db: None) -> None:
    assert room.bytes_of_database() > room.MB


def test_a_ledger_has_room_for_so_many_bytes_and_an_account_for_all_its_campaigns(
    as_alice: Client, campaign: Any, alices: Any, settings: Any
) -> None:
    address = reverse("campaign_settings", args=[campaign.slug])
    assert send(as_alice, address, "Save settings", name="The Glass Sea").status_code == 302
    campaign.refresh_from_db()
    payloads = Payload.objects.filter(campaign=campaign).values_list("entry__envelope", "text")
    assert campaign.ledger_bytes == sum(len(part.encode()) for row in payloads for part in row)
    Campaign.objects.filter(pk=campaign.pk).update(ledger_bytes=2 * budgets.MB)
    shown = as_alice.get(address).content.decode()
    assert "Ledger</dt><dd>2 of 1,000 MB<" in shown and "All your campaigns</dt><dd>2 of 5,000 MB<" in shown
    assert "Live pages open now</dt><dd>0 of 200<" in shown and "Campaigns you own</dt><dd>1 of 50<" in shown
    settings.LEDGER_MB = 2
    refused = send(as_alice, address, "Save settings", name="Another name")
    assert refused.status_code == 422 and "has room for 2 MB in each campaign" in refused.content.decode()
    settings.LEDGER_MB, settings.ACCOUNT_MB = 0, 2
    refused = send(as_alice, reverse("found"), "Create campaign", name="The Glass Sea", system="pdq")
    assert refused.status_code == 422 and "the 2 MB that one account has room for" in refused.content.decode()
    with pytest.raises(Refused, match="room that their account has"):
        budgets.room_for_picture(campaign, 1)


def test_what_was_written_before_its_bytes_were_counted_is_counted_by_the_migration(campaign: Any, alices: Any) -> None:
    campaign.refresh_from_db()
    counted = campaign.ledger_bytes
    assert counted
    Campaign.objects.update(ledger_bytes=0)
    migration = import_module("campaigns.migrations.0016_ledger_bytes")
    migration.add_up(None, SimpleNamespace(connection=connection))
    campaign.refresh_from_db()
    assert campaign.ledger_bytes == counted
