"""The form that starts a contest: a line for each who may be in it, and what is seldom said folded."""
from __future__ import annotations

import re
from typing import Any

from django.test import Client

from characters.models import Character
from play.models import Contest
from tests.play.conftest import body


def line_of(page: str, name: str) -> str:
    """What stands in somebody's line of the form."""
    return page.partition(f'role="group" aria-label="{name}"')[2].partition('role="group"')[0]


def test_each_has_a_line_with_the_sides_by_name_and_the_rest_folded(
    as_alice: Client, campaign: Any, scene: Any, ilse: Character
) -> None:
    at = f"/c/{campaign.slug}/contests/start/conflict/"
    line = line_of(as_alice.get(at).content.decode(), "Ilse")
    sides = re.findall(r"<option[^>]*>([^<]*)", line)
    assert sides[:4] == ["Not taking part", "The party", "The others", "A third side"]
    folded = line.partition("<details")[2]
    assert "Attacks without warning" in folded and not folded.startswith(' class="more" open')
    sent = {"title": "", "side_one": "The ferry", "side_two": "The watch", "danger": "momentary", "harm": "damage",
            "c0_side": "one", "c1_side": "two", "c0_surprises": "on"}
    again = as_alice.post(at, sent)
    line = line_of(again.content.decode(), "Ilse")
    assert again.status_code == 422 and "The ferry</option>" in line and "The party" not in line
    assert '<details class="more" open>' in line


def test_the_entry_with_which_a_contest_ends_leads_to_all_of_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Character
) -> None:
    sent = {"title": "Knives", "side_one": "Us", "side_two": "Them", "danger": "momentary", "harm": "damage",
            "c0_side": "one", "c1_side": "two"}
    assert as_alice.post(f"/c/{campaign.slug}/contests/start/conflict/", body(**sent)).status_code == 302
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    leads = f'<a href="{at}">How it went</a>'
    assert leads not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    ended = as_alice.post(f"{at}end/gm/", body(at="table"))
    assert ended.status_code == 302 and ended["Location"] == f"{at}#ended", "a fight has a page for what came of it"
    assert as_alice.get(f"/c/{campaign.slug}/").content.decode().count(leads) == 1
    assert as_bob.get(f"/c/{campaign.slug}/").content.decode().count(leads) == 1
