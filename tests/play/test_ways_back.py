"""Who can't act is led to what brings them back, by the button that stands in the place of Roll; who can help has one
beside them."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from characters.models import Character, Pool, Trait
from play.models import Contest
from tests.browser import moments
from tests.html_forms import Page
from tests.play.conftest import state_of
from tests.play.test_story_cards import seated

pytestmark = pytest.mark.django_db


def on_the_sheet(campaign: Any, who: Character, *lines: tuple[str, str, int], **pools: int) -> None:
    """Lines that came in play, and what is held."""
    gm = campaign.members.get(user__username__startswith="Alice")
    with trail.entry(campaign=campaign, actor=gm, op_id=uuid.uuid4(), kind="character.edit", title="In play") as entry:
        for kind, name, value in lines:
            entry.create(Trait(campaign=entry.campaign, character=who, kind=kind, name=name, value=value, place=90))
        for name, value in pools.items():
            if held := Pool.objects.filter(character=who, name=name).first():
                entry.change(held, value=value)
            else:
                entry.create(Pool(campaign=entry.campaign, character=who, name=name, value=value))


def damaged(campaign: Any, lines: dict[Trait, int]) -> None:
    """So much damage on each of these lines."""
    gm = campaign.members.get(user__username__startswith="Alice")
    with trail.entry(campaign=campaign, actor=gm, op_id=uuid.uuid4(), kind="character.edit", title="Hurt") as entry:
        for line, damage in lines.items():
            entry.change(line, damage=damage)


def of_player(campaign: Any, name: str) -> Character:
    return Character.objects.get(campaign=campaign, player__user__username__startswith=name)


def link(client: Client, address: str, label: str) -> str:
    """Where the link of this label on the page leads."""
    page = client.get(address).content.decode()
    before, _, _ = page.partition(f">{label}<")
    assert before != page, f"no {label}"
    return before.rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")


def test_qw_a6_who_is_dying_is_led_to_the_contest_of_wherewithal_as_it_is_to_be_framed() -> None:
    laid = moments.table("questworlds", {"states": True}, obstacle=False)
    campaign, clients = seated(laid)
    sefa = of_player(campaign, "Bob")
    on_the_sheet(campaign, sefa, ("adversity", "Bleeding", 4))
    at = link(clients["Bob"], laid["address"], "Contest of wherewithal")
    form = Page(clients["Bob"].get(at)).form(action="/start/framed/")
    assert form.controls["obstacle"].opens == ["Bleeding"] and form.controls["who"].opens == [str(sefa.pk)]
    # Whoever is here can save them: the form names what is to be healed.
    heal = link(clients["Dana"], laid["address"], "Heal Bleeding")
    assert Page(clients["Dana"].get(heal)).form(action="/start/framed/").controls["obstacle"].opens == ["Bleeding"]


def test_ps_34_who_is_mostly_dead_is_raised_by_the_act_that_the_button_leads_to() -> None:
    laid = moments.table("pdq_sharp", obstacle=False)
    campaign, clients = seated(laid)
    one, other = of_player(campaign, "Bob"), of_player(campaign, "Dana")
    on_the_sheet(campaign, one, ("fallen", "Mostly dead", 1))
    damaged(campaign, {forte: forte.value + 2 for forte in one.traits.filter(kind="forte")})
    on_the_sheet(campaign, other, style_dice=2)
    own = link(clients["Bob"], laid["address"], "Get up with style dice")
    answer = clients["Bob"].get(own.partition("#")[0])
    assert answer.status_code == 302 and "/contests/" in answer.url
    label = f"Raise {one.name} with style dice"
    at = link(clients["Dana"], laid["address"], label)
    assert at.endswith(f"#offer-raise-{other.pk}")
    there = clients["Dana"].get(at.partition("#")[0]).url
    page = clients["Dana"].get(there).content.decode()
    assert f'id="offer-raise-{other.pk}"' in page
    assert f">{label}<" not in clients["Bob"].get(laid["address"]).content.decode(), "nobody raises themselves twice"


def test_dw_16_a_healing_opens_the_tray_against_what_the_table_of_healing_says() -> None:
    laid = moments.table("danger_world", obstacle=False)
    campaign, clients = seated(laid)
    healer, hurt = of_player(campaign, "Bob"), of_player(campaign, "Dana")
    damaged(campaign, {hurt.traits.get(kind="boxes", name__iexact="stunned"): 2})
    label = f"Heal {hurt.name}: stunned"
    assert label not in clients["Bob"].get(laid["address"]).content.decode(), "only a healer heals"
    on_the_sheet(campaign, healer, ("move", "Healing", 0))
    at = link(clients["Bob"], laid["address"], label)
    form = Page(clients["Bob"].get(at)).form(action="/roll/")
    (chosen,) = form.controls["obstacle"].opens
    stats = [str(stat.pk) for stat in healer.traits.filter(kind="stat")[:2]]
    answer = form.send(clients["Bob"], stats=stats)
    assert answer.status_code == 302, Page(answer).errors
    state = state_of(Contest.objects.select_related("campaign").prefetch_related("log").get(title=label))
    assert (state.who, state.beside, state.move, state.base) == (str(healer.pk), str(hurt.pk), "healing", 4)
    assert state.pool is not None, "the dice fell with it"
    tray = Page(clients["Bob"].get(laid["address"])).form(action="/roll/")
    assert "obstacle" not in tray.controls and chosen, "the next roll is a usual one"


@pytest.mark.parametrize(("system", "kind"), [("pdq", "conflict"), ("pnc", "fight"), ("pdq_sharp", "duel")])
def test_who_is_out_of_a_fight_reads_why_and_what_brings_them_back_before_their_acts(system: str, kind: str) -> None:
    laid = moments.table(system)
    at = f"{laid['address']}contests/{moments.begin(laid['address'], kind)}/"
    clients = moments.TABLES[laid["address"]][1]
    assert "can’t act" not in clients["Bob"].get(at).content.decode()
    why = moments.put_out(laid["address"], "Bob")
    page = clients["Bob"].get(at).content.decode().partition('id="acts">')[2]
    assert page.lstrip().startswith('<section class="result bad"')
    section = page.partition("</section>")[0]
    assert why in section and ('class="button"' in section or "Ask the GM to let me recover" in section)
    for name in ("Alice", "Dana"):
        assert "can’t act" not in clients[name].get(at).content.decode()
