"""What holds for a scene of PDQ#: the first hit, failure ranks, a burned motivation; for duels and challenges alike."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from characters.models import Character, Trait
from rules.sheet import Spend
from tests.html_forms import Page
from tests.play.conftest import body, trait
from tests.play.pdq_sharp.conftest import Duelling, suffers
from tests.play.pdq_sharp.test_duel_rules import clash, faced

pytestmark = pytest.mark.django_db


def hooks(who: Character) -> int:
    return who.traits.filter(kind="hook").count()


def hit(duel: Duelling, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character) -> None:
    """Corvin touches Perpetua for 4 by volte-face, and the GM ends it. The first is asked about."""
    first = not perpetua.pools.filter(name="scene_hits", value__gt=0).exists()
    faced(duel, as_alice, perpetua, corvin)
    clash(duel, as_bob, perpetua, "strong_attack", "strong_defence", 6, 5, 1, 5, 3, 2)
    duel.let_stand(as_alice, as_bob)
    duel.press(as_alice, "place_npcs")
    asked = Page(as_bob.get(duel.at)).form(action=f"/place/{perpetua.pk}/").controls
    assert ("first" in asked) is first, "of the first hit of a scene alone"
    duel.press(as_bob, "place", perpetua)
    duel.press(as_alice, "end")


def next_scene(as_alice: Client, campaign: Any, *people: Character) -> None:
    form = Page(as_alice.get(reverse("close_scene", args=[campaign.slug]))).form(button="End the scene")
    assert form.send(as_alice).status_code == 302
    here = body(title="After", characters=[str(character.pk) for character in people])
    assert as_alice.post(f"/c/{campaign.slug}/scene/open/", here).status_code == 302
    campaign.refresh_from_db()


def test_ps_30_two_duels_of_a_scene_have_one_first_hit(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int],
) -> None:
    hit(Duelling(campaign, as_alice, dice, [perpetua], corvin), as_alice, as_bob, perpetua, corvin)
    assert hooks(perpetua) == 1
    perpetua.traits.filter(damage__gt=0).update(damage=0)
    corvin.traits.filter(damage__gt=0).update(damage=0)
    hit(Duelling(campaign, as_alice, dice, [perpetua], corvin), as_alice, as_bob, perpetua, corvin)
    assert hooks(perpetua) == 1, "its first hit was taken"
    next_scene(as_alice, campaign, perpetua, corvin)
    perpetua.traits.filter(damage__gt=0).update(damage=0)
    corvin.traits.filter(damage__gt=0).update(damage=0)
    hit(Duelling(campaign, as_alice, dice, [perpetua], corvin), as_alice, as_bob, perpetua, corvin)
    assert hooks(perpetua) == 2, "another scene"


def test_ps_33_who_left_before_the_scene_ended_has_the_failure_ranks_back(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
) -> None:
    suffers(campaign, Spend(str(perpetua.pk), "scene_hits", 1))
    Trait.objects.filter(character=perpetua, name="Fencing").update(damage=2, failures=2)
    form = Page(as_alice.get(reverse("presence", args=[campaign.slug]))).form(action="/scene/presence/")
    name = next(name for name, control in form.controls.items() if str(corvin.pk) in control.offered)
    assert form.send(as_alice, **{name: [str(corvin.pk)]}).status_code == 302
    next_scene(as_alice, campaign, perpetua, corvin)
    assert trait(perpetua, "Fencing").damage == 0
    assert perpetua.pools.get(name="scene_hits").value == 0


def test_ps_12_recovering_once_more_ends_nothing_that_is_tied_to_the_scene(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
) -> None:
    suffers(campaign, Spend(str(perpetua.pk), "scene_hits", 1))
    burned = Trait.objects.create(campaign=campaign, character=perpetua, kind="burned", name="Clear her name", value=1,
                                  place=90)
    Trait.objects.filter(character=perpetua, name="Fencing").update(damage=2, failures=2)
    form = Page(as_alice.get(reverse("recover", args=[campaign.slug]))).form(button="Let those ticked recover")
    assert form.send(as_alice, characters=[str(perpetua.pk)]).status_code == 302
    burned.refresh_from_db()
    assert trait(perpetua, "Fencing").damage == 0 and burned.value == 1
    assert perpetua.pools.get(name="scene_hits").value == 1
    next_scene(as_alice, campaign, perpetua, corvin)
    burned.refresh_from_db()
    assert burned.value == 2 and perpetua.pools.get(name="scene_hits").value == 0
