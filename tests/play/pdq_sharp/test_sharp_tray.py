"""The tray is the challenge: what its page shows is filled in and sent (PS-04, PS-10, PS-11, PS-14, PS-17, PS-44)."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest, PendingAllocation
from play.services import pools, sessions
from rules.sheet import Spend
from tests.html_forms import Form, Page
from tests.play.conftest import body, state_of, trait
from tests.play.pdq_sharp.conftest import from_line, suffers

pytestmark = pytest.mark.django_db


def tray(client: Client, campaign: Any) -> Form:
    """The tray of the table as it stands there."""
    at = f"/c/{campaign.slug}/"
    return Page(client.get(at)).form(action=f"{at}roll/")


def lines(who: Character, *names: str) -> list[str]:
    return [str(trait(who, name).pk) for name in names]


def rolled(client: Client, campaign: Any, **chosen: Any) -> str:
    """The table after a roll."""
    answer = tray(client, campaign).send(client, **chosen)
    assert answer.status_code == 302, Page(answer).errors
    return str(client.get(answer["Location"]).content.decode())


def challenges() -> list[Contest]:
    return list(Contest.objects.filter(kind="pdq_sharp.challenge_at_table"))


def put(as_alice: Client, campaign: Any, difficulty: str) -> None:
    """The GM puts something in the way."""
    put = as_alice.post(f"/c/{campaign.slug}/obstacles/put/", body(name="The wall", difficulty=difficulty))
    assert put.status_code == 302


def training(who: Character) -> int:
    return sum(pool.value for pool in who.pools.filter(name="training_points"))


def test_ps_11_nothing_betters_a_roll_but_what_is_on_the_sheet(
    as_bob: Client, campaign: Any, session: None, perpetua: Character
) -> None:
    """No bonus dice and no +1 can be typed; each technique stands beneath its forte, and can be ticked as a +1 instead;
    style dice as many as held."""
    form = tray(as_bob, campaign)
    assert not {"bonus_dice", "style", "traits"} & set(form.controls)
    order = form.controls["fortes"].offered
    fencing, repartee = lines(perpetua, "Fencing", "Repartee")
    rapier, = lines(perpetua, "Rapier")
    assert order.index(fencing) < order.index(rapier) < order.index(repartee)
    flat = form.controls["flat"].offered
    assert rapier in flat and fencing not in flat
    suffers(campaign, Spend(str(perpetua.pk), "style_dice", 1))
    assert "style" in tray(as_bob, campaign).controls
    refused = tray(as_bob, campaign).send(as_bob, fortes=[fencing], style="2")
    assert refused.status_code == 422


def test_ranks_stand_at_the_margin_of_their_rows(
    as_bob: Client, campaign: Any, session: None, perpetua: Character
) -> None:
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    rows = dict(re.findall(r'<span class="name">([^<]+)</span> <span class="notation">([^<]+)</span>', page))
    assert rows["Fencing"] == "Expert [+4]", rows
    assert {number for name, number in rows.items() if name.startswith("↳ ") and "Rapier" in name} == {"1 die"}, rows


def test_ps_04_a_technique_counts_where_its_forte_does(
    as_bob: Client, campaign: Any, session: None, perpetua: Character
) -> None:
    refused = tray(as_bob, campaign).send(as_bob, fortes=lines(perpetua, "Acrobatics", "Rapier"))
    assert refused.status_code == 422
    assert "Rapier goes with a forte that you have not chosen. Choose Fencing too" in refused.content.decode()
    assert not challenges()


def test_ps_44_a_style_die_of_the_tray_is_paid_into_the_bowl(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    suffers(campaign, Spend(str(perpetua.pk), "style_dice", 2))
    before = pools.held(campaign, "bowl")
    dice += [1, 2, 6, 5]
    put(as_alice, campaign, "expert")
    page = rolled(as_bob, campaign, fortes=lines(perpetua, "Fencing", "Rapier"), style="1")
    assert perpetua.pools.get(name="style_dice").value == 1 and pools.held(campaign, "bowl") == before + 1
    assert "15 against 11: a success" in page and "Perpetua Vane pays 1 style die." in page
    assert not list(differences(campaign.pk))


def test_ps_17_the_tray_waits_after_the_dice_where_something_changes_anything(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    put(as_alice, campaign, "expert")
    dice += [2, 3]
    rolled(as_bob, campaign, fortes=lines(perpetua, "Fencing"))  # 9 against 11, and five techniques are left
    contest, = challenges()
    page = as_bob.get(f"/c/{campaign.slug}/contests/{contest.pk}/").content.decode()
    assert "+1 each</b></span> <span class=\"follows\">enough: 100%" in page
    at = f"/c/{campaign.slug}/contests/{contest.pk}/"
    adding = Page(as_bob.get(at)).form(action=f"{at}add/{perpetua.pk}/")
    together = next(button for button in adding.buttons if "+1 each" in button.words)
    assert adding.send(as_bob, button=together).status_code == 302
    entry = Entry.objects.filter(kind="contest.add").get()
    assert "9 becomes 11" in entry.payload.text and not list(differences(campaign.pk))
    dice += [1, 1]
    rolled(as_bob, campaign, fortes=lines(perpetua, "Must have the last word"))  # 0 against 11
    assert [contest.over for contest in challenges()] == [True, True], "nobody is asked where nothing changes anything"


def test_ps_14_a_training_point_is_earned_in_a_session_against_the_gms_difficulty_alone(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, corvin: Character, dice: list[int]
) -> None:
    foible = lines(perpetua, "Must have the last word")
    dice += [1, 1]
    rolled(as_bob, campaign, fortes=foible, difficulty="inconceivable")
    assert not training(perpetua), "between sessions nobody learns"
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    here = body(title="The bridge", characters=[str(perpetua.pk), str(corvin.pk)])
    assert as_alice.post(f"/c/{campaign.slug}/scene/open/", here).status_code == 302
    assert "difficulty" not in tray(as_bob, campaign).controls, "how hard it is is the GM's"
    put(as_alice, campaign, "inconceivable")
    dice += [1, 1]
    rolled(as_bob, campaign, fortes=foible)
    assert training(perpetua) == 1 and not PendingAllocation.objects.exists()
    shown = tray(as_bob, campaign).controls
    assert "difficulty" not in shown and "" not in shown["obstacle"].offered
    assert not list(differences(campaign.pk))


def test_ps_10_how_hard_it_is_is_not_asked_of_a_player_who_starts_a_challenge(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character
) -> None:
    at = f"/c/{campaign.slug}/contests/start/challenge/"
    assert not {"difficulty", "harm"} & set(Page(as_bob.get(at)).form(action=at).controls)
    assert {"difficulty", "harm"} <= set(Page(as_alice.get(at)).form(action=at).controls)


def test_ps_11_a_technique_of_the_tray_can_be_a_plus_one(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    put(as_alice, campaign, "expert")
    dice += [2, 4]
    page = rolled(as_bob, campaign, fortes=lines(perpetua, "Fencing"), flat=lines(perpetua, "Rapier"))
    assert "11 against 11: a success" in page and "Rapier: +1." in page
    twice = tray(as_bob, campaign).send(
        as_bob, fortes=lines(perpetua, "Fencing", "Rapier"), flat=lines(perpetua, "Rapier"))
    assert twice.status_code == 422
    assert "Use each technique as a die or as +1, not both." in Page(twice).errors
    hung = tray(as_bob, campaign).send(as_bob, fortes=lines(perpetua, "Repartee"), flat=lines(perpetua, "Rapier"))
    assert hung.status_code == 422 and "Choose Fencing too" in " ".join(Page(hung).errors)


def test_ps_15_somebody_who_is_here_helps_in_the_tray(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, guards: Character,
    alices: Any, dice: list[int]
) -> None:
    tam = from_line(campaign, alices, "Tam, Brawling good, Sailor expert")
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[perpetua.pk, tam.pk])
    put(as_alice, campaign, "master")
    helping = tray(as_bob, campaign).controls["help"].offered
    assert set(lines(tam, "Brawling", "Sailor")) == set(helping), "who is not here can’t help"
    dice += [4, 3]
    page = rolled(as_bob, campaign, fortes=lines(perpetua, "Acrobatics"), help=lines(tam, "Sailor"))
    assert "13 against 13: a success" in page and "Tam helps Perpetua Vane." in page
    entry = Entry.objects.get(kind="contest.tray")
    assert "Tam helps: +4." in entry.payload.text
    assert not list(differences(campaign.pk))


def test_ps_14_an_obstacle_that_harms_says_so_before_the_dice_and_lays_it_after_a_failure(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    at = f"/c/{campaign.slug}/"
    form = Page(as_alice.get(f"{at}obstacles/put/")).form(action=f"{at}obstacles/put/")
    assert form.send(as_alice, name="Thorns", difficulty="inconceivable", harm="wound").status_code == 302
    before = as_bob.get(at).content.decode()
    assert "Thorns · inconceivable 21, failing costs wound ranks" in before
    assert "harm" not in tray(as_bob, campaign).controls, "whether failing hurts is the GM’s word"
    dice += [6, 5]
    rolled(as_bob, campaign, fortes=lines(perpetua, "Repartee"))
    contest, = challenges()
    assert not contest.over
    at = f"{at}contests/{contest.pk}/"
    placed = Page(as_bob.get(at)).form(action=f"{at}place/{perpetua.pk}/")
    assert "8 wound ranks" in as_bob.get(at).content.decode()
    assert placed.send(as_bob).status_code == 302
    assert sum(line.damage for line in perpetua.traits.all()) == 8 and challenges()[0].over
    assert not list(differences(campaign.pk))


def test_ps_14_what_the_gm_says_of_failing_counts_over_an_obstacle_that_said_nothing_of_it(
    as_alice: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    put(as_alice, campaign, "inconceivable")
    for ticked in ({}, {"harm": "wound"}):
        dice += [1, 1]
        shown = Page(as_alice.get(f"/c/{campaign.slug}/?character={perpetua.pk}")).form(action="/roll/")
        assert shown.send(as_alice, fortes=lines(perpetua, "Must have the last word"), **ticked).status_code == 302
        owed = [hurt[1:] for contest in challenges() if (hurt := state_of(contest).hurt)[1]]
        assert owed == ([(21, "wound")] if ticked else []), "0 against 21"
