"""Who has died by the GM's word on the sheet leaves the duel that goes on, and is back with the word (PS-23, PS-32)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import body, trait
from tests.play.pdq_sharp.conftest import Duelling, from_line
from tests.play.test_conflict_deaths import marks, taken_back

pytestmark = pytest.mark.django_db


@laid.fixture
def brute(campaign: Any, alices: Any) -> Character:
    """Another villain."""
    return from_line(campaign, alices, "Brute, villain, Fencing good", npc=True)


@pytest.fixture
def duel(as_alice: Client, campaign: Any, session: None, perpetua: Character, corvin: Character, brute: Character,
         dice: list[int]) -> Duelling:
    """Perpetua against two villains."""
    here = body(characters=[str(who.pk) for who in (perpetua, corvin, brute)])
    assert as_alice.post(f"/c/{campaign.slug}/scene/presence/", here).status_code == 302
    return Duelling(campaign, as_alice, dice, [perpetua], corvin, brute)


def engaged(duel: Duelling, perpetua: Character, *foes: Character) -> None:
    """Everybody finds these foes."""
    while duel.state.phase.value == "engage":
        who = duel.state.undecided[0].id
        against = foes if who == str(perpetua.pk) else (perpetua,)
        if not against or who not in {str(foe.pk) for foe in (perpetua, *foes)}:
            duel.press(duel.alice, "hold_back", who)
        else:
            duel.press(duel.alice, "engage", who, foes=[str(foe.pk) for foe in against])


def forms_of(duel: Duelling, client: Client, who: Character) -> list[str]:
    return [form.action for form in Page(client.get(duel.at)).forms if f"/{who.pk}/" in form.action]


def thrown(duel: Duelling, perpetua: Character, *faces: int) -> None:
    """All dice fall, and Perpetua is asked."""
    duel.press(duel.alice, "stances")
    duel.press(duel.alice, "stance", perpetua, *faces, stance="strong_attack",
               fortes=[str(trait(perpetua, "Fencing").pk)])


def test_ps_23_who_dies_before_the_dice_faces_nobody(
    duel: Duelling, as_bob: Client, campaign: Any, alices: Any, perpetua: Character, corvin: Character,
    brute: Character
) -> None:
    engaged(duel, perpetua, corvin, brute)
    written = marks(duel.alice, corvin)
    assert not duel.state.foes_of(str(corvin.pk)) and duel.state.fencer(str(corvin.pk)).out == "dead"
    assert not forms_of(duel, duel.alice, corvin)
    assert duel.state.foes_of(str(perpetua.pk)) == (str(brute.pk),)
    assert "Corvin Ashgrove is dead, and out of the duel." in duel.alice.get(f"/c/{campaign.slug}/").content.decode()
    taken_back(campaign, alices, written)
    assert str(corvin.pk) in duel.state.foes_of(str(perpetua.pk))
    assert not list(differences(campaign.pk))


def test_ps_23_with_the_dice_down_nothing_is_asked_of_the_dead_and_the_turn_goes_on(
    duel: Duelling, as_bob: Client, campaign: Any, alices: Any, perpetua: Character, corvin: Character,
    brute: Character
) -> None:
    engaged(duel, perpetua, corvin)
    thrown(duel, perpetua, 2, 3, 1, 5, 3, 4)
    assert duel.state.phase.value == "ellipsis"
    written = marks(duel.alice, corvin)
    assert duel.state.turn == 2 and not duel.state.wounds and not forms_of(duel, duel.alice, corvin)
    taken_back(campaign, alices, written)
    assert duel.state.turn == 1 and duel.state.phase.value == "ellipsis"


def test_ps_23_a_trio_goes_on_with_those_who_live(
    duel: Duelling, as_bob: Client, campaign: Any, perpetua: Character, corvin: Character, brute: Character
) -> None:
    engaged(duel, perpetua, corvin, brute)
    thrown(duel, perpetua, *[3] * 11)
    assert duel.state.phase.value == "ellipsis"
    marks(duel.alice, corvin)
    assert duel.state.turn == 1 and duel.state.phase.value == "ellipsis"
    assert [set(bout) for bout in duel.state.bouts] == [{str(perpetua.pk), str(brute.pk)}]
    assert not forms_of(duel, duel.alice, corvin)
    duel.let_stand(duel.alice, as_bob)
    assert str(corvin.pk) not in {wound.who for wound in duel.state.wounds}
    assert not list(differences(campaign.pk))


def test_ps_31_the_death_of_the_last_foe_ends_it(
    duel: Duelling, campaign: Any, alices: Any, corvin: Character, brute: Character
) -> None:
    marks(duel.alice, brute)
    written = marks(duel.alice, corvin)
    assert Contest.objects.get(kind="pdq_sharp.duel").over
    taken_back(campaign, alices, written)
    assert not Contest.objects.get(kind="pdq_sharp.duel").over
    assert not list(differences(campaign.pk))


def test_ps_32_back_to_life_is_back_in_the_duel(duel: Duelling, corvin: Character) -> None:
    marks(duel.alice, corvin)
    marks(duel.alice, corvin, button="Bring back to life")
    assert duel.state.fencer(str(corvin.pk)).fights


def test_ps_27_terms_that_nobody_is_left_to_take_are_gone(
    duel: Duelling, as_bob: Client, perpetua: Character, corvin: Character, brute: Character
) -> None:
    engaged(duel, perpetua, corvin)
    duel.press(as_bob, "surrender", perpetua, terms="My sword")
    marks(duel.alice, perpetua)
    assert duel.state.terms == ("", "") and duel.state.over


def test_ps_28_an_impasse_with_the_dead_is_over(
    duel: Duelling, as_bob: Client, perpetua: Character, corvin: Character, brute: Character, dice: list[int]
) -> None:
    engaged(duel, perpetua, corvin)
    duel.press(as_bob, "impasse", perpetua, 1, 1, 6, 6, foe=str(corvin.pk))
    dice.clear()
    assert duel.state.lull
    marks(duel.alice, corvin)
    assert not duel.state.lull and str(corvin.pk) not in duel.state.foes_of(str(perpetua.pk))
    assert Entry.objects.latest("seq").kind == "character.die"

