"""Danger World’s rules where a person meets them: what a page shows is filled in and sent, and nothing besides."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from characters.models import Character, Trait
from play.models import Contest, Scene, SharedPool
from tests import laid
from tests.html_forms import Button, Form, Page
from tests.play.conftest import body
from tests.play.danger_world.checks import words

pytestmark = pytest.mark.django_db


class AtTheTable:
    """Bob and Alice at the pages of one check. `presses` counts what was sent and what was opened to begin."""

    def __init__(self, mara: Character, bob: Client, alice: Client) -> None:
        self.mara, self.bob, self.alice, self.presses = mara, bob, alice, 0
        self.slug, self.at = mara.campaign.slug, ""

    def start(self, **values: Any) -> None:
        address = f"/c/{self.slug}/contests/start/check/"
        form = Page(self.bob.get(address)).form(action=address)
        answer = form.send(self.bob, **{**form.as_it_opens("Over the fish hall"), "who": str(self.mara.pk), **values})
        assert answer.status_code == 302, Page(answer).errors
        self.presses += 2
        self.at = f"/c/{self.slug}/contests/{Contest.objects.latest('pk').pk}/" if Contest.objects.count() == 1 else (
            f"/c/{self.slug}/contests/{Contest.objects.get(over=False).pk}/")

    def page(self, client: Client) -> str:
        return words(client.get(self.at).content.decode())

    def forms(self, client: Client, action: str) -> list[Form]:
        who = "gm" if client is self.alice else self.mara.pk
        return Page(client.get(self.at)).matching(action=f"{self.at}{action}/{who}/")

    def form(self, client: Client, action: str) -> Form:
        """The one of the page itself; what waits for somebody stands above it, too."""
        return self.forms(client, action)[-1]

    def offers(self, client: Client, action: str) -> bool:
        return bool(self.forms(client, action))

    def send(self, client: Client, action: str, button: Button | None = None, **values: Any) -> None:
        form = self.form(client, action)
        answer = form.send(client, button, **values)
        assert answer.status_code == 302, Page(answer).errors
        self.presses += client is self.bob

    def propose(self, *stats: str, **values: Any) -> None:
        chosen = [str(self.mara.traits.get(name=name).pk) for name in stats]
        self.send(self.bob, "propose", stats=chosen, **values)

    def keep(self, height: int) -> None:
        """Presses the button under the dice that keeps them all and uses this set."""
        ((form, button),) = [(form, button) for form in self.forms(self.bob, "stand") for button in form.buttons
                             if button.attributes.get("value") == str(height)]
        assert form.send(self.bob, button).status_code == 302
        self.presses += 1


MARKED = "Mark as dead"


def fills(alice: Client, mara: Character, box: str) -> None:
    """The GM fills one of the last two boxes from the sheet, or says there that its character is dead."""
    sheet = Page(alice.get(f"/c/{mara.campaign.slug}/characters/{mara.pk}/"))
    if box == MARKED:
        assert sheet.form(button=MARKED).send(alice).status_code == 302
        return
    form, button = next(
        (form, button) for form in sheet.matching(action="/last_box/" if box == "Dead" else "/fill/")
        for button in form.buttons if box == "Dead" or button.attributes["aria-label"].startswith(box))
    assert form.send(alice, button).status_code == 302
    assert mara.traits.get(name=box).damage == 1


@laid.fixture
def table(mara: Character, as_bob: Client, as_alice: Client, session: None) -> AtTheTable:
    return AtTheTable(mara, as_bob, as_alice)


def gains(mara: Character, kind: str, name: str, value: int) -> Trait:
    return Trait.objects.create(campaign=mara.campaign, character=mara, kind=kind, name=name, value=value, place=90)


def test_dw_03_threat_dice_alone_leave_nothing_to_press(table: AtTheTable, mara: Character, dice: list[int]) -> None:
    mara.traits.filter(name__in=("Stunned", "Bashed")).update(damage=3)
    table.start(difficulty="2")
    table.propose("Reasoning", "Charisma")
    table.send(table.alice, "agree")
    dice[:] = [1, 5, 5]
    table.send(table.bob, "roll")
    page = table.page(table.bob)
    assert "Tick the dice" not in page and not table.offers(table.bob, "reroll")
    assert "Waiting for the GM: spend " in page
    assert table.offers(table.alice, "pay")


def test_dw_07_a_setback_is_cleared_by_a_check_of_its_height(
    table: AtTheTable, mara: Character, dice: list[int]
) -> None:
    setback = gains(mara, "setback", "Trapped in the yard", 4)
    table.start(difficulty="2")
    table.propose("Agility", "Speed", undoes=str(setback.pk))
    table.send(table.alice, "agree")
    assert "Difficulty 4, significant" in table.page(table.bob)
    dice[:] = [3, 3, 3, 6, 6, 6, 5]
    table.send(table.bob, "roll")
    table.keep(3)
    assert mara.traits.filter(name="Trapped in the yard").exists(), "height 3 is not enough"
    table.start(difficulty="2")
    table.propose("Agility", "Speed", undoes=str(setback.pk))
    table.send(table.alice, "agree")
    dice[:] = [4, 4, 4, 4, 6, 6, 5]
    table.send(table.bob, "roll")
    table.keep(4)
    assert not mara.traits.filter(name="Trapped in the yard").exists()


def test_dw_09_keywords_help_and_hinder_as_the_gm_ticks_them(table: AtTheTable) -> None:
    table.start(difficulty="3", keywords="dark, loud, wet")
    rate = table.form(table.alice, "rate")
    assert rate.controls["helps"].offered == ["dark", "loud", "wet"]
    table.send(table.alice, "rate", difficulty="3", helps=["dark"])
    page = table.page(table.bob)
    assert "Difficulty 2, minor" in page and "dark helps: one lower." in page
    table.send(table.alice, "rate", difficulty="3", helps=[], hinders=["loud", "wet"])
    page = table.page(table.bob)
    assert "Difficulty 5, major" in page and "one is the most there should be" in page
    refused = table.form(table.alice, "rate").send(table.alice, difficulty="3", helps=["dark"], hinders=["dark"])
    assert refused.status_code == 422 and "dark can’t help and hinder at once. Choose one." in Page(refused).errors


def test_dw_10_the_gm_pays_for_the_dark_side_and_the_player_gets_the_points(
    table: AtTheTable, mara: Character, dice: list[int]
) -> None:
    SharedPool.objects.update_or_create(campaign=mara.campaign, name="general", defaults={"value": 2})
    held = mara.pools.get(name="points").value
    table.start(difficulty="3")
    debt = str(mara.traits.get(name="In debt").pk)
    assert table.form(table.alice, "dark_side").controls["aspect"].accepts([debt])
    table.send(table.alice, "dark_side", aspect=debt, number="2")
    assert mara.pools.get(name="points").value == held + 2
    assert SharedPool.objects.get(campaign=mara.campaign, name="general").value == 0
    assert not table.offers(table.alice, "dark_side"), "the pool is empty"
    table.propose("Agility", "Speed")
    table.send(table.alice, "agree")
    assert "+2 The dark side of In debt threat dice DW-02" in table.page(table.bob)
    dice[:] = [1] * 9
    table.send(table.bob, "roll")
    assert len(dice) == 0, "seven of one’s own and two threat dice fell"


def test_dw_14_the_last_box_is_the_gms(as_bob: Client, as_alice: Client, mara: Character) -> None:
    mara.traits.filter(name="Dead").update(damage=1)
    at, deeds = f"/c/{mara.campaign.slug}/characters/{mara.pk}/", f"/c/{mara.campaign.slug}/sheet-actions/{mara.pk}/"
    page = as_bob.get(at)
    assert "Only your GM fills or clears this box." in words(page.content.decode())
    shown = [*Page(page).forms, *Page(as_bob.get(deeds)).forms]
    assert not [form for form in shown if form.controls.get("zone") and "5" in (
        *form.controls["zone"].offered, *form.controls["zone"].opens)]
    before = Entry.objects.count()
    for action, values in (("open", {"zone": "5"}), ("last_box", {})):
        as_bob.post(f"{deeds}{action}/", body(client_seed="ab" * 32, **values))
    assert Entry.objects.count() == before and mara.traits.get(name="Dead").damage == 1
    assert Page(as_alice.get(at)).form(action="/last_box/").send(as_alice).status_code == 302
    assert mara.traits.get(name="Dead").damage == 0


def test_dw_15_what_stays_is_written_on_the_sheet(as_bob: Client, mara: Character) -> None:
    gains(mara, "act", "The pact of the divers", 1)
    gains(mara, "act", "The lost brother", -2)
    gains(mara, "lasting", "A hand that shakes", 2)
    page = words(as_bob.get(f"/c/{mara.campaign.slug}/characters/{mara.pk}/").content.decode())
    assert "A hand that shakes" in page and "temporary injury" in page.casefold()
    assert "Gains and losses in the story:" in page


def test_dw_16_healing_takes_six_presses_at_most(
    table: AtTheTable, mara: Character, tamsin: Character, dice: list[int]
) -> None:
    table.start(difficulty="3", move="healing", beside=str(tamsin.pk))
    table.propose("Agility", "Speed")
    table.send(table.alice, "agree")
    dice[:] = [3, 3, 3, 6, 6, 6, 5]
    table.send(table.bob, "roll")
    table.keep(3)
    assert tamsin.traits.get(name="Bashed").damage == 0
    assert table.presses <= 6
    assert not table.offers(table.bob, "heal")


def test_dw_17_the_page_ticks_what_spares_botches_once_it_is_accomplished(
    table: AtTheTable, dice: list[int]
) -> None:
    table.start(difficulty="3")
    table.propose("Agility", "Speed")
    table.send(table.alice, "agree")
    dice[:] = [5, 3, 3, 5, 3, 4, 2]
    table.send(table.bob, "roll")
    reroll = table.form(table.bob, "reroll")
    assert reroll.controls["dice"].opens == ["6"], "the 2 alone"
    came, *within = Page(table.bob.get(table.at)).of_attribute("aria-label", "Choose dice to roll again")
    assert came.has("came") and sum(element.has("die") for element in within) == 7
    assert came.text.startswith("Height 3 as the dice lie: accomplished; 1 botch.")
    page = table.page(table.bob)
    assert "Spare botches, roll 2 again: 100% to accomplish it" in page and "Reach higher, roll" in page


def test_dw_14_who_is_out_is_not_offered_and_not_asked(table: AtTheTable, mara: Character) -> None:
    table.start(difficulty="3")
    mara.traits.filter(name="Knocked out").update(damage=1)
    assert not table.offers(table.bob, "propose")
    assert "choose your dice" not in words(table.bob.get(f"/c/{table.slug}/now/").content.decode())


@pytest.mark.parametrize("box", ["Knocked out", "Dead", MARKED])
def test_dw_14_who_is_out_keeps_the_dice_that_lie_and_rolls_none_again(
    table: AtTheTable, mara: Character, dice: list[int], box: str
) -> None:
    table.start(difficulty="3")
    table.propose("Agility", "Speed")
    table.send(table.alice, "agree")
    dice[:] = [3, 3, 3, 4, 5, 6, 6]
    table.send(table.bob, "roll")
    before = table.form(table.bob, "reroll")
    fills(table.alice, mara, box)
    assert not table.offers(table.bob, "reroll")
    page = table.page(table.bob)
    assert "Tick the dice" not in page
    assert "Keep the marked dice" not in page
    assert "roll some again" not in page
    assert before.send(table.bob, dice=["3"]).status_code != 302
    table.keep(3)
    assert "Height 3: accomplished" in table.page(table.bob)


def test_dw_14_nobody_marked_as_dead_puts_a_pool_together(table: AtTheTable, mara: Character) -> None:
    table.start(difficulty="3")
    assert table.offers(table.bob, "propose")
    fills(table.alice, mara, MARKED)
    assert not table.offers(table.bob, "propose")
    assert "choose your dice" not in words(table.bob.get(f"/c/{table.slug}/now/").content.decode())


def test_who_is_retired_is_not_offered(table: AtTheTable, mara: Character, tamsin: Character) -> None:
    address = f"/c/{table.slug}/contests/start/check/"
    assert str(tamsin.pk) in Page(table.bob.get(address)).form(action=address).controls["beside"].offered
    Character.objects.filter(pk__in=[mara.pk, tamsin.pk]).update(retired=True)
    form = Page(table.alice.get(address)).matching(action=address)
    offered = [value for shown in form for name in ("who", "beside") if name in shown.controls
               for value in shown.controls[name].offered]
    assert not {str(mara.pk), str(tamsin.pk)} & {*offered}


@pytest.mark.parametrize("rest", ["none", "episode"])
def test_a_scene_asks_before_it_closes_over_an_open_check(table: AtTheTable, rest: str) -> None:
    table.start(difficulty="3")
    at = f"/c/{table.slug}/scene/close/"
    page = table.alice.get(at)
    assert f'href="{table.at}"' in page.content.decode()
    form = Page(page).form(action=at)
    answer = form.send(table.alice, rest=rest)
    assert answer.status_code == 422 and Scene.objects.get().closed is None
    assert any("Unfinished: Over the fish hall." in error for error in Page(answer).errors)
    assert f'href="{table.at}"' in answer.content.decode()
    assert Page(answer).form(action=at).controls["rest"].opens == [rest], "what was said is still there"
    assert form.send(table.alice, rest=rest, anyway="on").status_code == 302
    assert Scene.objects.get().closed


def test_a_planned_scene_asks_too(table: AtTheTable, alices: Any) -> None:
    from play.models import PlanScene
    from play.services import plan

    plan.write_plan(campaign=table.mara.campaign, actor=alices, op_id=uuid.uuid4(), title="Tonight")
    plan.write_scene(campaign=table.mara.campaign, actor=alices, op_id=uuid.uuid4(), title="The roofs")
    table.start(difficulty="3")
    at = f"/c/{table.slug}/prepare/plan/scenes/{PlanScene.objects.get().pk}/open/"
    form = Page(table.alice.get(at)).form(action=at)
    assert form.send(table.alice).status_code == 422
    assert form.send(table.alice, anyway="on").status_code == 302
