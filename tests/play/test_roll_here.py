"""A roll by htmx: its answer is what is new at the table, the result and the tray made fresh, and no page."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from characters.models import Character
from play.models import Contest
from tests.play.test_shown import HARD, campaign, filled, marrow, nell, put
from tests.play.tray_page import sent_by, tray_in

__all__ = ("campaign", "marrow", "nell")

pytestmark = pytest.mark.django_db


def rolls(client: Client, campaign: Any, sent: dict[str, Any], **query: str) -> Any:
    """A press of the tray at a table that stands open."""
    address = f"/c/{campaign.slug}/roll/?" + "&".join(f"{name}={value}" for name, value in query.items())
    return client.post(address, sent, headers={"HX-Request": "true"})


def came_to(campaign: Any, last: int) -> str:
    """Where the answer to a roll leads: to its contest while that goes on, else to the roll of the entry `last`."""
    on = Contest.objects.filter(campaign=campaign, over=False, scene__isnull=False).first()
    return f"contest={on.pk}#contest" if on else f"rolled={last}#rolled"


def test_what_is_new_the_result_and_a_fresh_tray_come_without_a_page(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    sent = filled(as_bob, nell)
    campaign.refresh_from_db()
    answer = rolls(as_bob, campaign, sent, since=str(campaign.head_seq))
    page, last = answer.content.decode(), Entry.objects.filter(campaign=campaign).latest("seq").seq
    assert answer.status_code == 200 and "<html" not in page
    story = page.partition("hx-swap-oob")[0]
    rows = [int(number) for number in re.findall(r'<li class="entry[^>]*data-seq="(\d+)"', story)]
    assert last in rows or 'class="story-card"' in page
    place = came_to(campaign, last)
    assert f'data-address="/c/{campaign.slug}/?character={nell.pk}&amp;{place}"' in page
    assert ('id="rolled"' in page) == (place.endswith("#rolled")), "the dice stand once"
    assert f'name="since" value="{last}"' in page and 'id="now"' in page
    fresh = sent_by(page)
    assert fresh["op_id"] != sent["op_id"] and fresh["what"] == [""] and fresh["character"] == sent["character"]
    again = rolls(as_bob, campaign, sent, since=str(last)).content.decode()
    assert place in again and Entry.objects.filter(campaign=campaign).latest("seq").seq == last


def test_a_tray_that_shows_what_it_opened_with_does_not_come_again(
    as_bob: Client, campaign: Any, nell: Character
) -> None:
    if campaign.system != "pdq":
        pytest.skip("what is rolled leaves something on the sheet, or the GM is asked first")
    sent = filled(as_bob, nell)
    campaign.refresh_from_db()
    page = rolls(as_bob, campaign, sent, since=str(campaign.head_seq), opened="").content.decode()
    assert not tray_in(page) and 'id="forecast"' in page and 'id="rolled"' in page


def test_a_page_that_does_not_say_how_far_it_is_gets_the_list_as_a_whole(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    answer = rolls(as_bob, campaign, filled(as_bob, nell))
    assert answer["HX-Reswap"] == "morph:innerHTML" and 'id="present"' in answer.content.decode()


def test_without_a_script_it_is_the_page(as_alice: Client, as_bob: Client, campaign: Any, nell: Character) -> None:
    put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", {**filled(as_bob, nell), "op_id": [str(uuid.uuid4())]})
    last = Entry.objects.filter(campaign=campaign).latest("seq").seq
    assert answer.status_code == 302 and answer["Location"].endswith(came_to(campaign, last))
    page = as_bob.get(answer["Location"]).content.decode()
    assert ('id="rolled"' in page) == answer["Location"].endswith("#rolled")
