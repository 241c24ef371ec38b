"""What is sealed from somebody, and book-keeping, changes none of their pages and is no news to them."""
from __future__ import annotations

import re
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Campaign, Entry, Member
from campaigns.trail.visible import head_of
from characters.services import lifecycle
from config.live import place_for
from play.models import Contest, PrepItem
from play.services import sessions
from rules.codec import VERSION, canonical
from tests.play.conftest import trait
from tests.play.test_conflict import act, begin

pytestmark = pytest.mark.django_db

# What every form brings anew.
ONCE = re.compile(r'name="(?:csrfmiddlewaretoken|op_id)" value="[^"]*"')


def pages(client: Client, campaign: Any) -> list[str]:
    addresses = ("/", reverse("table", args=[campaign.slug]), reverse("feed", args=[campaign.slug]),
                 reverse("head", args=[campaign.slug]), reverse("now", args=[campaign.slug]))
    return [ONCE.sub("", client.get(path, headers={"HX-Request": "true"} if "now" in path else {}).content.decode())
            for path in addresses]


def prepare(campaign: Any, alices: Any, number: int) -> None:
    with trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="bank.write", title=f"Snare {number}",
        audience=trail.GM,
    ) as entry:
        spec = canonical({"v": VERSION, "fields": {}})
        entry.create(PrepItem(campaign=entry.campaign, type="note", name=f"Snare {number}", spec=spec))


def test_150_prepared_things_leave_a_players_home_and_table_as_they_were(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any, scene: Any
) -> None:
    Member.objects.filter(pk=bobs.pk).update(seen_seq=2)
    before = pages(as_bob, campaign)
    for number in range(150):
        prepare(campaign, alices, number)
    Member.objects.filter(pk=bobs.pk).update(seen_seq=2)
    after = pages(as_bob, campaign)
    for was, became in zip(before, after, strict=True):
        assert became == was


def test_the_stream_tells_each_the_last_entry_that_they_may_see(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Here it runs in the test's own thread, whose connection is in the middle of a transaction.
    monkeypatch.setattr("config.live.connection", SimpleNamespace(close=lambda: None))

    def head(client: Client) -> int:
        place = place_for(f"sessionid={client.cookies['sessionid'].value}", campaign.slug)
        assert place
        return place.seq

    before = head(as_bob)
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="pdq.test", title="Who listens",
                     audience=trail.GM) as entry:
        pass
    assert (head(as_bob), head(as_alice)) == (before, entry.written.seq)
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="pdq.test", title="Seen by all") as entry:
        pass
    assert head(as_bob) == head(as_alice) == entry.written.seq


def test_a_hidden_character_who_comes_and_goes_leaves_nothing(
    as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, marrow: Any, whisper: Any
) -> None:
    pages(as_bob, campaign)
    before = pages(as_bob, campaign)
    for here in ([ilse.pk, marrow.pk, whisper.pk], [ilse.pk, marrow.pk]):
        sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=here)
        assert pages(as_bob, campaign) == before
    lifecycle.note(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, words="She will betray")
    assert pages(as_bob, campaign) == before


def test_a_secret_choice_in_a_contest_still_moves_the_pages_of_the_others(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any, alices: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    begin(as_alice, campaign)
    viewer = Viewer(Campaign.objects.get(), bobs)
    before = head_of(viewer).seq
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="contest.choose", title="Chooses",
                     audience=str(alices.pk)) as entry:
        pass
    viewer.campaign.refresh_from_db()
    assert head_of(viewer).seq == entry.written.seq > before


def test_the_feed_is_the_story_and_the_ledger_folds_what_is_sealed(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    first = Campaign.objects.get().head_seq + 1
    for number in range(12):
        prepare(campaign, alices, number)
    head = as_bob.get(reverse("ledger", args=[campaign.slug])).content.decode()
    assert f"12 sealed entries, {first} to {first + 11}" in head
    table = as_bob.get(reverse("table", args=[campaign.slug])).content.decode()
    assert "Sealed" not in table and "sealed entries" not in table
    assert "Snare" not in as_alice.get(reverse("table", args=[campaign.slug])).content.decode(), "it is no story"
    assert "Snare 11" in as_alice.get(reverse("ledger", args=[campaign.slug])).content.decode()
    assert begin(as_alice, campaign).status_code == 302
    sent = act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[str(trait(marrow, "Club").pk)])
    assert sent.status_code == 302 and Contest.objects.count() == 1
    assert Entry.objects.latest("seq").audience == "all"
