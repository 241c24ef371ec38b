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


def shown(client: Client, address: str, **chosen: Any) -> str:
    """The tray as it answers once this is chosen in it as it opens."""
    form = Page(client.get(address)).form(action="/roll/")
    return client.post(f"{address}tray/", form.filled(**chosen), headers={"HX-Request": "true"}).content.decode()


def why(client: Client, address: str, **chosen: Any) -> tuple[str, list[str]]:
    """The number that is asked about, and its parts, each as `what it comes to · what it is · where it comes from`."""
    page = shown(client, address, **chosen)
    said = re.search(r"<summary>Why (.*?)\?</summary>(<ul class=\"sources\">.*?)</details>", page, re.DOTALL)
    assert said, page
    pieces = (re.findall(">([^<>]+)<", item) for item in re.findall("<li.*?</li>", said[2], re.DOTALL))
    return said[1], [" · ".join(filter(None, map(str.strip, words))) for words in pieces]


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
    (wrist,) = (source for source in sources if source.startswith("−6 · Broken wrist · it touches "))
    assert wrist.endswith("session 1, The lock gate, after dark")
    assert "6 · Against Obstacle · rock-bottom, the base −M, and never under 6" in sources
    assert any("The wind at her back" in source and "not counted: left out" in source for source in sources)


def test_qw_61_a_house_rule_is_named_where_it_bears_on_the_roll() -> None:
    plain, ruled = moments.table("questworlds"), moments.table("questworlds", {"tie": "player"})
    for laid, named in ((plain, False), (ruled, True)):
        campaign, clients = seated(laid)
        own = of_player(campaign, "Bob").traits.filter(kind__in=["ability", "keyword"])[0]
        _, sources = why(clients["Bob"], laid["address"], ability=str(own.pk))
        assert any("A tie goes to the player · a house rule" in source for source in sources) is named, sources


@pytest.mark.parametrize("system", WITH_TRAYS)
def test_what_could_count_is_ticked_from_there(system: str) -> None:
    """What is told as not counted has a label of the control that counts it; once ticked, it counts."""
    laid = moments.table(system)
    campaign, clients = seated(laid)
    bob = of_player(campaign, "Bob")
    if system == "questworlds":
        on_the_sheet(campaign, bob, ("benefit", "The wind at her back", 1))
    if system == "danger_world":
        on_the_sheet(campaign, bob, ("bonus", "Knows the alleys", 2))
    row = ROWS[system]
    ids = Page(clients["Bob"].get(laid["address"])).form(action="/roll/").controls[row].offered
    chosen: dict[str, Any] = {row: ids[:2] if system == "danger_world" else ids[0]
                              if system == "questworlds" else ids[:1]}
    page = shown(clients["Bob"], laid["address"], **chosen)
    _, before = why(clients["Bob"], laid["address"], **chosen)
    (tick, *_) = re.findall(r'class="choice count-it" for="([^"]+)"', page)
    whole = clients["Bob"].post(f"{laid['address']}tray/", Page(clients["Bob"].get(laid["address"])).form(
        action="/roll/").filled(**chosen)).content.decode()
    named = re.search(rf'<input[^>]*name="(\w+)" value="([^"]+)" id="{tick}"', whole)
    assert named, tick
    ticked = [*chosen.get(named[1], []), named[2]] if isinstance(chosen.get(named[1], []), list) else [named[2]]
    _, after = why(clients["Bob"], laid["address"], **{**chosen, named[1]: ticked})
    name = bob.traits.filter(pk=named[2]).values_list("name", flat=True).first() or "Hears what is wrong"
    assert [source for source in before if f"· {name} · not counted" in source], (name, before)
    assert [source for source in after if name in source and "not counted" not in source], (name, after)


def test_dw_14_a_stunned_box_is_told_with_the_dice_that_it_takes() -> None:
    laid = moments.table("danger_world")
    campaign, clients = seated(laid)
    juno = of_player(campaign, "Bob")
    stats = [str(stat.pk) for stat in juno.traits.filter(kind="stat")[:2]]
    before, _ = why(clients["Bob"], laid["address"], stats=stats)
    damaged(campaign, {juno.traits.get(kind="boxes", name__iexact="stunned"): 1})
    after, sources = why(clients["Bob"], laid["address"], stats=stats)
    assert before != after and "−1 die · Stunned · a filled box" in sources
