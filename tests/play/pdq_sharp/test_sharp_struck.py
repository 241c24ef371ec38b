"""Which forte counts in a challenge is a player's word: the GM strikes it at one tap, by the pages' own forms."""
from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from rules.sheet import Spend
from tests.html_forms import Form, Page
from tests.play.conftest import state_of
from tests.play.pdq_sharp.conftest import Duelling, suffers
from tests.play.pdq_sharp.test_challenge import at, flashy, press
from tests.play.pdq_sharp.test_sharp_tray import challenges, lines, put, rolled, training

pytestmark = pytest.mark.django_db

FENCING, REPARTEE = ("Perpetua Vane says: Fencing, Expert [+4] counts.",
                     "Perpetua Vane says: Repartee, Good [+2] counts.")


def to_strike(client: Client, campaign: Any) -> list[Form]:
    return Page(client.get(f"/c/{campaign.slug}/")).matching(action="/dismiss/gm/")


def tap(client: Client, campaign: Any, words: str) -> list[str]:
    """The GM's one tap on the table; what the entry says."""
    (form,) = to_strike(client, campaign)
    assert form.send(client, next(button for button in form.buttons if button.words == words)).status_code == 302
    told = json.loads(Entry.objects.latest("seq").payload.text)
    assert told["kind"] == "contest.dismiss" and told["dice"] is None
    assert told["title"] == f"The GM strikes what counted: {words}"
    return [step["text"] for step in told["outcome"]["steps"]]


def test_ps_10_after_the_dice_the_gm_strikes_each_forte_and_the_last_leaves_none(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    dice += [4, 3]
    put(as_alice, campaign, "master")
    rolled(as_bob, campaign, fortes=lines(perpetua, "Fencing", "Repartee"))
    assert challenges()[0].over and not to_strike(as_bob, campaign)
    (form,) = to_strike(as_alice, campaign)
    assert [button.words for button in form.buttons] == [FENCING, REPARTEE], "each line, and never the roll"
    steps = tap(as_alice, campaign, REPARTEE)
    assert "Before: success, 13 against 13. Now: 11 against 13, as it lies." in steps
    assert not challenges()[0].over, "her techniques are left to add"
    assert state_of(challenges()[0]).entrants[0].cast.ranks == ("expert",)
    steps = tap(as_alice, campaign, FENCING)
    assert "Perpetua Vane: no forte applies, which adds nothing." in steps
    assert "Before: 11 against 13, as it lies. Now: failure, 7 against 13." in steps and training(perpetua) == 1
    assert challenges()[0].over and not to_strike(as_alice, campaign) and not list(differences(campaign.pk))


def test_ps_14_what_was_learned_from_a_failure_is_gone_where_it_was_none(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    dice += [4, 3]
    put(as_alice, campaign, "average")
    rolled(as_bob, campaign, fortes=lines(perpetua, "Must have the last word"))  # Poor: 5 against 7
    assert training(perpetua) == 1
    steps = tap(as_alice, campaign, "Perpetua Vane says: Must have the last word, Poor [−2] counts.")
    assert "Before: failure, 5 against 7. Now: success, 7 against 7." in steps
    assert training(perpetua) == 0 and not list(differences(campaign.pk))


def test_ps_11_a_technique_counts_no_more_where_its_forte_does_not(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    suffers(campaign, Spend(str(perpetua.pk), "style_dice", 2))
    dice += [2, 3, 6]
    put(as_alice, campaign, "average")
    rolled(as_bob, campaign, fortes=lines(perpetua, "Fencing", "Rapier"))  # 6 and 3, and 4 more
    tap(as_alice, campaign, FENCING)
    cast = state_of(challenges()[0]).entrants[0].cast
    assert (cast.faces, cast.used, cast.ranks) == ((2, 3), (), ())
    assert "5 against 7" in as_bob.get(f"/c/{campaign.slug}/").content.decode()


def test_ps_16_of_two_who_show_off_one_is_read_again_and_a_style_die_is_won_once(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int]
) -> None:
    flashy(as_bob, campaign, who=str(perpetua.pk), beside=str(corvin.pk))
    dice += [6, 6, 1, 1]
    press(as_bob, "flashy", "roll", perpetua.pk, fortes=lines(perpetua, "Fencing"), style="0")
    press(as_alice, "flashy", "roll", corvin.pk, style="0", fortes=[])
    style = perpetua.pools.get(name="style_dice")
    assert "Perpetua Vane wins" in as_bob.get(at("flashy")).content.decode() and style.value == 1
    form = Page(as_alice.get(at("flashy"))).form(action="/dismiss/gm/")
    assert [button.words for button in form.buttons] == [FENCING], "what a villain uses is the GM’s own word"
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    style.refresh_from_db()
    assert "12 against 2" in Entry.objects.latest("seq").payload.text and style.value == 1
    assert not list(differences(campaign.pk))


def test_ps_11_in_a_duel_a_technique_falls_with_its_forte_too(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int]
) -> None:
    duel = Duelling(campaign, as_alice, dice, [perpetua], corvin)
    while duel.state.phase.value == "engage":
        first = duel.state.undecided[0].id
        duel.press(as_alice, "engage", first, foes=[str(corvin.pk if first == str(perpetua.pk) else perpetua.pk)])
    duel.press(as_alice, "stances", npc_0="strong_attack")
    faces = {str(perpetua.pk): (2, 2, 2, 6), str(corvin.pk): (5, 5, 5)}
    duel.press(as_bob, "stance", perpetua, *(face for who in duel.state.engaged for face in faces[who.id]),
               stance="strong_attack", fortes=lines(perpetua, "Fencing", "Repartee"),
               techniques=lines(perpetua, "Rapier"))
    assert not Page(as_bob.get(duel.at)).matching(action="/dismiss/gm/")
    page = Page(as_alice.get(duel.at))
    form = page.form(action="/dismiss/gm/")
    folded = [within for fold in page.of_tag("details") for within in fold.within() if within.tag == "form"]
    assert not [one for one in folded if one.attributes["action"].endswith("/dismiss/gm/")], "it stands in sight"
    assert [button.words for button in form.buttons] == [FENCING, REPARTEE]
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    throw = duel.state.throw_of(str(perpetua.pk))
    assert (throw.ranks, throw.bonus, throw.used) == (("good",), (), ())
    told = Entry.objects.latest("seq").payload.text
    assert "Rapier no longer counts, as the forte does not." in told
    assert "Perpetua Vane, the attack: 14 becomes 6." in told, "2 and 2, and Repartee; the six is gone"
    assert not list(differences(campaign.pk))
