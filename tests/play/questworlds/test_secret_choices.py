"""What a player chose in secret is neither undone nor revealed by the GM before the rival has chosen (QW-20)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry, Revelation
from tests import laid
from tests.conftest import logged_in
from tests.play.conftest import body
from tests.play.questworlds.conftest import act, begin, of, state

pytestmark = pytest.mark.django_db


@laid.fixture
def chosen(as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any) -> Entry:
    """Ilse has chosen in secret, Tam has not."""
    begin(as_alice, campaign, "versus", c0_side="one", c1_side="one")
    assert act(as_bob, ilse, "choose", tactic="I hold the door", ability=of(ilse, "Knife")).status_code == 302
    entry = Entry.objects.filter(campaign=campaign).latest("seq")
    assert entry.audience == str(ilse.player_id)
    return entry


@pytest.mark.parametrize("what", ["undo", "reveal"])
def test_qw_20_not_before_the_rival_has_chosen(
    what: str, as_alice: Client, campaign: Any, chosen: Entry, tam: Any, dana: Any
) -> None:
    address = f"/c/{campaign.slug}/ledger/{chosen.seq}/{what}/"
    refused = as_alice.post(address, body(sure="1"))
    assert refused.status_code == 422
    assert "chose this in secret" in refused.content.decode() and "hold the door" not in refused.content.decode()
    assert not Revelation.objects.exists() and not Entry.objects.filter(kind="undo").exists()
    act(logged_in(dana.user), tam, "choose", tactic="I pull", ability=of(tam, "Songs"))
    assert all(entrant.chosen for entrant in state().entrants)
    if what == "reveal":
        assert as_alice.post(address, body(sure="1")).status_code == 302
    else:
        last = Entry.objects.filter(campaign=campaign).latest("seq").seq
        for seq in (last, chosen.seq):
            assert as_alice.post(f"/c/{campaign.slug}/ledger/{seq}/undo/", body()).status_code == 302


def test_qw_20_when_it_is_called_off_there_is_nothing_left_to_guard(
    as_alice: Client, campaign: Any, chosen: Entry
) -> None:
    assert act(as_alice, None, "call_off").status_code == 302
    assert as_alice.post(f"/c/{campaign.slug}/ledger/{chosen.seq}/reveal/", body(sure="1")).status_code == 302
