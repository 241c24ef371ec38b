"""A campaign without story points shows nothing of them, on any page (QW-90)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.services.founding import found
from campaigns.services.setting import change_settings, last_change
from play.models import Contest, SharedPool
from play.services import pools
from tests.play.conftest import body
from tests.play.questworlds.conftest import act, begin, frame, of, page, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def points() -> int:
    return 0


@pytest.fixture
def campaign(alice: Any, points: int) -> Any:
    settings = {"points": points}
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds", settings=settings)


def says_nothing(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, address
    html = answer.content.decode().casefold()
    assert not [word for word in ("story point", "edit the plot", "plot edit") if word in html], address


def test_qw_90_a_campaign_without_story_points_shows_nothing_of_them(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    home = f"/c/{campaign.slug}/"
    frame(as_alice, as_bob, campaign, ilse)
    fall(9, 12)
    contest = f"{home}contests/{Contest.objects.get().pk}/"
    for client in (as_alice, as_bob):
        for address in (home, contest, f"{home}odds/", f"{home}facts/", f"{home}chronicle/",
                        f"{home}contests/start/framed/", f"{home}characters/{ilse.pk}/"):
            says_nothing(client, address)
    assert f"{home}facts/" not in as_bob.get(home).content.decode()
    act(as_alice, None, "set")
    act(as_bob, ilse, "roll")
    assert state().outcomes, "nobody is asked"
    says_nothing(as_bob, contest)


def test_qw_90_without_them_none_can_be_set_spent_or_brought_back(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    home = f"/c/{campaign.slug}/"
    assert as_alice.get(f"{home}pools/story_points/").status_code == 404
    assert as_alice.post(f"{home}pools/story_points/", body(fresh="1")).status_code == 404
    assert as_bob.get(f"{home}contests/start/plot/").status_code == 302, "back to the table"
    sent = body(title="The ferryman is a friend", who=str(ilse.pk), level="minor")
    as_bob.post(f"{home}contests/start/plot/", sent)
    assert not Contest.objects.exists() and not SharedPool.objects.exists()


@pytest.mark.parametrize("points", [1])
def test_qw_90_giving_them_up_in_the_middle_leaves_nothing_stuck(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    sent = body(title="The ferryman is a friend", who=str(ilse.pk), level="marginal")
    assert as_bob.post(f"/c/{campaign.slug}/contests/start/plot/", sent).status_code == 302
    assert "Story points left: 2." in page(as_bob)
    pools.set_pool(campaign=campaign, actor=alices, op_id=uuid.uuid4(), pool="story_points", value=5, reason="A gift")
    campaign.refresh_from_db()
    none = {**campaign.settings, "points": 0}
    change_settings(campaign=campaign, actor=alices, op_id=uuid.uuid4(), base=last_change(campaign),
                    name=campaign.name, pitch="", settings=none)
    assert "Story points left" not in page(as_bob)
    assert act(as_alice, None, "refuse").status_code == 302
    ledger = as_alice.get(f"/c/{campaign.slug}/ledger/").content.decode()
    assert "Story points: 2 becomes 5" in ledger, "what was told before is read as it was"
    assert begin(as_bob, campaign, who=str(ilse.pk), obstacle="A gate")
    assert act(as_bob, ilse, "choose", tactic="Over it", ability=of(ilse, "Knife")).status_code == 302
