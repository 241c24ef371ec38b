"""Campaigns are archived, brought back, and deleted; home shows first where something happened last."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.urls import reverse

from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Campaign, Entry, Page, Payload
from campaigns.search import search
from campaigns.services import closing, members, pages
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import whole
from characters.models import Character, Trait
from tests.conftest import join, refusal
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


def test_what_is_archived_is_read_and_not_written(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any
) -> None:
    address = reverse("campaign_archive", args=[campaign.slug])
    assert "Archive the campaign" in as_alice.get(reverse("campaign_settings", args=[campaign.slug])).content.decode()
    assert as_alice.post(address, body()).status_code == 200  # it is asked once
    assert as_alice.post(address, body(sure="1")).status_code == 302
    assert as_bob.post(address, body(sure="1")).status_code == 404
    assert "is archived" in as_bob.get(reverse("table", args=[campaign.slug])).content.decode()
    assert "Archived" in as_bob.get("/").content.decode()
    refused = as_bob.post(reverse("page_new", args=[campaign.slug]), body(title="The well", text="Dry", whose="all"))
    assert refused.status_code == 422 and "archived" in refused.content.decode() and "Dry" in refused.content.decode()
    members.leave(campaign=campaign, actor=bobs, op_id=uuid.uuid4())
    assert as_alice.post(address, body(back="1")).status_code == 302
    campaign.refresh_from_db()
    pages.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The well")
    assert not list(differences(campaign.pk))


def test_a_deleted_campaign_leaves_envelopes_and_nothing_else(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any
) -> None:
    other = found(user=alices.user, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    character(other, other.members.get(), "Stays", [("strength", "Here", 2)])
    ilse = character(campaign, bobs, "Ilse", [("strength", "Maps", 2)], player=bobs)
    pages.write(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), title="The dry well", about_id=ilse.pk)
    search(Viewer(campaign, alices), "well")
    campaign.refresh_from_db()
    address, head = reverse("campaign_delete", args=[campaign.slug]), campaign.head_seq
    page = as_alice.get(address).content.decode()
    assert reverse("export", args=[campaign.slug]) in page and "time-stamped hashes" in page
    wrong = as_alice.post(address, body(name="The salt road"))
    assert wrong.status_code == 422 and Character.objects.filter(campaign=campaign).exists()
    assert as_bob.post(address, body(name=campaign.name)).status_code == 404
    done = as_alice.post(address, body(name=campaign.name))
    assert done.status_code == 302 and done["Location"] == "/"
    assert "Salt Road" not in as_bob.get("/").content.decode() and as_bob.get(f"/c/{campaign.slug}/").status_code == 404
    assert Entry.objects.filter(campaign=campaign).count() == head + 1
    assert Payload.objects.get(campaign=campaign).entry.kind == "campaign.delete"
    assert not Page.objects.filter(campaign=campaign).exists()
    gone = Campaign.objects.get(pk=campaign.pk)
    assert "Salt" not in gone.name + gone.slug + gone.pitch and not gone.members.filter(active=True).exists()
    assert not whole(gone).fault  # the chain still holds
    assert Trait.objects.get().character.name == "Stays" and not list(differences(other.pk))


def test_home_shows_first_where_something_happened_last_that_one_may_know_of(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any
) -> None:
    other = found(user=alices.user, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    join(other, bobs.user, "player")

    def first(browser: Any) -> str:
        page = browser.get("/").content.decode()
        return min(("The Salt Road", "Elsewhere"), key=page.index)

    assert first(as_bob) == first(as_alice) == "Elsewhere"
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="note.x", title="Hush", audience="gm"):
        pass
    assert first(as_bob) == "Elsewhere" and first(as_alice) == "The Salt Road"
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="note.x", title="Aloud"):
        pass
    assert first(as_bob) == "The Salt Road"
    closing.archive(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    assert first(as_bob) == "Elsewhere"


def test_what_is_not_archived_is_not_brought_back(campaign: Any, alices: Any) -> None:
    assert refusal(closing.restore, campaign=campaign, actor=alices) == ("", "This campaign is not archived.")
