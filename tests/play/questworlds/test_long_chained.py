"""A chained contest at its page: what hurts at once, who has to concede, followers who take a defeat (QW-57)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from characters.models import Pool, Trait
from play.models import Contest
from tests import laid
from tests.play.conftest import character
from tests.play.questworlds.conftest import act, of, page, state
from tests.play.questworlds.longing import roll, set_setting, start

pytestmark = pytest.mark.django_db


@laid.fixture
def chain(as_alice: Client, campaign: Any, scene: Any, alices: Any) -> Any:
    """A campaign of chained contests, and one in it."""
    set_setting(campaign, alices, long="chained")
    return start(as_alice, campaign, "chained")


def test_qw_57_a_defeat_stands_on_the_sheet_at_once_and_counts_in_the_next_round(
    as_alice: Client, as_bob: Client, campaign: Any, chain: Any, ilse: Any, fall: Any
) -> None:
    assert "to win this in the end" in page(as_bob) and "first to five" not in page(as_bob)
    fall(19, 3)
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert Trait.objects.get(character=ilse, kind="consequence").value == 2
    text = page(as_bob)
    assert "Setback of round 1, −6" in text and "Roll 11 against 17" in text
    fall(12, 3)
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert state().bout(0).rounds[-1].results[0] == "failure" and not list(differences(campaign.pk))


def test_qw_57_penalties_below_0_make_one_concede_and_it_teaches(
    as_alice: Client, as_bob: Client, campaign: Any, chain: Any, ilse: Any, fall: Any
) -> None:
    fall(20, 17)  # by rank 4: −20
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert "Ilse" in page(as_bob) and "The prize goes to the toll." in page(as_bob)
    assert act(as_alice, None, "close").status_code == 302
    assert Pool.objects.get(character=ilse, name="xp").value == 1 and Contest.objects.get().over
    html = as_bob.get(f"/c/{campaign.slug}/chronicle/").content.decode()
    assert "Captain Vey beat Ilse" in html and "Round 1: Ilse against Captain Vey." in html


def test_qw_57_one_gets_away_by_a_victory_or_gives_up(
    as_alice: Client, as_bob: Client, campaign: Any, chain: Any, ilse: Any, fall: Any
) -> None:
    assert act(as_alice, None, "resist", whom="~0", resistance="5M4", reason="It wakes").status_code == 302
    Trait.objects.filter(character=ilse, name="Mapmaker").update(value=85)
    text = page(as_bob)
    assert "This may never end" in text and "One of you can concede" in text and "Exact:" not in text
    fall(3, 19)
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"), aim="leave")
    assert state().entrant(str(ilse.pk)).status == "left" and "Ilse gets away." in page(as_bob)
    assert not Trait.objects.filter(kind="consequence").exists()


@pytest.mark.parametrize(("score", "settings", "says"), [
    (200, {"stacking": "value"}, "50% to win this in the end"),
    (1000, {"stacking": "value"}, "too many to count"), (200, {"long_tables": True}, "50% to win"),
    (985, {"long_tables": True}, "too many to count"), (985, {}, "This may never end")])
def test_qw_57_scores_past_980_have_their_chances_or_a_sentence_in_their_place(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, score: int,
    settings: dict[str, str | bool], says: str,
) -> None:
    set_setting(campaign, alices, long="chained", **settings)
    ilse.traits.filter(name="Mapmaker").update(value=score)
    start(as_alice, campaign, "chained", opponents=f"Captain Vey {score}")
    text = " ".join(page(as_bob).split())
    assert says in text and ("Exact:" in text) == ("%" in says)
    asked = as_bob.get(f"/c/{campaign.slug}/odds/", {"of": "contest", "ability": score, "modifier": 0,
                                                     "resistance": score}).content.decode()
    assert "Victory" in asked and "50" in asked and "errorlist" not in asked


def test_qw_57_a_follower_takes_the_defeat_one_rank_worse(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, bobs: Any, alices: Any, fall: Any
) -> None:
    from play.models import Presence

    set_setting(campaign, alices, long="chained")
    nell = character(campaign, bobs, "Nell", [("ability", "Oars", 17), ("retainer", "Old Tam", 13)], player=bobs)
    Presence.objects.filter(character__name="Ilse").update(character=nell)
    start(as_alice, campaign, "chained")
    assert act(as_bob, nell, "follower", trait=of(nell, "Old Tam"), role="supporter").status_code == 302
    fall(19, 3)
    roll(as_bob, nell, ability=of(nell, "Oars"))
    assert Trait.objects.filter(character=nell, kind="consequence").count() == 1
    assert "Let a follower take the defeat" in page(as_bob)
    assert act(as_bob, nell, "pass_on", follower=f"{nell.pk}:{of(nell, 'Old Tam')}").status_code == 302
    assert not Trait.objects.filter(character=nell, kind="consequence").exists()
    assert "Roll 17 against 17" in page(as_bob)
