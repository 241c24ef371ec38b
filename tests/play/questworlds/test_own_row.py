"""In a group's contest one's own row comes first, and what the others do is folded."""
from __future__ import annotations

import re

import pytest

from characters.models import Character
from tests.browser import moments

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("player", ["Bob", "Dana"])
def test_qw_42_ones_own_row_comes_first_and_others_are_folded(player: str) -> None:
    laid = moments.table("questworlds")
    moments.begin(laid["address"], "group")
    campaign, clients = moments.TABLES[laid["address"]]
    mine = Character.objects.get(campaign=campaign, player__user__username__startswith=player).name
    for _ in range(14):
        page = clients[player].get(laid["address"]).content.decode()
        rows = re.findall(r'<section class="framed".*?</section>', page, re.DOTALL)
        names = [re.findall(r"<h2[^>]*>([^<]+)</h2>", row)[0] for row in rows]
        assert len(names) == 2 and names[0] == mine
        assert 'data-keep="frame-' not in rows[0] and 'data-keep="frame-2"' in rows[1]
        if 'class="decision' in page or moments.step(laid["address"], avoid=["stand", "point"]) is None:
            break
    page = clients["Alice"].get(laid["address"]).content.decode()
    names = re.findall(r'<h2 id="who-\d+">([^<]+)</h2>', page)
    assert names == sorted(names), "a GM sees them as they stand in the scene"
