"""Home tells of a contest as one would at the table: who beat whom, by how much, and what goes on."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Member
from tests.html_forms import Page
from tests.play.questworlds.conftest import frame, press

pytestmark = pytest.mark.django_db


def told(browser: Client) -> list[str]:
    """The sentences on Home, the newest first."""
    return [link.text for link in Page(browser.get("/")).of_class("news", "a")]


def test_home_says_who_won_and_how_and_what_goes_on(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, fall: Any,
) -> None:
    Member.objects.update(seen_seq=campaign.head_seq)
    fall(9, 12)
    frame(as_alice, as_bob, campaign, ilse)
    assert press(as_alice, None, "set").status_code == 302
    assert (told(as_alice), told(as_bob)) == (["Past the guard goes on."], ["Past the guard goes on: your turn."])
    for browser, who, action in ((as_bob, ilse, "roll"), (as_bob, ilse, "spend"), (as_alice, None, "close")):
        assert press(browser, who, action).status_code == 302
    assert told(as_alice) == told(as_bob) == ["Ilse beat the guard by rank 2: Past the guard."]
