"""A side that has won ends a long contest, also while the dice of a parting shot wait for a story point (QW-53, 56)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from rules.systems.questworlds.long.state import Phase
from tests.conftest import logged_in
from tests.play.pressing import forms, press
from tests.play.questworlds.conftest import act, of, page, state
from tests.play.questworlds.longing import gm_bids, set_setting, shoot, start

pytestmark = pytest.mark.django_db


def test_qw_53_a_parting_shot_waits_for_a_story_point_though_the_last_foe_fell_before_all_had_acted(
    as_alice: Client, as_bob: Client, dana: Any, campaign: Any, scene: Any, alices: Any, ilse: Any, tam: Any,
    fall: Any,
) -> None:
    as_dana = logged_in(dana.user)
    set_setting(campaign, alices, long="extended")
    start(as_alice, campaign, "extended", "Captain Vey 6", who=2)
    for client, who, ability, points in ((as_bob, ilse, "Mapmaker", "15"), (as_dana, tam, "Sailor", "1")):
        assert press(client, page(client), "Bid", whom="~0", ability=of(who, ability), bid=points).status_code == 302
    gm_bids(as_alice, "~0", ilse, 3)
    fall(2, 19)
    assert act(as_bob, ilse, "exchange").status_code == 302
    if state().throws:
        assert press(as_bob, page(as_bob), "Let it stand").status_code == 302
    assert state().phase is Phase.AFTER and tam.id and str(tam.pk) not in state().done
    fall(12, 12)
    shoot(as_alice, as_bob, ilse, whom="~0", ability=of(ilse, "Mapmaker"), bid="15", words="His chain of office")
    assert state().throws and state().phase is Phase.AFTER
    for client in (as_alice, as_bob, as_dana):
        for address in ("/", f"/c/{campaign.slug}/", f"/c/{campaign.slug}/settings/"):
            assert client.get(address).status_code == 200
    assert "a story point" in page(as_bob) and "can’t be shown" not in page(as_bob)
    assert not any("Finish the contest" in form.buttons for form in forms(page(as_alice)))
    assert press(as_bob, page(as_bob), "Let it stand").status_code == 302
    assert state().phase is Phase.AFTER
    assert press(as_alice, page(as_alice), "Finish the contest").status_code == 302
