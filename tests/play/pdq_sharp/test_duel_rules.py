"""Duels on their page, rule by rule, with dice as a test says (PS-23 to PS-28, PS-31, PS-32, PS-49)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Presence
from rules.sheet import Damage, Spend
from tests.html_forms import Page
from tests.play.conftest import body, trait
from tests.play.pdq_sharp.conftest import PERPETUA, Duelling, from_line, suffers
from tests.play.pdq_sharp.test_sharp_growth import setting

pytestmark = pytest.mark.django_db


@pytest.fixture
def bout(as_alice: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
         dice: list[int]) -> Duelling:
    """Perpetua faces Corvin, both Expert; she has initiative, by the tie."""
    return faced(Duelling(campaign, as_alice, dice, [perpetua], corvin), as_alice, perpetua, corvin)


def faced(duel: Duelling, alice: Client, who: Character, foe: Character) -> Duelling:
    duel.press(alice, "engage", who, foes=[str(foe.pk)])
    return duel


def clash(duel: Duelling, bob: Client, who: Character, mine: str, theirs: str, *faces: int, **sent: Any) -> None:
    """Both divide their dice, which fall as the faces say: hers first, attack before defence."""
    duel.press(duel.alice, "stances", npc_0=theirs)
    duel.press(bob, "stance", who, *faces, stance=mine, **sent)


def test_ps_23_the_clash_and_the_volte_face_are_told_and_hurt_by_the_difference(
    bout: Duelling, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character
) -> None:
    clash(bout, as_bob, perpetua, "strong_attack", "strong_defence", 6, 5, 1, 5, 3, 2)
    page = bout.page(as_bob)  # 15 against 9, and Corvin's 9 against 5
    assert "touches for 6" in page and "touches for 4" in page
    bout.let_stand(as_alice, as_bob)
    assert "Volte-face: Corvin Ashgrove 9 against Perpetua Vane 5: a touch, 4" in bout.text()
    assert "Assign 4 wound ranks" in bout.page(as_bob)
    bout.press(as_alice, "place_npcs")
    bout.press(as_bob, "place", perpetua)
    assert sum(trait.damage for trait in corvin.traits.all()) == 6
    assert sum(trait.damage for trait in perpetua.traits.all()) == 4
    assert perpetua.traits.filter(kind="hook").count() == 1 and bout.state.turn == 2
    assert perpetua.pools.get(name="training_points").value == 1, "the defence failed"
    assert not list(differences(bout.campaign.pk))


def test_ps_24_a_tie_is_the_players(
    bout: Duelling, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character
) -> None:
    clash(bout, as_bob, perpetua, "strong_attack", "strong_defence", 3, 3, 6, 6, 4, 2)  # 10 on 10, and 10 on 10 back
    bout.let_stand(as_alice, as_bob)
    assert "A tie is the player’s character’s" in bout.text()
    assert [(wound.who, wound.amount) for wound in bout.state.wounds] == [(str(corvin.pk), 2)]


def test_ps_25_a_squad_is_one_foe_and_each_hit_takes_one_out(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, guards: Character,
    dice: list[int],
) -> None:
    at_scene(as_alice, campaign, guards)
    duel = faced(Duelling(campaign, as_alice, dice, [perpetua], guards), as_alice, perpetua, guards)
    clash(duel, as_bob, perpetua, "strong_attack", "strong_defence", 4, 2, 6, 1, 2, 1, 3, 2)  # 10 against 6
    duel.let_stand(as_alice, as_bob)
    page = duel.page(as_bob)
    assert "4 are out, 1 left" in duel.text() and "scattered" in page and "is no longer a squad" in duel.text()
    assert guards.traits.get(kind="squad").damage == 4


def at_scene(alice: Client, campaign: Any, *more: Character) -> None:
    """They come into the scene that is on."""
    here = Presence.objects.filter(scene=campaign.scene_id).values_list("character", flat=True)
    everybody = [*map(str, here), *(str(character.pk) for character in more)]
    answer = alice.post(f"/c/{campaign.slug}/scene/presence/", body(characters=everybody))
    assert answer.status_code == 302, answer.content.decode()
    campaign.refresh_from_db()


def test_ps_26_a_gang_has_one_who_rolls_and_bad_form_is_said(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, bobs: Any, alices: Any,
    dice: list[int],
) -> None:
    zita = from_line(campaign, bobs, PERPETUA.replace("Perpetua Vane", "Zita Lorn"), player=bobs)
    bravos = from_line(campaign, alices, "squad of 3 bravos, good", npc=True)
    at_scene(as_alice, campaign, zita, bravos)
    duel = faced(Duelling(campaign, as_alice, dice, [perpetua, zita], bravos), as_bob, perpetua, bravos)
    duel.press(as_bob, "back_up", zita, whom=str(perpetua.pk), fortes=[str(trait(zita, "Acrobatics").pk)])
    page = duel.page(as_bob)
    assert "Bad form: several against Bravos, a small squad." in page and "backs Perpetua Vane" in page
    clash(duel, as_bob, perpetua, "strong_attack", "all_out_defence", 1, 1, 1, 6, 6, 6)
    assert "8 to attack Bravos, 7 to defend" in duel.text(), "two dice, her +4 and Zita’s +2"


@pytest.mark.parametrize("tweak", ["feint", "dirty_trick"])
def test_ps_27_a_feint_helps_the_next_attack_and_the_second_one_costs(
    bout: Duelling, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character, tweak: str
) -> None:
    clash(bout, as_bob, perpetua, "strong_attack", "all_out_defence", 6, 6, 4, 1, 1, 1, tweak=tweak)  # 16 against 7
    bout.let_stand(as_alice, as_bob)
    assert not corvin.traits.filter(damage__gt=0).exists() and bout.state.turn == 2
    page = bout.page(as_bob)
    assert "Perpetua Vane: +9 on the attack this turn." in page and f"{tweak}" not in _tweaks(bout, as_bob)
    suffers(bout.campaign, Spend(str(perpetua.pk), "style_dice", 1))
    assert "for a style die" in bout.page(as_bob)
    clash(bout, as_bob, perpetua, "strong_attack", "all_out_defence", 1, 1, 4, 6, 6, 6, tweak=tweak)
    assert perpetua.pools.get(name="style_dice").value == 0


def _tweaks(duel: Duelling, client: Client) -> list[str]:
    form = next(act for act in client.get(duel.at).context["acts"] if act.offer.action == "stance")
    return [value for value, _ in form.fields["tweak"].choices]


def test_ps_27_a_disarmed_foe_loses_the_forte_until_the_weapon_is_recovered(
    bout: Duelling, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character
) -> None:
    clash(bout, as_bob, perpetua, "strong_attack", "all_out_defence", 6, 4, 6, 3, 2, 1, tweak="disarm")  # 14 on 10
    bout.let_stand(as_alice, as_bob)
    assert "is disarmed: 4 against a MOD of 4" in bout.text() and "disarmed" in bout.page(as_bob)
    assert not corvin.traits.filter(damage__gt=0).exists()
    stance = next(act for act in as_alice.get(bout.at).context["acts"]
                  if (act.offer.action, act.offer.by) == ("stance", str(corvin.pk)))
    assert str(trait(corvin, "Fencing").pk) not in dict(stance.offer.options["fortes"])
    assert "recover" in [value for value, _ in stance.fields["tweak"].choices]
    bout.press(as_alice, "stance", corvin, stance="all_out_defence", tweak="recover")
    bout.press(as_bob, "stance", perpetua, 1, 1, 1, 6, 6, 6, stance="strong_attack")
    bout.let_stand(as_alice, as_bob)
    assert "Corvin Ashgrove has a weapon again" in bout.text() and not bout.state.fencer(str(corvin.pk)).disarmed


def test_ps_27_a_parry_gives_the_attack_up_for_the_next_one(
    bout: Duelling, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character
) -> None:
    bout.press(as_alice, "stance", corvin, stance="all_out_defence", tweak="parry")
    bout.press(as_bob, "stance", perpetua, 1, 1, 1, 4, 4, 4, stance="strong_attack")  # 6 against 16
    bout.let_stand(as_alice, as_bob)
    assert "the parry holds. +10 on the next attack" in bout.text()
    assert "Corvin Ashgrove: +10 on the attack this turn." in bout.page(as_bob)


def test_ps_27_a_cyrano_gambit_counts_for_being_played_out(
    bout: Duelling, as_bob: Client, as_alice: Client, perpetua: Character
) -> None:
    bout.press(as_alice, "stances", npc_0="all_out_defence")
    gambit = {"stance": "strong_attack", "gambit": str(trait(perpetua, "Repartee").pk)}
    refused = bout.press(as_bob, "stance", perpetua, expect=422, **gambit)
    assert "Enter how it comes in" in refused
    bout.press(as_bob, "stance", perpetua, 1, 1, 1, 6, 6, 6, words="A ballade, and at its end I hit", **gambit)
    assert "8 to attack Corvin Ashgrove" in bout.text() and "Cyrano gambit" in bout.text()


@pytest.mark.parametrize("answer", ["accept", "refuse"])
def test_ps_27_surrender_on_terms_is_taken_or_refused_in_bad_form(
    bout: Duelling, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character, answer: str
) -> None:
    bout.press(as_bob, "surrender", perpetua, terms="The lady goes free")
    page = bout.page(as_alice)
    assert "Perpetua Vane would surrender: The lady goes free" in page
    assert {"stance", "stances"}.isdisjoint(bout.offers(as_alice))
    if answer == "accept":
        bout.press(as_alice, "accept", corvin)
        assert bout.state.fencer(str(perpetua.pk)).out == "surrendered" and "has surrendered" in bout.page(as_bob)
    else:
        bout.press(as_alice, "refuse", corvin, bad_form="on")
        assert perpetua.pools.get(name="style_dice").value == 1 and bout.state.phase.value == "stance"


@pytest.mark.parametrize("many", ["2", "3"])
def test_ps_28_an_impasse_waits_after_its_dice_on_both_browsers(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int], many: str,
) -> None:
    if many == "3":
        setting(as_alice, campaign, impasse_dice="3")
        campaign.refresh_from_db()
    bout = faced(Duelling(campaign, as_alice, dice, [perpetua], corvin), as_alice, perpetua, corvin)
    odds = as_bob.post(f"{bout.at}impasse/{perpetua.pk}/odds/", body(foe=str(corvin.pk))).content.decode()
    assert "You win" in odds
    mine, theirs = [4] * int(many), [5] * int(many)
    page = bout.press(as_bob, "impasse", perpetua, *mine, *theirs, foe=str(corvin.pk), words="Corps à corps")
    assert "The impasse" in page and "Let it stand" in page and "enough: " in page
    assert "impasse_add" not in bout.page(as_alice).partition("<aside")[0], "the additions are for who is asked"
    bout.press(as_bob, "impasse_add", perpetua, *[6] * (many == "2"),
               what=f"{trait(perpetua, 'Rapier').pk}|{'die' if many == '2' else 'flat'}")
    while "impasse_stand" in bout.offers(as_bob):
        bout.press(as_bob, "impasse_stand", perpetua)
    while "impasse_stand" in bout.offers(as_alice):
        bout.press(as_alice, "impasse_stand", corvin)
    loser = corvin if many == "2" else perpetua  # 14 against 14 is hers; 17 against 19 is his
    winner = perpetua if many == "2" else corvin
    assert [(wound.who, wound.kind) for wound in bout.state.wounds] == [(str(loser.pk), "failure")]
    assert winner.pools.get(name="style_dice").value == 1
    assert "becomes" in bout.text() and not list(differences(campaign.pk))


def test_ps_31_and_ps_32_who_has_nothing_left_lies_at_a_foes_mercy_and_killing_is_asked_twice(
    bout: Duelling, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character
) -> None:
    almost = [Damage(str(trait.pk), trait.value + 2) for trait in corvin.traits.filter(
        kind__in=("motivation", "past", "forte"))]
    suffers(bout.campaign, *almost, Damage(str(trait(corvin, "Fencing").pk), 2))
    assert "kill" not in bout.offers(as_bob)
    clash(bout, as_bob, perpetua, "strong_attack", "all_out_attack", 6, 6, 6, 1, 1, 1)
    bout.let_stand(as_alice, as_bob)
    if "place_npcs" in bout.offers(as_alice):
        bout.press(as_alice, "place_npcs")
    page = bout.page(as_bob)
    assert "mostly dead" in page and corvin.traits.filter(kind="fallen").exists()
    page = bout.press(as_bob, "kill", perpetua, target=str(corvin.pk), words="For Saint Orme")
    corvin.refresh_from_db()
    assert "The GM decides." in page and not corvin.dead
    bout.press(as_bob, "spare", perpetua)
    bout.press(as_bob, "kill", perpetua, target=str(corvin.pk))
    bout.press(as_bob, "confirm_kill", perpetua)
    corvin.refresh_from_db()
    assert not corvin.dead and "rule_kill" not in bout.offers(as_bob), "a player’s word kills nobody"
    assert "say whether Corvin Ashgrove dies" in as_alice.get(f"/c/{bout.campaign.slug}/").content.decode()
    form = Page(as_alice.get(bout.at)).form(action="/rule_kill/gm/")
    button = next(button for button in form.buttons if "dies" in button.words)
    assert form.send(as_alice, button).status_code == 302
    corvin.refresh_from_db()
    assert corvin.dead and bout.state.over and not list(differences(bout.campaign.pk))


@pytest.mark.parametrize("how", ["harms", "weakens", "kills"])
def test_ps_49_a_poisoned_blade_does_what_the_table_agreed_on(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int], how: str,
) -> None:
    if how != "harms":
        setting(as_alice, campaign, poison=how)
        campaign.refresh_from_db()
    bout = faced(Duelling(campaign, as_alice, dice, [perpetua], corvin), as_alice, perpetua, corvin)
    assert "envenom" not in bout.offers(as_bob)
    bout.press(as_alice, "envenom", whom=str(corvin.pk), rank="1")
    assert "poison on the blade, Good [+2]" in bout.page(as_bob)
    clash(bout, as_bob, perpetua, "all_out_defence", "all_out_attack", 3, 3, 3, 4, 4, 3)  # 15 against 13
    bout.let_stand(as_alice, as_bob)
    wound = bout.state.wound_of(str(perpetua.pk))
    assert wound.amount == (4 if how == "harms" else 2)
    assert perpetua.traits.filter(kind="poisoned").exists() == (how == "weakens")
    if how == "kills":
        assert "2d6 against 9" in bout.page(as_bob)
        bout.press(as_bob, "withstand", perpetua, 1, 1, fortes=[str(trait(perpetua, "Fencing").pk)], style="0")
        assert "6 against 9: not enough to withstand the poison" in bout.page(as_bob)
        bout.press(as_bob, "poison_add", perpetua, 1, what=f"{trait(perpetua, 'Rapier').pk}|die")
        bout.press(as_bob, "poison_stand", perpetua)
        assert "falls to the poison" in bout.text()
        assert perpetua.traits.get(kind="fallen").note == "Poison"
    assert not list(differences(campaign.pk))
