"""Groups in long contests, from several browsers: pairs, helpers, followers, points from elsewhere (QW-47 to QW-56)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from play.models import Presence, SharedPool
from tests import laid
from tests.conftest import logged_in
from tests.play.conftest import body, character
from tests.play.questworlds.conftest import act, latest, of, page, state
from tests.play.questworlds.longing import gm_bids, roll, set_setting, start

pytestmark = pytest.mark.django_db


@laid.fixture
def as_dana(dana: Any) -> Client:
    return logged_in(dana.user)


def settle(client: Client, who: Any) -> None:
    if state().throws:
        assert act(client, who, "stand").status_code == 302


def test_qw_47_pairs_a_free_winner_and_the_last_side_standing(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, fall: Any
) -> None:
    start(as_alice, campaign, opponents="Captain Vey 17; Clerk 11", who=2)
    first, _ = state().bouts
    assert (state().name_of(first.ours), state().name_of(first.theirs)) == ("Tam", "Captain Vey"), "by their scores"
    fall(3, 20)
    roll(as_bob, ilse, bout="1", ability=of(ilse, "Mapmaker"))
    assert "Waiting for Tam: roll round 1." in page(as_bob)
    fall(7, 7)
    roll(as_dana, tam, bout="0", ability=of(tam, "Sailor"))
    fall(17, 20)
    roll(as_bob, ilse, bout="1", ability=of(ilse, "Mapmaker"))
    assert "Clerk" in page(as_bob) and "✕ out" in page(as_bob) and "Ilse faces nobody" in page(as_dana)
    assert act(as_bob, ilse, "engage", whom="~0").status_code == 302
    assert state().bout(2).points == (0, 0)
    # QW-47: who comes later begins from nothing, and the GM says who faces whom.
    assert act(as_alice, None, "join", name="A late guard", resistance="low", side="1").status_code == 302
    assert "A late guard joins, at 11." in page(as_bob)
    assert act(as_alice, None, "pair", ours=str(ilse.pk), theirs="~4").status_code == 302
    assert [bout.theirs for bout in state().bouts_of(str(ilse.pk))] == ["~4"]
    assert not list(differences(campaign.pk))


def test_qw_48_an_assist_climbs_for_whoever_helps_the_same_one(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, fall: Any
) -> None:
    start(as_alice, campaign, who=1)
    fall(19, 3)
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert state().bout(0).points == (0, 2)
    text = page(as_dana)  # Tam is in the scene, and not in the contest
    assert "Assist someone" in text and "against 14" in text
    fall(3, 19)
    assert act(as_dana, tam, "assist", bout="0", ability=of(tam, "Songs"), words="A warning shout").status_code == 302
    settle(as_dana, tam)
    assert state().bout(0).points == (0, 0) and "against 17" in page(as_dana)
    fall(19, 3)
    assert act(as_dana, tam, "assist", bout="0", ability=of(tam, "Songs"), words="Another").status_code == 302
    settle(as_dana, tam)
    assert state().bout(0).points == (0, 2), "a defeat adds its rank"
    fall(3, 19)
    helped = act(as_dana, tam, "unrelated", ability=of(tam, "Songs"), whom=str(ilse.pk), words="A tune")
    assert helped.status_code == 302
    settle(as_dana, tam)
    assert "+3" in page(as_bob)


def test_qw_49_a_follower_takes_points_over_and_the_gm_goes_for_another(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, bobs: Any, fall: Any
) -> None:
    nell = character(campaign, bobs, "Nell", [
        ("ability", "Oars", 17), ("retainer", "Old Tam", 13), ("retainer", "Young Tam", 12)], player=bobs)
    Presence.objects.filter(character__name="Ilse").update(character=nell)
    start(as_alice, campaign, opponents="Captain Vey 17; Clerk 11")
    for name, role in (("Old Tam", "secondary"), ("Young Tam", "supporter")):
        assert act(as_bob, nell, "follower", trait=of(nell, name), role=role).status_code == 302
    fall(19, 3)
    roll(as_bob, nell, ability=of(nell, "Oars"))
    onto = f"0:{nell.pk}:{of(nell, 'Old Tam')}"
    assert act(as_bob, nell, "shift", onto=onto, points="2").status_code == 302
    assert state().bout(0).points == (0, 0) and "takes points over, 2 of 3" in page(as_alice)
    fall(18, 3)
    one = state().contestant(f"{nell.pk}:{of(nell, 'Young Tam')}")
    assert one is not None
    contest, sent = latest(), body(who="~1", whom=one.id)
    assert as_alice.post(f"/c/{campaign.slug}/contests/{contest.pk}/threaten/gm/", sent).status_code == 302
    settle(as_bob, nell)
    assert "Young Tam" in page(as_bob) and state().entrant(one.id).status == "removed"


def test_qw_54_and_55_a_gift_and_an_edge(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, alices: Any,
    fall: Any,
) -> None:
    set_setting(campaign, alices, long="extended", edges="yes")
    start(as_alice, campaign, "extended", "Vey 17; Clerk 11", who=1)
    assert "Set an edge or a handicap" in page(as_alice)
    assert act(as_alice, None, "edge", whom="~0", edge="2").status_code == 302
    sent = {"whom": "~0", "ability": of(ilse, "Mapmaker"), "bid": "16"}
    assert act(as_bob, ilse, "bid", **sent).status_code == 302
    for foe in ("~0", "~1"):
        gm_bids(as_alice, foe, ilse, 3)
    fall(3, 19)
    gift = act(as_dana, tam, "gift", whom=str(ilse.pk), points="5", ability=of(tam, "Songs"), words="")
    assert gift.status_code == 302
    settle(as_dana, tam)
    assert "22 of 17" in page(as_bob)
    fall(20, 17)  # by three levels but one: three times 16
    assert act(as_bob, ilse, "exchange").status_code == 302
    settle(as_bob, ilse)
    assert state().entrant(str(ilse.pk)).status == "beaten" and not list(differences(campaign.pk))
    assert "The prize goes to the toll." in page(as_bob)


def test_qw_56_a_second_chance_costs_a_point_and_brings_back_a_quarter(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, alices: Any,
    fall: Any,
) -> None:
    set_setting(campaign, alices, long="extended")
    start(as_alice, campaign, "extended", "Vey 17", who=2)
    assert act(as_bob, ilse, "bid", whom="~0", ability=of(ilse, "Mapmaker"), bid="17").status_code == 302
    assert act(as_dana, tam, "bid", whom="~0", ability=of(tam, "Sailor"), bid="2").status_code == 302
    gm_bids(as_alice, "~0", ilse, 1)
    fall(19, 3)
    assert act(as_bob, ilse, "exchange").status_code == 302
    settle(as_bob, ilse)
    assert state().entrant(str(ilse.pk)).status == "beaten" and "Take a second chance" in page(as_bob)
    fall(3, 19)
    assert act(as_bob, ilse, "second_chance", ability=of(ilse, "Mapmaker")).status_code == 302
    assert state().entrant(str(ilse.pk)).ap == 5 and "5 of 17" in page(as_bob) and "−6" in page(as_bob)
    assert SharedPool.objects.get(name="story_points").value == 1
    assert act(as_bob, ilse, "second_chance", ability=of(ilse, "Mapmaker")).status_code in (409, 422)
    assert not list(differences(campaign.pk))


def test_qw_53_who_got_away_comes_back_with_what_was_left(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, alices: Any,
    fall: Any,
) -> None:
    set_setting(campaign, alices, long="extended")
    start(as_alice, campaign, "extended", "Vey 17", who=2)
    sent = {"whom": "~0", "ability": of(ilse, "Mapmaker"), "bid": "4", "aim": "leave"}
    assert act(as_bob, ilse, "bid", **sent).status_code == 302
    assert act(as_dana, tam, "bid", whom="~0", ability=of(tam, "Sailor"), bid="2").status_code == 302
    gm_bids(as_alice, "~0", ilse, 1)
    fall(3, 19)
    assert act(as_bob, ilse, "exchange").status_code == 302
    settle(as_bob, ilse)
    assert state().entrant(str(ilse.pk)).status == "left" and "Ilse gets away." in page(as_bob)
    assert act(as_bob, ilse, "rejoin").status_code == 302
    assert "17 of 17" in page(as_bob)
