"""With a scene of PDQ everything is over that is tied to it, wherever its people are by then."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.trail.rebuild import differences
from characters.models import Pool
from tests.html_forms import Page
from tests.play.conftest import trait
from tests.play.test_pdq_one_scene import Evening, evening, evening_over, next_scene, weakness_is_offered

__all__ = ["evening"]  # a fixture of that file
pytestmark = pytest.mark.django_db
OUT = "out of action until the scene ends"


def sheet(client: Client, who: Any) -> str:
    return client.get(reverse("sheet", args=[who.campaign.slug, who.pk])).content.decode()


def taken_out(evening: Evening, ilse: Any, marrow: Any, danger: str) -> None:
    """Old Marrow puts Ilse out of action, and the conflict ends."""
    evening.conflict(danger=danger)
    evening.turn_of(marrow)
    evening.act(evening.alice, "attack", marrow)
    evening.act(evening.bob, "defend", ilse, seed=evening.seed(
        "bob", 4, lambda faces: sum(faces[:2]) - sum(faces[2:]) == 3))
    evening.moment()
    evening.act(evening.bob, "take_damage", ilse, spread_0="0", spread_1="3", spread_2="0")
    evening_over(evening)


@pytest.mark.parametrize(("danger", "left"), [("momentary", 0), ("continuing", 3)])
def test_pq_16_who_was_out_and_left_is_free_of_it_when_the_scene_ends(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any, danger: str, left: int
) -> None:
    taken_out(evening, ilse, marrow, danger)
    assert OUT in sheet(evening.bob, ilse)
    form = Page(evening.alice.get(reverse("presence", args=[campaign.slug]))).form(action="/scene/presence/")
    name = next(name for name, control in form.controls.items() if str(marrow.pk) in control.offered)
    assert form.send(evening.alice, **{name: [str(marrow.pk)]}).status_code == 302
    next_scene(evening, danger, ilse, marrow)
    assert OUT not in sheet(evening.bob, ilse)
    assert sum(line.damage for line in ilse.traits.all()) == left, "the scene was theirs too (PQ-18)"
    assert not Pool.objects.filter(name__in=("hurt", "chin"), value__gt=0).exists()
    assert not list(differences(campaign.pk))


def test_pq_14_what_hurts_between_two_scenes_is_no_first_damage_of_the_next(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    closing = Page(evening.alice.get(evening.url("scene/close/"))).form(button="End the scene")
    assert closing.send(evening.alice, danger="momentary").status_code == 302
    tray = Page(evening.alice.get(evening.url("") + f"?character={ilse.pk}")).form(action="/roll/")
    tray.controls["client_seed"].opens = [evening.seed("alice", 2, lambda faces: sum(faces) == 2)]
    answer = tray.send(evening.alice, difficulty="master", harm="on", what="A fall")
    assert answer.status_code == 302, Page(answer).errors
    assert Pool.objects.filter(character=ilse, name="hurt", value=1).exists(), "it hurt"
    opening = Page(evening.alice.get(evening.url("scene/open/"))).form(action="/scene/open/")
    name = next(name for name, control in opening.controls.items() if str(ilse.pk) in control.offered)
    there = [str(ilse.pk), str(marrow.pk)]
    assert opening.send(evening.alice, title="After", **{name: there}).status_code == 302
    evening.campaign.refresh_from_db()
    evening.conflict()
    assert weakness_is_offered(evening, marrow, ilse)
    assert trait(ilse, "Maps") and not list(differences(campaign.pk))
