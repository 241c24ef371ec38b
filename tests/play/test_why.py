"""Every number answers why: at the tray, what would be rolled says of what it is made, in each game."""
from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from play.services.tray import procedure_of_tray
from rules.registry import SYSTEMS
from tests.browser import moments
from tests.html_forms import Page
from tests.play.test_story_cards import seated
from tests.play.test_ways_back import damaged, of_player, on_the_sheet

pytestmark = pytest.mark.django_db
ROWS = {"questworlds": "ability", "pdq": "traits", "pdq_sharp": "fortes", "pnc": "features", "danger_world": "stats"}
WITH_TRAYS = sorted(name for name, system in SYSTEMS.items() if system.has_tray)


def why(client: Client, address: str, **chosen: Any) -> tuple[str, list[str]]:
    """The number that is asked about, and its parts, once this is chosen in the tray as it opens."""
    form = Page(client.get(address)).form(action="/roll/")
    sent = form.filled(**chosen)
    page = client.post(f"{address}tray/", sent, headers={"HX-Request": "true"}).content.decode()
    said = re.search(r"<summary>Why (.*?)\?</summary><div><ul class=\"rows\">(.*?)</ul>", page, re.DOTALL)
    assert said, page
    return said[1], [re.sub("<[^>]*>", "", item) for item in re.findall("<li.*?</li>", said[2])]


@pytest.mark.parametrize("system", WITH_TRAYS)
def test_what_is_rolled_says_why(system: str) -> None:
    laid = moments.table(system)
    campaign, clients = seated(laid)
    assert procedure_of_tray(campaign)
    row = ROWS[system]
    form = Page(clients["Bob"].get(laid["address"])).form(action="/roll/")
    ids = form.controls[row].offered
    used = ids[:2] if system == "danger_world" else ids[0] if system == "questworlds" else ids[:1]
    number, sources = why(clients["Bob"], laid["address"], **{row: used})
    keys = [used] if isinstance(used, str) else used
    names = of_player(campaign, "Bob").traits.filter(pk__in=keys).values_list("name", flat=True)
    assert re.search(r"\d", number)
    assert all(any(name in source for source in sources) for name in names), (names, sources)


def test_qw_02_and_60_a_mastery_and_what_lasts_are_told_with_what_does_not_count() -> None:
    laid = moments.table("questworlds")
    campaign, clients = seated(laid)
    sefa = of_player(campaign, "Bob")
    own = sefa.traits.filter(kind="ability").first() or sefa.traits.filter(kind="keyword").first()
    assert own
    moments.hurt(laid["address"], "Bob", "Broken wrist", 2)
    on_the_sheet(campaign, sefa, ("benefit", "The wind at her back", 1))
    _, sources = why(clients["Bob"], laid["address"], ability=str(own.pk))
    assert any(source.startswith("Broken wrist −6: it touches ") for source in sources), sources
    assert any(source.startswith("Against ") for source in sources)
    assert any("The wind at her back" in source and "doesn’t touch it" in source for source in sources)


def test_dw_14_a_stunned_box_is_told_with_the_dice_that_it_takes() -> None:
    laid = moments.table("danger_world")
    campaign, clients = seated(laid)
    juno = of_player(campaign, "Bob")
    stats = [str(stat.pk) for stat in juno.traits.filter(kind="stat")[:2]]
    before, _ = why(clients["Bob"], laid["address"], stats=stats)
    damaged(campaign, {juno.traits.get(kind="boxes", name__iexact="stunned"): 1})
    after, sources = why(clients["Bob"], laid["address"], stats=stats)
    assert before != after and "−1 die: Stunned." in sources
