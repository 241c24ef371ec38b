"""QuestWorlds ties nothing to a scene but what stands in its way: what lasts goes on, however many scenes end."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Obstacle
from rules.registry import SYSTEMS
from tests.html_forms import Page
from tests.play.conftest import body
from tests.play.questworlds.conftest import begin, of, press, state
from tests.play.questworlds.test_what_counts import chance, hurt

__all__ = ["hurt"]  # a fixture of that file
pytestmark = pytest.mark.django_db


def next_scene(as_alice: Client, campaign: Any, *people: Character) -> None:
    form = Page(as_alice.get(reverse("close_scene", args=[campaign.slug]))).form(button="End the scene")
    assert form.send(as_alice).status_code == 302
    here = body(title="After", characters=[str(character.pk) for character in people])
    assert as_alice.post(f"/c/{campaign.slug}/scene/open/", here).status_code == 302
    campaign.refresh_from_db()


def doors(as_alice: Client, as_bob: Client, campaign: Any, who: Character) -> tuple[int, str]:
    """What Ilse's Knife is worth in a framed contest, and the chance that the tray tells, against 14 both."""
    contest = begin(as_bob, campaign, who=str(who.pk))
    press(as_bob, who, "choose", ability=of(who, "Knife"))
    press(as_alice, None, "oppose", resistance="14")
    score = state().terms(str(who.pk)).score
    assert as_alice.post(f"/c/{campaign.slug}/contests/{contest.pk}/call-off/", body()).status_code == 302
    form = Page(as_alice.get(f"/c/{campaign.slug}/obstacles/put/")).form(action="obstacles/put/")
    assert form.send(as_alice, **{**form.as_it_opens(), "name": "The wall"}).status_code == 302
    tray = Page(as_bob.get(f"/c/{campaign.slug}/")).form(action="/roll/").filled(ability=of(who, "Knife"))
    odds = as_bob.post(f"/c/{campaign.slug}/tray/", tray, headers={"HX-Request": "true"})
    return score, chance(odds.content.decode())


def test_qw_60_what_lasts_counts_alike_at_all_doors_in_this_scene_and_in_the_next(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, tam: Character
) -> None:
    here = doors(as_alice, as_bob, campaign, hurt)
    assert here[0] == 7, "the cut hand"
    next_scene(as_alice, campaign, hurt, tam)
    assert not Obstacle.objects.filter(scene=campaign.scene_id).exists(), "what was in the way was the scene’s"
    assert doors(as_alice, as_bob, campaign, hurt) == here
    assert hurt.traits.filter(kind="consequence").count() == 2
    assert not list(differences(campaign.pk))


def test_qw_60_to_qw_a7_no_line_of_a_sheet_ends_with_a_scene(
    as_alice: Client, campaign: Any, bobs: Any, scene: Any, ilse: Character, tam: Character
) -> None:
    kinds = [kind for kind in campaign.rules.sheet.trait_kinds if kind.condition]
    assert {"consequence", "benefit", "adversity", "fortune"} <= {kind.name for kind in kinds}
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Much") as entry:
        for place, kind in enumerate(kinds, 20):
            entry.create(Trait(campaign=entry.campaign, character=ilse, kind=kind.name, name=f"A {kind.name}", value=1,
                               place=place))
    before = list(ilse.traits.values_list("kind", "name", "value").order_by("place"))
    campaign.refresh_from_db()
    next_scene(as_alice, campaign, ilse, tam)
    assert list(ilse.traits.values_list("kind", "name", "value").order_by("place")) == before
    form = Page(as_alice.get(reverse("close_session", args=[campaign.slug]))).form(button="End the session")
    assert form.send(as_alice).status_code == 302
    gone = {kind for kind, _, _ in before} - {*ilse.traits.values_list("kind", flat=True)}
    assert gone == {"adversity", "fortune"}, "who is hurt or fresh is so until the session ends"


def test_what_is_tied_to_a_scene_is_named_once_in_each_game() -> None:
    tied = {slug: {kind.name for kind in system.sheet.pools if kind.of_scene} for slug, system in SYSTEMS.items()}
    assert tied == {
        "questworlds": set(), "danger_world": set(), "pdq": {"hurt", "chin", "weak"}, "pdq_sharp": {"scene_hits"},
        "pnc": {"surrendered", "unconscious", "escaped", "loses_turn", "free_attack", "exposed"},
    }
