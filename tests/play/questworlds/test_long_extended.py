"""An extended contest at its page: bids, totals that are not told, lending, the order by bid (QW-51 to QW-56)."""
from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from tests import laid
from tests.conftest import logged_in
from tests.play.conftest import body
from tests.play.questworlds.conftest import act, of, page, state
from tests.play.questworlds.longing import gm_bids, set_setting, start

pytestmark = pytest.mark.django_db


@laid.fixture
def bidding(campaign: Any, scene: Any, alices: Any) -> None:
    set_setting(campaign, alices, long="extended")


def bid(client: Client, who: Any, points: int, whom: str = "~0", ability: str = "Mapmaker", **more: Any) -> None:
    answer = act(client, who, "bid", whom=whom, ability=of(who, ability), bid=str(points), **more)
    assert answer.status_code == 302, answer.content.decode()
    if state().throws:
        act(client, who, "stand")


def test_qw_51_a_round_is_the_players_bid_and_the_gms(
    as_alice: Client, as_bob: Client, campaign: Any, bidding: None, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign, "extended", "The judge 14")
    assert "Your turn: bid for round 1." in page(as_bob) and "Your bid" in page(as_bob)
    fall(3, 16)
    bid(as_bob, ilse, 5)
    text = page(as_bob)
    assert "17 of 17" in text and "The judge −5" in text and "Waiting for the GM: bid for round 1." in text
    gm_bids(as_alice, "~0", ilse, 4)
    assert "Your turn: answer The judge." in page(as_bob)
    fall(19, 3)
    assert act(as_bob, ilse, "answer_bid", ability=of(ilse, "Mapmaker")).status_code == 302
    act(as_bob, ilse, "stand")
    assert "13 of 17" in page(as_bob) and state().round == 2 and not list(differences(campaign.pk))


def test_qw_52_what_the_others_have_left_is_in_no_byte_before_somebody_may_ask(
    as_alice: Client, as_bob: Client, campaign: Any, bidding: None, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign, "extended", "The judge 14")
    assert act(as_alice, None, "reinforce", whom="~0", points="55").status_code == 302
    assert Entry.objects.get(kind="contest.reinforce").audience == "gm"
    total = re.compile(r"(?<![\w-])69(?![\w-])")  # and no part of an id
    assert total.search(page(as_alice)) and not total.search(page(as_bob))
    assert "not yet known" in page(as_bob) and "Ask for their total" not in page(as_bob)
    fall(3, 16)
    bid(as_bob, ilse, 5)
    assert "64 of" not in page(as_bob) and "Ask for their total" in page(as_bob)
    assert act(as_bob, ilse, "ask", whom="~0").status_code == 302
    assert "64 of 69" in page(as_bob)


def test_qw_52_a_bid_over_the_start_is_refused_at_its_field(
    as_alice: Client, as_bob: Client, campaign: Any, bidding: None, ilse: Any
) -> None:
    start(as_alice, campaign, "extended", "The judge 14")
    answer = act(as_bob, ilse, "bid", whom="~0", ability=of(ilse, "Mapmaker"), bid="18")
    assert answer.status_code == 422 and "Bid at most what you began with, 17." in answer.content.decode()


def test_the_odds_of_a_bid_are_told_before_it(
    as_alice: Client, as_bob: Client, campaign: Any, bidding: None, ilse: Any
) -> None:
    contest = start(as_alice, campaign, "extended", "The judge 14")
    answer = as_bob.post(f"/c/{campaign.slug}/contests/{contest.pk}/bid/{ilse.pk}/odds/",
                         body(whom="~0", ability=of(ilse, "Mapmaker"), bid="5", plan="8"))
    text = answer.content.decode()
    assert "By the die" in text and "<td>−3</td>" in text and "At worst you are left with 2." in text
    assert "With 5, then 8 against 3, if they began with 14:" in text and "Later ones are not counted." in text


@pytest.mark.parametrize(("foe", "gains"), [("The judge 14", True), ("The judge 11", False)])
def test_qw_51_a_bid_says_beforehand_that_nothing_transfers_between_abilities_far_apart(
    as_alice: Client, as_bob: Client, campaign: Any, bidding: None, ilse: Any, foe: str, gains: bool
) -> None:
    contest = start(as_alice, campaign, "extended", foe)
    text = as_bob.post(f"/c/{campaign.slug}/contests/{contest.pk}/bid/{ilse.pk}/odds/",
                       body(whom="~0", ability=of(ilse, "Mapmaker"), bid="5")).content.decode()
    assert "At worst" in text
    assert ("6 or more apart: with a critical, the winner gains no points" in text) is not gains


def test_qw_56_in_a_group_all_bid_and_the_highest_goes_first(
    as_alice: Client, as_bob: Client, campaign: Any, bidding: None, ilse: Any, tam: Any, dana: Any, fall: Any
) -> None:
    as_dana = logged_in(dana.user)
    start(as_alice, campaign, "extended", "Vey 17; Clerk 11", who=2)
    bid(as_bob, ilse, 4)
    bid(as_dana, tam, 8, whom="~1", ability="Sailor")
    gm_bids(as_alice, "~0", ilse, 3)
    gm_bids(as_alice, "~1", tam, 2)
    assert "Your turn: roll round 1." in page(as_dana)
    assert "Waiting for Tam: roll round 1." in page(as_bob)
    assert act(as_dana, tam, "defer").status_code == 302
    assert "Your turn: roll round 1." in page(as_bob)
    fall(3, 19)
    assert act(as_bob, ilse, "lend", whom=str(tam.pk), points="4", ability=of(ilse, "Mapmaker"), words="A rope"
               ).status_code == 302
    if state().throws:
        act(as_bob, ilse, "stand")
    assert state().entrant(str(ilse.pk)).ap == 13 and state().entrant(str(tam.pk)).ap == 31
    assert not list(differences(campaign.pk))
