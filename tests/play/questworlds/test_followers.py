"""Somebody of the library becomes a follower: the form begins with their name and what they are best at."""
from __future__ import annotations

from typing import Any

import pytest

from characters.models import Character
from tests.browser import moments
from tests.html_forms import Page
from tests.play.test_story_cards import seated

pytestmark = pytest.mark.django_db


def test_a_librarys_npc_becomes_a_follower_by_the_form_on_the_sheet() -> None:
    laid = moments.table("questworlds")
    campaign, clients = seated(laid)
    npc = Character.objects.filter(campaign=campaign, npc=True).first()
    assert npc
    page = clients["Alice"].get(f"{laid['address']}prepare/things/{npc.pk}/").content.decode()
    at = page.partition(f"Make {npc.name} a follower of")[2].partition('href="')[2].partition('"')[0]
    assert f"?follower={npc.pk}" in at
    form = Page(clients["Alice"].get(at)).form(action="/sidekick/")
    assert form.controls["name"].opens == [npc.name]
    best = form.controls["first_name"].opens
    assert best and npc.traits.filter(name=best[0]).exists()
    more = {name: f"Trait {name}" for name in ("second_name", "third_name") if not any(form.controls[name].opens)}
    answer = form.send(clients["Alice"], reason="She saved their life", **more)
    assert answer.status_code == 302, Page(answer).errors
    hero = Character.objects.get(pk=at.partition("sheet-actions/")[2].partition("/")[0])
    assert hero.traits.filter(kind="sidekick", name=npc.name).exists()


def test_ones_other_characters_are_a_tap_away_on_the_sheet(
    as_bob: Any, as_alice: Any, campaign: Any, bobs: Any
) -> None:
    from tests.play.conftest import character

    nell, otto = (character(campaign, bobs, name, [("ability", "Swim", 13)], player=bobs) for name in ("Nell", "Otto"))
    page = as_bob.get(f"/c/{campaign.slug}/characters/{nell.pk}/").content.decode()
    switch = page.partition('aria-label="Your characters"')[2].partition("</nav>")[0]
    assert f"/characters/{otto.pk}/" in switch and f'/characters/{nell.pk}/" aria-current="page"' in switch
    others = as_alice.get(f"/c/{campaign.slug}/characters/{nell.pk}/").content.decode()
    assert 'aria-label="Your characters"' not in others
