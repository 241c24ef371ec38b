"""A GM's page: what the GM does for NPCs stands open, what they could do in a player's place is folded, and apart."""
from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.play.test_now import fight  # noqa: F401

pytestmark = pytest.mark.django_db

FOLD = "<summary>Act for a player</summary>"


def test_a_players_act_is_folded_for_the_gm_and_open_for_the_player(
    as_alice: Client, as_bob: Client, campaign: Any, fight: Any, ilse: Any, marrow: Any  # noqa: F811
) -> None:
    at = f"/c/{campaign.slug}/contests/{fight.pk}/"
    page = as_alice.get(at).content.decode()
    own, _, folded = page.partition('id="acts"')[2].partition(FOLD)
    assert own.endswith('<details class="gms for-players">'), "it is folded"
    of_ilse, of_marrow = (rf'id="offer-\w+-{character.pk}"' for character in (ilse, marrow))
    assert re.search(of_ilse, folded) and not re.search(of_ilse, own)
    assert re.search(of_marrow, own) and not re.search(of_marrow, folded)
    assert "<button>" not in folded.partition("</details>\n</div>")[0], "none of them looks like the GM’s own"
    theirs = as_bob.get(at).content.decode()
    assert FOLD not in theirs
