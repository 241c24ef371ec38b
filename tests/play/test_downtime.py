"""Story points come back: with a session, with a downtime from several browsers, or at the GM's word (QW-90)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from play.services import contests, pools, sessions
from rules.sheet import SpendShared
from tests import laid
from tests.conftest import join, logged_in, person
from tests.play.conftest import MOVED, body, character, leads_to, stays_on_top

pytestmark = pytest.mark.django_db


@pytest.fixture
def refresh() -> str:
    """How the campaign's points come back; tests may say otherwise."""
    return "downtime"


@pytest.fixture
def campaign(alice: Any, refresh: str) -> Any:
    settings = {"refresh": refresh, "points": 2}
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds", settings=settings)


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Character:
    return character(campaign, bobs, "Ilse", [("keyword", "Mapmaker", 17)], player=bobs)


@laid.fixture
def as_dana(campaign: Any) -> Client:
    """Dana plays Tam."""
    dana = person("Dana")
    seat = join(campaign, dana, "player")
    character(campaign, seat, "Tam", [("keyword", "Sailor", 17)], player=seat)
    return logged_in(dana)


@laid.fixture
def spent(campaign: Any, bobs: Any, ilse: Any, as_dana: Client) -> Any:
    """Two play, two points for each, and one is left."""
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="a.test", title="Spent") as entry:
        pools.apply(entry, [SpendShared("story_points", -3)])
    return campaign


def at(campaign: Any, rest: str = "") -> str:
    return f"/c/{campaign.slug}/{rest}"


def left(campaign: Any) -> int:
    campaign.refresh_from_db()
    return pools.held(campaign, "story_points")


def begin(as_alice: Client, campaign: Any) -> Contest:
    sent = body(title="Two weeks in port", c0_side="on", c1_side="on")
    answer = as_alice.post(at(campaign, "contests/start/downtime/"), sent)
    assert answer.status_code == 302, answer.content.decode()
    return Contest.objects.get()


def say(client: Client, rest: Contest, name: str, words: str) -> Any:
    who = Character.objects.get(name=name)
    return client.post(f"/c/{rest.campaign.slug}/contests/{rest.pk}/spend/{who.pk}/", body(words=words))


def passes(client: Client, rest: Contest, action: str = "pass") -> Any:
    return client.post(f"/c/{rest.campaign.slug}/contests/{rest.pk}/{action}/gm/", body())


def test_qw_90_a_downtime_is_told_from_each_browser_and_brings_the_points_back(
    as_alice: Client, as_bob: Client, as_dana: Client, spent: Any
) -> None:
    assert left(spent) == 1
    page = as_alice.get(at(spent, "contests/start/downtime/")).content.decode()
    assert "Ilse" in page and "Tam" in page and "come back with it" in page
    rest = begin(as_alice, spent)
    here = at(spent, f"contests/{rest.pk}/")
    assert here in as_bob.get(at(spent)).content.decode()
    seen = as_bob.get(here).content.decode()
    assert "Describe how you spend the time" in seen and "The time has passed" not in seen and "Finish" not in seen
    assert say(as_bob, rest, "Ilse", "She sleeps.").status_code == 302
    assert say(as_bob, rest, "Ilse", "She draws the coast <by> lamplight.").status_code == 302
    assert say(as_dana, rest, "Tam", "He mends sails.").status_code == 302
    seen = as_dana.get(here).content.decode()
    assert "She draws the coast &lt;by&gt; lamplight." in seen and "Waiting for the GM: finish the downtime" in seen
    assert passes(as_alice, rest).status_code == 302
    assert left(spent) == 4 and Contest.objects.get().over
    html = as_bob.get(at(spent, "ledger/")).content.decode()
    assert "Ilse: She sleeps." in html and "The story points are back: two for each" in html
    entry = Entry.objects.get(kind="contest.pass")
    assert "QW-90" in as_bob.get(at(spent, f"ledger/{entry.seq}/")).content.decode()
    assert not list(differences(spent.pk))


@pytest.mark.parametrize("refresh", ["session", "gm"])
def test_qw_90_elsewhere_a_downtime_is_only_told(as_alice: Client, as_bob: Client, spent: Any) -> None:
    rest = begin(as_alice, spent)
    assert passes(as_alice, rest).status_code == 302
    assert left(spent) == 1
    assert "The story points stay as they are" in as_bob.get(at(spent)).content.decode()


def test_qw_90_one_downtime_goes_on_at_a_time_and_in_no_scene(
    as_alice: Client, as_bob: Client, spent: Any, alices: Any
) -> None:
    sessions.open_session(campaign=spent, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=spent, actor=alices, op_id=uuid.uuid4(), title="The quay")
    rest = begin(as_alice, spent)
    assert rest.scene is None and "<textarea" in as_bob.get(at(spent, f"contests/{rest.pk}/")).content.decode()
    assert "start/downtime/" not in as_alice.get(at(spent)).content.decode()
    assert as_alice.get(at(spent, "contests/start/downtime/")).status_code == 302
    with pytest.raises(Refused, match="already in progress"):
        contests.start(
            campaign=spent, actor=alices, op_id=uuid.uuid4(), client_seed="", kind=rest.kind, title="Again",
            characters=[], setup={"contestants": []})


def test_qw_90_a_downtime_that_is_called_off_has_not_happened(as_alice: Client, spent: Any) -> None:
    assert passes(as_alice, begin(as_alice, spent), "call_off").status_code == 302
    assert left(spent) == 1 and Contest.objects.get().over


def test_qw_90_nobody_speaks_or_ends_it_for_another(
    as_alice: Client, as_bob: Client, as_charlie: Client, as_dana: Client, spent: Any
) -> None:
    assert as_bob.get(at(spent, "contests/start/downtime/")).status_code == 302, "only the GM begins one"
    rest = begin(as_alice, spent)
    assert say(as_bob, rest, "Tam", "He drowns.").status_code == 409
    late = passes(as_bob, rest)
    assert late.status_code == 409 and stays_on_top(late.content.decode(), MOVED)
    assert say(as_charlie, rest, "Ilse", "Gone.").status_code == 404
    empty = say(as_alice, rest, "Ilse", "").content.decode()
    assert leads_to(empty, "spend", Character.objects.get(name="Ilse").pk)
    assert '<details class="gms for-players" open><summary>Act for a player' in empty
    empty = say(as_bob, rest, "Ilse", "")
    assert empty.status_code == 422
    long = say(as_bob, rest, "Ilse", "sleep " * 90)
    assert long.status_code == 422 and "sleep sleep" in long.content.decode()
    assert say(as_alice, rest, "Tam", "He is away.").status_code == 302, "the GM may speak for whoever is not there"
    assert left(spent) == 1


@pytest.mark.parametrize(("refresh", "after"), [("session", 4), ("downtime", 1), ("gm", 1)])
def test_qw_90_a_session_brings_them_back_only_where_the_campaign_says_so(
    spent: Any, alices: Any, after: int
) -> None:
    sessions.open_session(campaign=spent, actor=alices, op_id=uuid.uuid4())
    assert left(spent) == after


@pytest.mark.parametrize("refresh", ["session", "downtime", "gm"])
def test_qw_90_the_gm_brings_them_back_with_one_tap_in_every_campaign(
    as_alice: Client, as_bob: Client, spent: Any
) -> None:
    page, pool = as_alice.get(at(spent)).content.decode(), at(spent, "pools/story_points/")
    assert "Reset to 4" in page and 'name="fresh"' in page
    assert "Reset to 4" not in as_bob.get(at(spent)).content.decode()
    assert as_bob.post(pool, body(fresh="1")).status_code in (403, 404)
    sent = body(fresh="1")
    assert as_alice.post(pool, sent).status_code == 302
    assert as_alice.post(pool, sent).status_code == 302, "sent twice it is done once"
    assert left(spent) == 4
    entry = Entry.objects.get(kind="shared_pool.refresh")
    html = as_bob.get(at(spent, f"ledger/{entry.seq}/")).content.decode()
    assert "1 becomes 4" in html and "QW-90" in html
    assert "Reset to 4" not in as_alice.get(at(spent)).content.decode()
    late = as_alice.post(pool, body(fresh="1"), follow=True)
    assert "which is what a fresh pool has" in late.content.decode()
    assert Entry.objects.filter(kind="shared_pool.refresh").count() == 1 and not list(differences(spent.pk))


def test_qw_90_the_pool_has_a_point_for_each_character_whom_somebody_plays(
    campaign: Any, alices: Any, bobs: Any, ilse: Any
) -> None:
    assert left(campaign) == 2
    character(campaign, bobs, "Ilse’s brother", [], player=bobs)
    character(campaign, alices, "A guard", [], npc=True)
    character(campaign, bobs, "Long gone", [], player=bobs, retired=True)
    assert left(campaign) == 4
