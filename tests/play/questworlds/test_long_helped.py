"""Augments that are rolled for, and flaws, at the pages of each long contest (QW-22 to QW-24)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from tests.html_forms import Page
from tests.play.questworlds.conftest import latest, of, page, press, state
from tests.play.questworlds.longing import set_setting, start, story
from tests.verifier.test_on_the_server import through

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["scored", "chained", "extended"])
def contest(request: pytest.FixtureRequest, as_alice: Client, campaign: Any, scene: Any, alices: Any) -> Any:
    """Ilse against the captain; the pool is empty, so that dice settle at once."""
    set_setting(campaign, alices, long=request.param, points=0)
    return start(as_alice, campaign, request.param)


def works(answer: Any) -> None:
    assert answer.status_code == 302, answer.content.decode()


def counts(client: Client) -> list[str]:
    """What the page says that counts."""
    return [f"{line.text}" for line in Page(client.get(at())).of_class("trait", "li")]


def at() -> str:
    one = latest()
    return f"/c/{one.campaign.slug}/contests/{one.pk}/"


def sound(campaign: Any, *, faces: bool = False) -> None:
    """It rebuilds; and verifies, where no `faces` were laid by hand."""
    assert not list(differences(campaign.pk)) and (faces or not through(campaign).fault)


def test_qw_22_an_augment_is_offered_rolled_for_and_counts(
    as_alice: Client, as_bob: Client, campaign: Any, contest: Any, ilse: Any, fall: Any
) -> None:
    works(press(as_bob, ilse, "augment", trait=of(ilse, "Knife"), words="Cutting the ropes"))
    words = page(as_alice)
    assert "Roll for +3" in words and "Roll for +6" in words
    works(press(as_alice, None, "answer", verdict="roll6"))
    assert "Your turn: roll for the augment" in page(as_bob)
    fall(5, 3)
    works(press(as_bob, ilse, "roll_augment"))
    assert any("Knife" in line and "+6" in line for line in counts(as_bob))
    assert "Ilse has +6." in story("contest.roll_augment")
    sound(campaign, faces=True)


def test_qw_22_what_was_tried_in_vain_is_refused_where_it_is_tried_again(
    as_alice: Client, as_bob: Client, campaign: Any, contest: Any, ilse: Any, fall: Any
) -> None:
    works(press(as_bob, ilse, "augment", trait=of(ilse, "Knife")))
    works(press(as_alice, None, "answer", verdict="roll3"))
    fall(16, 3)
    works(press(as_bob, ilse, "roll_augment"))
    assert not any("Knife" in line for line in counts(as_bob))
    again = press(as_bob, ilse, "augment", trait=of(ilse, "Stubborn"))
    assert again.status_code == 422 and "There is no second try to augment the same contest." in again.content.decode()


def test_qw_23_a_flaw_hinders_by_its_owner_and_the_gm_removes_it(
    as_alice: Client, as_bob: Client, campaign: Any, contest: Any, ilse: Any
) -> None:
    assert "Let a flaw hinder you" in page(as_bob)
    works(press(as_bob, ilse, "hinder", trait=of(ilse, "In debt")))
    assert any("In debt" in line and "−3" in line and "Ilse says so" in line for line in counts(as_bob))
    works(press(as_alice, None, "dismiss", which=f"{ilse.pk} {of(ilse, 'In debt')}"))
    assert not any("In debt" in line for line in counts(as_bob))
    sound(campaign)


def test_qw_23_any_line_hinders_at_the_gms_word_after_its_own_roll(
    as_alice: Client, as_bob: Client, campaign: Any, contest: Any, ilse: Any, fall: Any
) -> None:
    fall(5, 3)
    works(press(as_alice, None, "hinder", trait=of(ilse, "Knife"), amount="-6", how="rolled", reason="It is blunt"))
    assert any("Knife" in line and "−6" in line and "It is blunt" in line for line in counts(as_bob))
    fall(19, 3)
    works(press(as_alice, None, "hinder", trait=of(ilse, "In debt"), how="rolled"))
    assert "it is no hindrance here" in story("contest.hinder") and state().overcome == (of(ilse, "In debt"),)


def test_qw_24_a_flaw_is_acted_against_before_the_round(
    as_alice: Client, as_bob: Client, campaign: Any, contest: Any, ilse: Any, fall: Any
) -> None:
    before = ilse.pools.filter(name="xp").first()
    fall(16, 3)
    works(press(as_bob, ilse, "act_against", flaw=of(ilse, "In debt"), ability=of(ilse, "Mapmaker")))
    assert "Ilse acts against it." in story("contest.act_against") and "Act against a flaw" not in page(as_bob)
    after = ilse.pools.get(name="xp")
    assert after.value == (before.value if before else 0) + 1
    assert "Your turn:" in page(as_bob), "the round is still to be rolled"
    sound(campaign, faces=True)


def test_qw_24_the_gm_compels_and_no_die_falls(
    as_alice: Client, as_bob: Client, campaign: Any, contest: Any, ilse: Any
) -> None:
    works(press(as_alice, None, "compel"))
    assert "Ilse acts as In debt dictates: no die falls." in story("contest.compel")
    assert ilse.pools.get(name="xp").value == 1 and not Entry.objects.latest("pk").kind.endswith("roll")
    assert "Act against a flaw" not in page(as_bob) and "Your turn:" in page(as_bob)
    sound(campaign)
