"""The next dates on Home."""
from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.home_parts import HomePart, Place, offer
from schedule.contexts import next_dates


@offer(Place.ASKED)
def dates_on_home(viewers: Sequence[Viewer]) -> HomePart | None:
    """What is proposed and the next fixed date of each campaign; an answer is one tap."""
    dates = next_dates(viewers)
    asked = frozenset(f"{reverse('dates', args=[card.slug])}#date-{card.id}" for card in dates if card.chips)
    return HomePart("schedule/home.html", dates, asked) if dates else None
