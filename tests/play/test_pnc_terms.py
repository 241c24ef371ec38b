"""The terms of PnC’s rolls by their pages: frozen with the dice, alike at each door, struck by the GM (PN-05)."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.models import Entry
from characters.models import Character, Trait
from play.models import ContestEvent
from tests.html_forms import Form, Page
from tests.play.conftest import trait
from tests.play.test_pnc_fight_by_page import fall
from tests.play.test_pnc_table import campaign, marrow, nell, scene

__all__ = ["campaign", "fall", "marrow", "nell", "scene"]  # fixtures of those tables
pytestmark = pytest.mark.django_db


def tray(client: Client, campaign: Any) -> Form:
    return Page(client.get(reverse("table", args=[campaign.slug]))).form(action="/roll/")


def jump(as_bob: Client, campaign: Any, nell: Character, **more: Any) -> dict[str, Any]:
    """Nell jumps by the tray, good at it; what was written."""
    answer = tray(as_bob, campaign).send(as_bob, what="Jump", features=[str(trait(nell, "Good jumper").pk)], **more)
    assert answer.status_code == 302, Page(answer).errors
    written: dict[str, Any] = json.loads(Entry.objects.filter(campaign=campaign).latest("seq").payload.text)
    return written


def test_pn_05_what_a_roll_of_the_tray_fell_with_stands_with_its_dice(
    as_bob: Client, campaign: Any, scene: None, nell: Character
) -> None:
    jump(as_bob, campaign, nell)
    [rolled] = [json.loads(event.text) for event in ContestEvent.objects.all() if '"event":"rolled"' in event.text]
    assert [weight["reason"] for weight in rolled["terms"]["weights"]] == ["Good jumper"]


def test_pn_05_the_page_of_odds_and_the_roll_itself_say_the_same(
    as_bob: Client, campaign: Any, scene: None, nell: Character
) -> None:
    page = as_bob.get(reverse("odds", args=[campaign.slug]), {
        "of": "roll", "bonus": "1", "penalty": "0", "open_ended": "on"})
    assert "1d20 against 4d6, the lowest three: 1 bonus die." in page.content.decode()
    [rolled] = jump(as_bob, campaign, nell)["outcome"]["rolls"]
    assert (rolled["given"]["bonus"], rolled["given"]["penalty"]) == (1, 0)


def test_pn_10_a_wound_that_comes_while_the_tray_is_open_is_ticked_there_and_not_left_out_unsaid(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, alices: Any
) -> None:
    open_tray, good = tray(as_bob, campaign), str(trait(nell, "Good jumper").pk)
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test", title="A cut") as entry:
        entry.create(Trait(campaign=entry.campaign, character=nell, kind="wound", name="A cut", value=3, place=90))
    cut = str(trait(nell, "A cut").pk)
    refused = open_tray.send(as_bob, features=[good])
    assert refused.status_code == 422 and not Entry.objects.filter(kind="contest.tray").exists()
    (again,) = Page(refused).matching(action="/roll/")
    assert again.controls["features"].opens == [cut, good], "as it is ticked where a tray opens"
    # Who takes it off by now says so.
    assert again.send(as_bob, features=[good]).status_code == 302
    assert "Nell says that “A cut” doesn’t count here." in Entry.objects.latest("seq").payload.text
