"""A player asks the GM to let a character recover who is hurt or out of it; one press of the GM's grants it."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Campaign, Entry, Role
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character, Pool, Trait
from play.models import AskedRecovery, PendingAllocation
from play.services import sessions
from rules.systems.danger_world.reading import BOXES
from tests.conftest import join
from tests.html_forms import Page
from tests.play.conftest import body, character, trait
from tests.play.test_asked_rolls import GAMES
from tests.play.test_endings import fight, hurt
from tests.play.test_now import bar

pytestmark = pytest.mark.django_db

ASK = "Ask the GM to let me recover"
SHEETS = {**GAMES, "danger_world": [*GAMES["danger_world"], (BOXES, "Bashed", 2)]}
GIVES = {"pdq": "0", "pdq_sharp": "0", "pnc": "0", "danger_world": "1"}  # the answer after which all are whole


def recovers(client: Client, campaign: Campaign, chip: str) -> Any:
    """The GM presses one chip of the Now bar."""
    form = Page(client.get(f"/c/{campaign.slug}/people/")).form(action="/answer/")
    return form.send(client, next(button for button in form.buttons if button.attributes.get("value") == chip))


def test_from_the_end_of_a_fight_one_press_asks_and_one_grants(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Character,
) -> None:
    hurt(campaign, alices, trait(ilse, "Maps"), 2)
    at = fight(as_alice, campaign)
    asked = Page(as_bob.get(at)).form(action=f"/recover/ask/{ilse.pk}/").send(as_bob)
    assert asked.status_code == 302 and asked["Location"] == at
    assert "Waiting for the GM: let Ilse recover" in bar(as_bob, campaign)
    assert ASK not in as_bob.get(at).content.decode(), "once is enough"
    says = bar(as_alice, campaign)
    assert "let Ilse recover" in says and "All damage" in says and "Roll 1d6" in says
    assert recovers(as_alice, campaign, "0").status_code == 302
    assert not Trait.objects.filter(character=ilse, damage__gt=0).exists() and not AskedRecovery.objects.exists()
    assert "recover" not in bar(as_bob, campaign) and not list(differences(campaign.pk))


def test_who_is_out_asks_where_they_read_why(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Character,
) -> None:
    hurt(campaign, alices, trait(ilse, "Maps"), 4)
    tray = as_bob.get(f"/c/{campaign.slug}/?character={ilse.pk}").content.decode().partition('id="forecast"')[2]
    assert f'formaction="/c/{campaign.slug}/scene/recover/ask/{ilse.pk}/"' in tray and ASK in tray
    assert as_bob.post(f"/c/{campaign.slug}/scene/recover/ask/{ilse.pk}/", body()).status_code == 302
    recovers(as_alice, campaign, "1")
    assert PendingAllocation.objects.get().type == "roll", "the danger goes on: they roll"
    assert not AskedRecovery.objects.exists()


@pytest.mark.parametrize("system", sorted(GIVES))
def test_every_game_that_gives_anything_back_grants_it_at_a_press(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any, system: str
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=f"Hurt in {system}", system=system)
    alices, bobs = campaign.members.get(), join(campaign, bob, Role.PLAYER)
    nell = character(campaign, bobs, "Nell", SHEETS[system], player=bobs)
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[nell.pk])
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="damage.place", title="Hurt") as entry:
        if system == "pnc":
            entry.create(Pool(campaign=campaign, character=nell, name="unconscious", value=1))
        else:
            lines = nell.traits.filter(kind=BOXES) if system == "danger_world" else nell.traits.all()
            entry.change(entry.locked(Trait, pk=lines.order_by("place")[0].pk), damage=1)
    campaign.refresh_from_db()
    assert as_bob.post(f"/c/{campaign.slug}/scene/recover/ask/{nell.pk}/", body()).status_code == 302
    assert "let Nell recover" in bar(as_alice, campaign)
    recovers(as_alice, campaign, GIVES[system])
    owed = PendingAllocation.objects.exists()  # where recovery is rolled
    assert owed == (system == "pdq_sharp")
    assert owed or not (nell.traits.filter(damage__gt=0).exists() or Pool.objects.filter(name="unconscious", value=1))
    assert not AskedRecovery.objects.exists() and not list(differences(campaign.pk))


def test_it_is_taken_back_by_who_asked_and_put_off_by_the_gm(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Character,
) -> None:
    hurt(campaign, alices, trait(ilse, "Maps"), 2)
    ask = f"/c/{campaign.slug}/scene/recover/ask/{ilse.pk}/"
    as_bob.post(ask, body())
    assert "asked already" in as_bob.post(ask, body(), follow=True).content.decode()
    assert Page(as_bob.get(f"/c/{campaign.slug}/people/")).form(action="/withdraw/").send(as_bob).status_code == 302
    assert not AskedRecovery.objects.exists()
    as_bob.post(ask, body())
    recovers(as_alice, campaign, "no")
    assert not AskedRecovery.objects.exists() and Trait.objects.filter(damage=2).exists()
    assert Entry.objects.latest("seq").kind == "recovery.withdraw"


def test_who_is_whole_and_whom_one_does_not_play_are_not_asked_for(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Character, marrow: Character,
) -> None:
    def refused(client: Client, who: Character) -> str:
        return client.post(f"/c/{campaign.slug}/scene/recover/ask/{who.pk}/", body(), follow=True).content.decode()

    assert "nothing to recover from" in refused(as_bob, ilse)
    hurt(campaign, alices, trait(marrow, "Club"), 1)
    assert "is not yours" in refused(as_bob, marrow)
    as_bob.post(f"/c/{campaign.slug}/scene/recover/{uuid.uuid4()}/withdraw/", body())
    gone = as_alice.post(f"/c/{campaign.slug}/scene/recover/{uuid.uuid4()}/answer/", body(chip="7"), follow=True)
    assert "was answered already" in gone.content.decode() and not AskedRecovery.objects.exists()


def test_where_nothing_comes_back_nobody_asks_and_an_answer_is_one_of_the_gms(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any, campaign: Any, alices: Any, scene: Any, ilse: Character,
) -> None:
    other = found(user=alice, op_id=uuid.uuid4(), name="Salt", system="questworlds")
    bobs = join(other, bob, Role.PLAYER)
    nell = character(other, bobs, "Nell", GAMES["questworlds"], player=bobs)
    refused = as_bob.post(f"/c/{other.slug}/scene/recover/ask/{nell.pk}/", body(), follow=True)
    assert "nothing comes back by itself" in refused.content.decode()
    hurt(campaign, alices, trait(ilse, "Maps"), 2)
    assert as_bob.post(f"/c/{campaign.slug}/scene/recover/ask/{ilse.pk}/", body()).status_code == 302
    asked = AskedRecovery.objects.get()
    answered = as_alice.post(f"/c/{campaign.slug}/scene/recover/{asked.pk}/answer/", body(chip="9"), follow=True)
    assert "Choose one of the answers" in answered.content.decode()
    assert AskedRecovery.objects.count() == 1


@pytest.mark.parametrize(("failures", "asks"), [(0, False), (1, True)])
def test_ps_34_whom_style_dice_have_to_raise_asks_only_for_what_comes_back(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any, failures: int, asks: bool
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="The Compass", system="pdq_sharp")
    alices, bobs = campaign.members.get(), join(campaign, bob, Role.PLAYER)
    nell = character(campaign, bobs, "Nell", [*GAMES["pdq_sharp"], ("fallen", "Mostly dead", 1)], player=bobs)
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[nell.pk])
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="damage.place", title="Hurt") as entry:
        entry.change(entry.locked(Trait, pk=nell.traits.order_by("place")[0].pk), damage=2, failures=failures)
    table = as_bob.get(f"/c/{campaign.slug}/?character={nell.pk}").content.decode()
    assert (ASK in table) is asks and "Get up with style dice" in table
    answer = as_bob.post(f"/c/{campaign.slug}/scene/recover/ask/{nell.pk}/", body(), follow=True)
    assert AskedRecovery.objects.exists() is asks
    assert asks or "style dice bring their fortes back to Poor" in answer.content.decode().partition("<main")[2]
