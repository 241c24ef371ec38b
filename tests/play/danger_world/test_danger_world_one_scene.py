"""What holds for a scene of Danger World: threat dice that wait on its challenges; and what does not end with it."""
from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Entry, Member
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Contest, ContestEvent, PrepItem, SharedPool
from play.services import bank
from play.services.position import MOST_PAST
from tests.html_forms import Page
from tests.play.conftest import body
from tests.play.danger_world.checks import words
from tests.play.danger_world.test_danger_world_by_page import AtTheTable, table
from tests.play.questworlds.longing import set_setting

__all__ = ["table"]  # a fixture of that file
pytestmark = pytest.mark.django_db


def puts(table: AtTheTable, name: str) -> None:
    form = Page(table.alice.get(f"/c/{table.slug}/obstacles/put/")).form(action="obstacles/put/")
    assert form.send(table.alice, name=name, difficulty="3").status_code == 302


def rolls(table: AtTheTable, dice: list[int], faces: list[int]) -> str:
    """Bob rolls against what is in the way; how the entry explains it."""
    tray = Page(table.bob.get(f"/c/{table.slug}/")).form(action="/roll/")
    dice[:] = faces
    stats = [str(table.mara.traits.get(name=name).pk) for name in ("Agility", "Speed")]
    answer = tray.send(table.bob, stats=stats)
    assert answer.status_code == 302, Page(answer).errors
    assert not dice, f"{len(dice)} dice are left"
    table.at = f"/c/{table.slug}/contests/{Contest.objects.get(over=False).pk}/"
    return str(Entry.objects.filter(kind="contest.tray").latest("seq").payload.text)


def buys_a_threat(table: AtTheTable, on: str) -> None:
    """No set is used, and the GM buys a threat die for the next one who tries."""
    table.keep(0)
    table.send(table.alice, "pay", cost="threat", on=on)
    if table.offers(table.alice, "let_go"):
        table.send(table.alice, "let_go")


def next_scene(table: AtTheTable, rest: str = "none") -> None:
    at = f"/c/{table.slug}/scene/close/"
    assert Page(table.alice.get(at)).form(action=at).send(table.alice, rest=rest).status_code == 302
    here = body(title="The roofs", characters=[str(table.mara.pk)])
    assert table.alice.post(f"/c/{table.slug}/scene/open/", here).status_code == 302


def test_dw_06_a_threat_die_waits_on_its_challenge_at_each_door_of_the_scene(
    table: AtTheTable, mara: Character, dice: list[int]
) -> None:
    puts(table, "The tide race")
    rolls(table, dice, [1, 6, 6, 6, 5, 5, 4])
    buys_a_threat(table, "The tide race")
    told = rolls(table, dice, [1, 6, 6, 6, 5, 5, 4, 4])
    assert "+1 threat die: Left on The tide race." in told, "the tray"
    buys_a_threat(table, "The tide race")
    table.start(title="the  Tide Race", difficulty="3")
    assert "2 threat dice on it" in words(table.bob.get(f"/c/{table.slug}/contests/start/check/").content.decode())
    table.propose("Agility", "Speed")
    page = table.page(table.bob)
    assert "Left on the Tide Race" in page and "7 dice and 2 threat dice" in page, "the check on its own page"
    table.send(table.alice, "end")
    next_scene(table)
    puts(table, "The tide race")
    assert "Left on" not in rolls(table, dice, [6, 6, 6, 6, 5, 5, 4]), "another scene"
    assert not list(differences(mara.campaign_id))


def matrix_says(table: AtTheTable, name: str) -> str:
    """What the open cell of Mara and this challenge says of each way about it."""
    item = PrepItem.objects.get(name=name)
    answer = table.alice.get(f"/c/{table.slug}/prepare/matrix/{item.pk}/0/{table.mara.pk}/", {"open": "1"})
    assert answer.status_code == 200
    return words(answer.content.decode())


def test_dw_06_the_matrix_knows_the_threat_dice_that_wait_as_the_tray_does(
    table: AtTheTable, mara: Character, dice: list[int], as_alice: Client
) -> None:
    campaign = mara.campaign
    bank.write(campaign=campaign, actor=campaign.members.get(role="owner"), op_id=uuid.uuid4(), type="challenge",
               name="The tide race", fields={"difficulty": "3", "threat": 0, "keywords": ""})
    assert "threat" not in matrix_says(table, "The tide race")
    Trait.objects.create(campaign=campaign, character=mara, kind="threat", name="The  Tide race", value=2, place=90)
    assert "2 threat dice" in matrix_says(table, "The tide race"), "what waits on the sheet"
    puts(table, "The tide race")
    told = rolls(table, dice, [1, 6, 6, 6, 5, 5, 4, 4, 4])
    assert "7 dice and 2 threat dice" in told, "the tray"
    buys_a_threat(table, "The tide race")
    assert "3 threat dice" in matrix_says(table, "The tide race"), "and what an earlier check of the scene left"
    assert "7 dice and 3 threat dice" in rolls(table, dice, [1, 6, 6, 6, 5, 5, 4, 4, 4, 4])
    table.send(table.alice, "end")
    next_scene(table)
    assert "2 threat dice" in matrix_says(table, "The tide race"), "another scene"


def test_dw_06_it_waits_however_many_checks_come_after_it(
    table: AtTheTable, mara: Character, dice: list[int]
) -> None:
    puts(table, "The tide race")
    rolls(table, dice, [1, 6, 6, 6, 5, 5, 4])
    buys_a_threat(table, "The tide race")
    table.start(title="Something else", difficulty="2")
    table.send(table.alice, "end")
    again(Contest.objects.get(title="Something else"), MOST_PAST + 10)
    told = rolls(table, dice, [1, 6, 6, 6, 5, 5, 4, 4])
    assert "Left on The tide race" in told


def again(contest: Contest, times: int) -> None:
    """The same check so many times more, each found before any other."""
    events = list(contest.log.order_by("number"))
    for number in range(1, times + 1):
        contest.pk = uuid.UUID(int=number)
        contest.save(force_insert=True)
        ContestEvent.objects.bulk_create(
            ContestEvent(campaign=contest.campaign, contest=contest, number=event.number, text=event.text)
            for event in events)


def test_dw_14_what_no_rule_ties_to_a_scene_does_not_end_with_it(
    table: AtTheTable, mara: Character, dice: list[int]
) -> None:
    campaign = mara.campaign
    mara.traits.filter(name__in=("Bashed", "Stunned", "Knocked out")).update(damage=1)
    Trait.objects.filter(character=mara, kind="danger").update(value=7)
    for kind, name in (("bonus", "What went well"), ("setback", "Trapped"), ("threat", "The tide race")):
        Trait.objects.create(campaign=campaign, character=mara, kind=kind, name=name, value=2, place=90)
    SharedPool.objects.update_or_create(campaign=campaign, name="kept", defaults={"value": 3})
    held = mara.pools.get(name="points").value
    next_scene(table)
    assert {mara.traits.get(name=name).damage for name in ("Bashed", "Stunned", "Knocked out")} == {1}, "no rest yet"
    assert Trait.objects.get(character=mara, kind="danger").value == 7, "an episode’s"
    assert mara.traits.filter(kind__in=("bonus", "setback", "threat")).count() == 3
    assert SharedPool.objects.get(campaign=campaign, name="kept").value == 3
    assert mara.pools.get(name="points").value == held, "a session’s"


def test_dw_14_who_is_knocked_out_is_so_at_every_door_until_a_rest(
    table: AtTheTable, mara: Character, dice: list[int], as_bob: Client
) -> None:
    mara.traits.filter(name="Knocked out").update(damage=1)
    why = "Mara is knocked out, until a short rest or a healer."
    puts(table, "The tide race")
    page = table.bob.get(f"/c/{table.slug}/")
    assert why in words(page.content.decode())
    stats = [str(mara.traits.get(name=name).pk) for name in ("Agility", "Speed")]
    answer = Page(page).form(action="/roll/").send(table.bob, stats=stats)
    assert answer.status_code == 422 and why in words(answer.content.decode())
    sheet = reverse("sheet", args=[table.slug, mara.pk])
    assert words(table.bob.get(sheet).content.decode()).count(why) == 1
    address = f"/c/{table.slug}/contests/start/check/"
    form = Page(table.bob.get(address)).form(action=address)
    assert form.send(table.bob, **{**form.as_it_opens(), "who": str(mara.pk)}).status_code == 422
    next_scene(table, "short")
    assert why not in words(table.bob.get(sheet).content.decode())
    puts(table, "The tide race")
    rolls(table, dice, [6, 6, 6, 6, 5, 5, 4])


@pytest.mark.parametrize("agree", [True, False])
def test_dw_05_in_a_scene_how_hard_it_is_is_the_gms_word_at_each_door(
    table: AtTheTable, mara: Character, dice: list[int], alices: Member, agree: bool
) -> None:
    if not agree:
        set_setting(mara.campaign, alices, agree=False)
    stats = [str(mara.traits.get(name=name).pk) for name in ("Agility", "Speed")]
    tray = Page(table.bob.get(f"/c/{table.slug}/")).form(action="/roll/")
    assert "difficulty" not in tray.controls
    assert tray.send(table.bob, stats=stats, what="Over the roofs").status_code == 302
    assert not Contest.objects.exists(), "it is asked, with one press"
    answer = Page(table.alice.get(f"/c/{table.slug}/")).matching(action="/answer/")[0]
    pressed = next(button for button in answer.buttons if button.attributes.get("value") == "named:4")
    assert answer.send(table.alice, pressed).status_code == 302, "and answered with one"

    at = f"/c/{table.slug}/contests/start/check/"
    form = Page(table.bob.get(at)).form(action=at)
    sent = form.send(table.bob, **{**form.as_it_opens("By its own form"), "who": str(mara.pk), "difficulty": "2"})
    assert sent.status_code == 302, Page(sent).errors
    table.at = f"/c/{table.slug}/contests/{Contest.objects.get(title='By its own form').pk}/"
    table.propose("Agility", "Speed")
    assert "Mara says: against a difficulty of 2." in table.page(table.alice)
    assert not table.offers(table.bob, "roll") and table.offers(table.alice, "agree")
    table.send(table.alice, "agree")
    assert table.offers(table.bob, "roll")


def test_dw_05_between_scenes_how_hard_it_is_is_marked_as_the_players(
    table: AtTheTable, mara: Character, dice: list[int], alices: Member
) -> None:
    set_setting(mara.campaign, alices, agree=False)
    at = f"/c/{table.slug}/scene/close/"
    assert Page(table.alice.get(at)).form(action=at).send(table.alice, rest="none").status_code == 302
    tray = Page(table.bob.get(f"/c/{table.slug}/")).form(action="/roll/")
    dice[:] = [6, 6, 6, 6, 5, 5, 4]
    stats = [str(mara.traits.get(name=name).pk) for name in ("Agility", "Speed")]
    assert tray.send(table.bob, stats=stats, difficulty="2", what="Over the roofs").status_code == 302
    told = Entry.objects.filter(kind="contest.tray").latest("seq").payload.text
    assert "Mara says: against a difficulty of 2" in told
