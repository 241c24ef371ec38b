"""A routine roll of a contest: pressed from whatever page one is on, once nothing is left to choose."""
from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from play.models import Contest
from tests.play.conftest import body
from tests.play.questworlds.conftest import act, frame, latest
from tests.play.tray_page import shown

pytestmark = pytest.mark.django_db


def now_bar(client: Client, campaign: Any) -> str:
    shown = client.get(f"/c/{campaign.slug}/people/").content.decode()
    return shown.partition('<section id="now"')[2].partition("</section>")[0]


def test_a_routine_roll_is_pressed_from_any_page_and_no_other(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    assert "<form" not in now_bar(as_bob, campaign), "the GM is asked"
    assert act(as_alice, None, "set").status_code == 302
    bar = now_bar(as_bob, campaign)
    assert f'/roll/{ilse.pk}/"' in bar and f'data-of="{latest().pk}"' in bar
    assert "<form" not in now_bar(as_alice, campaign), "it is not the GM’s roll"
    rolled = act(as_bob, ilse, "roll", at="now")
    assert re.search(r"/\?(rolled=\d+#rolled|contest=[0-9a-f-]{36}#contest)$", rolled["Location"])
    Contest.objects.all().update(over=True)
    frame(as_alice, as_bob, campaign, ilse, ending="on")
    assert act(as_bob, ilse, "accept").status_code == 302
    assert act(as_alice, None, "set").status_code == 302
    bar = now_bar(as_bob, campaign)
    assert "Your turn" in bar and "<form" not in bar, "a story may end here: one looks first"


def test_the_tray_says_that_what_was_asked_first_is_still_open(
    as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    table = f"/c/{campaign.slug}/"
    tray = {"character": str(ilse.pk), "shown": shown(as_bob, campaign, ilse),
            "ability": str(ilse.traits.all()[0].pk)}

    def forecast() -> str:
        return as_bob.post(f"{table}tray/", body(**tray), headers={"HX-Request": "true"}).content.decode()

    assert "Ask the GM" in forecast() and "still open" not in forecast()
    assert as_bob.post(f"{table}roll/", body(**tray, asks="1")).status_code == 302
    assert "Ask for another roll" in forecast() and "The GM hasn’t answered your request yet." in forecast()
    Contest.objects.all().update(over=True)
    assert "Ask the GM" in forecast() and "still open" not in forecast()
