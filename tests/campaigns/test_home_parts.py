"""What stands on Home, from the top: what is wrong, what is asked, what is one's own."""
from __future__ import annotations

from typing import Any

import pytest

from campaigns import home_parts
from campaigns.home_parts import HomePart, Place

pytestmark = pytest.mark.django_db


def test_parts_stand_by_their_place_whoever_offers_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_parts, "_SOURCES", [])
    for place in (Place.OWN, Place.WRONG, Place.ASKED):
        home_parts.offer(place)(lambda viewers, name=place.name: HomePart(name, viewers))
    viewers: Any = ["somebody"]
    assert [part.template for part in home_parts.home_parts(viewers)] == ["WRONG", "ASKED", "OWN"]


def test_all_who_offer_one_say_where_it_stands() -> None:
    assert [source.__name__ for _, source in home_parts._SOURCES] == ["mail_on_home", "dates_on_home", "sheets_on_home"]
