"""Who has died by the GM's word on the sheet leaves the fight that goes on, and is back with the word (PN-11)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from tests.html_forms import Page
from tests.play.test_conflict_deaths import marks, taken_back
from tests.play.test_pnc_fight_by_page import fall, in_order, press
from tests.play.test_pnc_one_scene import standing
from tests.play.test_pnc_table import campaign, marrow, nell, scene

__all__ = ["campaign", "fall", "marrow", "nell", "scene"]  # fixtures of those tables
pytestmark = pytest.mark.django_db


def forms_of(client: Client, who: Character) -> list[str]:
    page = Page(client.get(f"/c/{who.campaign.slug}/contests/{Contest.objects.get().pk}/"))
    return [form.action for form in page.forms if "/contests/" in form.action and f"/{who.pk}/" in form.action]


@pytest.mark.parametrize("answered", [False, True])
def test_pn_11_the_death_of_the_last_foe_drops_their_attack_and_ends_the_fight(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: None, nell: Character, marrow: Character,
    fall: Any, answered: bool
) -> None:
    in_order(as_alice, as_bob, campaign, nell, fall)
    press(as_bob, nell, "attack", words="With the boat hook")
    if answered:
        fall(6, 6, 6)
        press(as_alice, marrow, "defend")
    written = marks(as_alice, marrow)
    assert Contest.objects.get().over and not forms_of(as_alice, marrow) and not forms_of(as_bob, nell)
    assert "Marrow is dead, and out of the fight." in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    taken_back(campaign, alices, written)
    assert not Contest.objects.get().over and standing(marrow) == "fighting"
    assert forms_of(as_bob, nell) if answered else forms_of(as_alice, marrow)
    assert not list(differences(campaign.pk))


def test_pn_07_who_dies_before_the_order_stands_rolls_for_no_place(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: None, nell: Character, marrow: Character,
    fall: Any
) -> None:
    from tests.play.conftest import character
    from tests.play.test_pdq_one_scene import Evening, present
    from tests.play.test_pnc_one_scene import fights

    dunn = character(campaign, alices, "Dunn", [("feature", "Quick", 1)], npc=True)
    present(Evening(campaign, as_alice, as_bob, {}), dunn)
    fights(as_alice, campaign, c0_side="one", c1_side="two", c2_side="two")
    marks(as_alice, dunn)
    assert standing(dunn) == "dead" and not forms_of(as_alice, dunn)
    marks(as_alice, dunn, button="Bring back to life")
    assert standing(dunn) == "fighting" and forms_of(as_alice, dunn)
