"""Which of the campaign's places is lit, in the rail and in the bar."""
from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from characters.models import Character

pytestmark = pytest.mark.django_db
LIT = re.compile(r'<a href="([^"]+)" aria-current="\w+">')


def lit(client: Client, address: str) -> set[str]:
    """Where the links lead that say that one is there."""
    return set(LIT.findall(client.get(address).content.decode()))


def test_one_is_in_the_place_whose_page_it_is(
    as_bob: Client, as_alice: Client, campaign: Any, ilse: Character
) -> None:
    at = f"/c/{campaign.slug}/"
    assert lit(as_bob, f"{at}chronicle/") == {f"{at}chronicle/"}
    assert lit(as_bob, f"{at}safety/") == {f"{at}safety/"}
    assert lit(as_bob, f"{at}search/?q=Ilse") == set(), "a search is in none"
    assert lit(as_bob, f"{at}characters/{ilse.pk}/") == {f"{at}characters/mine/"}
    assert lit(as_alice, f"{at}characters/{ilse.pk}/") == {f"{at}characters/"}, "to whom it is somebody else’s"
