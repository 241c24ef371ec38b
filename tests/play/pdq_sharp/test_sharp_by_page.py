"""What the table agreed on and where damage goes, by the forms of the pages alone (PS-10, PS-30, PS-33, PS-49)."""
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Contest, PendingAllocation
from rules.sheet import Damage, Gain, Spend
from rules.systems.pdq_sharp.chart import POOR
from rules.systems.pdq_sharp.duel.ellipsis import EASIEST
from rules.systems.pdq_sharp.kinds import FORTES
from tests.html_forms import Form, Page
from tests.play.conftest import body, trait
from tests.play.pdq_sharp.conftest import from_line, suffers
from tests.play.test_why_in_contests import told

pytestmark = pytest.mark.django_db


def setting(as_alice: Client, campaign: Any, **changed: str) -> None:
    """Changes settings by their page."""
    at = f"/c/{campaign.slug}/settings/"
    form = Page(as_alice.get(at)).form(action=at)
    assert form.send(as_alice, **{f"setting-{name}": value for name, value in changed.items()}).status_code == 302
    campaign.refresh_from_db()


def duel(client: Client, campaign: Any, ours: Character, theirs: Character, **said: str) -> str:
    """A duel between two is begun by its page; its address."""
    at = f"/c/{campaign.slug}/contests/start/duel/"
    answer = client.get(at)
    sides = {part.side.html_name: "one" if part.name == ours.name else "two" if part.name == theirs.name else ""
             for part in answer.context["form"].parts}
    begun = Page(answer).form(action=at).send(client, title="On the bridge", **sides, **said)
    assert begun.status_code == 302, Page(begun).errors
    return f"/c/{campaign.slug}/contests/{Contest.objects.get(kind='pdq_sharp.duel').pk}/"


def act(client: Client, at: str, action: str, by: Any = "gm") -> Form:
    """The form of an act on a contest's page."""
    return Page(client.get(at)).form(action=f"{at}{action}/{getattr(by, 'pk', by)}/")


def do(client: Client, at: str, action: str, by: Any = "gm", **said: Any) -> None:
    form = act(client, at, action, by)
    chosen = next((button for button in form.buttons if button.attributes.get("name") in said
                   and button.attributes.get("value") == said[button.attributes["name"]]), None)
    if chosen:
        said.pop(chosen.attributes["name"])
    answer = form.send(client, chosen, **said)
    assert answer.status_code == 302, Page(answer).errors


def let_stand(at: str, *clients: Client) -> None:
    """Whoever is asked lets the dice stand, as long as somebody is; where damage lies is left open."""
    while waiting := [(client, form) for client in clients for form in Page(client.get(at)).forms
                      if form.action.startswith(f"{at}stand")
                      and not any(button.attributes.get("value") == EASIEST for button in form.buttons)]:
        client, form = waiting[0]
        assert form.send(client).status_code == 302


def clash(at: str, dice: list[int], alice: Client, bob: Client, ours: Character, theirs: Character, mine: str,
          other: str, *faces: int) -> None:
    """Both divide their dice by their forms, hers fall first; all is let stand."""
    do(alice, at, "stance", theirs, stance=other)
    dice += faces
    do(bob, at, "stance", ours, stance=mine)
    let_stand(at, alice, bob)


def test_ps_49_only_what_the_gm_says_shoots_is_offered_as_what_shoots(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character
) -> None:
    setting(as_alice, campaign, firearms="mod")
    at = duel(as_alice, campaign, perpetua, corvin)
    do(as_alice, at, "engage", perpetua, foes=[str(corvin.pk)])
    assert "firearm" not in act(as_bob, at, "stance", perpetua).controls, "nobody said that anything shoots"
    assert not Page(as_bob.get(at)).matching(action=f"{at}arm/gm/")
    gambler = str(trait(perpetua, "Gambler").pk)
    do(as_alice, at, "arm", which=[f"{perpetua.pk}|{gambler}"])
    assert act(as_bob, at, "stance", perpetua).controls["firearm"].offered == ["", gambler]
    refused = act(as_bob, at, "stance", perpetua).send(as_bob, fortes=[], firearm=gambler)
    assert refused.status_code == 422 and "shoots only where it counts" in " ".join(Page(refused).errors)


def test_ps_49_a_poison_that_kills_is_met_by_a_challenge_from_the_sheet(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, dice: list[int]
) -> None:
    setting(as_alice, campaign, poison="kills")
    page = f"/c/{campaign.slug}/sheet-actions/{perpetua.pk}/"
    assert not Page(as_bob.get(page)).matching(action=f"{page}poison/"), "a player poisons nobody"
    for faces, falls in (([6, 5], False), ([1, 1], True)):  # 11 and 2, and Gambler brings 2, against 11
        dice[:] = faces
        form = Page(as_alice.get(page)).form(action=f"{page}poison/")
        given = {"rank": "2", "type": form.controls["type"].offered[0], "fortes": [str(trait(perpetua, "Gambler").pk)]}
        assert form.send(as_alice, **given).status_code == 302 and not dice, "both dice were thrown"
        assert perpetua.traits.filter(kind="fallen").exists() is falls
    assert not list(differences(campaign.pk))


def test_ps_49_a_poison_that_kills_on_a_blade_asks_for_a_challenge(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int],
) -> None:
    setting(as_alice, campaign, poison="kills")
    at = duel(as_alice, campaign, perpetua, corvin)
    do(as_alice, at, "engage", perpetua, foes=[str(corvin.pk)])
    do(as_alice, at, "envenom", whom=str(corvin.pk), rank="1")
    clash(at, dice, as_alice, as_bob, perpetua, corvin, "all_out_defence", "all_out_attack", 3, 3, 3, 4, 4, 3)
    assert not perpetua.traits.filter(kind="fallen").exists()
    dice += [5, 4]
    do(as_bob, at, "withstand", perpetua)
    assert "withstands the poison" in as_bob.get(at).content.decode() and not dice
    assert not perpetua.traits.filter(kind="fallen").exists()


def test_ps_17_what_is_not_enough_against_a_poison_is_decided_as_all_is_after_the_dice(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int],
) -> None:
    setting(as_alice, campaign, poison="kills")
    at = duel(as_alice, campaign, perpetua, corvin)
    do(as_alice, at, "engage", perpetua, foes=[str(corvin.pk)])
    do(as_alice, at, "envenom", whom=str(corvin.pk), rank="1")
    clash(at, dice, as_alice, as_bob, perpetua, corvin, "all_out_defence", "all_out_attack", 3, 3, 3, 4, 4, 3)
    dice += [1, 1]
    do(as_bob, at, "withstand", perpetua, fortes=[str(trait(perpetua, "Fencing").pk)])
    said = "6 against 9: not enough to withstand the poison."
    for shown in (at, f"/c/{campaign.slug}/"):
        section = Page(as_bob.get(shown)).of_attribute("aria-label", "The poison")
        assert sum(element.has("die") for element in section) == 2 and said in section[0].text
        answers = [element.text for element in section if element.has("answer")]
        assert answers[:2] == ["Let it stand: Perpetua Vane falls to the poison",
                               "Mocking, with Fencing: a die enough: 50%, with more 100%"]
        theirs = Page(as_alice.get(shown))
        assert not theirs.of_attribute("aria-label", "The poison"), "nobody else is asked"
        assert any(said in element.text for element in theirs.of_class("came")), "and all see the dice"
        number, parts = told(as_bob.get(shown).content.decode().partition("why-poison_stand")[2])
        assert number == "6" and parts[:3] == [
            "2 · The dice: 1 and 1 · both count", "+4 · Fencing · on the sheet", "9 · Against the poison · good"]
        assert any(part.startswith("a die, or +1 · Rapier · not counted") for part in parts[3:]), parts
    adds = Page(as_bob.get(at)).form(action=f"/poison_add/{perpetua.pk}/")
    dice += [4]
    added = adds.send(as_bob, next(
        button for button in adds.buttons if button.words.startswith("Rapier, with Fencing: a die")))
    assert added.status_code == 302 and not dice
    assert "9 against 9: Perpetua Vane withstands the poison" in as_bob.get(at).content.decode()


def in_the_way(page: Page) -> Iterator[str]:
    """What a page offers as something to roll against."""
    for form in page.forms:
        for control in form.controls.values():
            if control.type != "hidden":
                yield from (value for value in control.offered if value.startswith("line:"))
        yield from (button.attributes.get("value", "") for button in form.buttons
                    if button.attributes.get("value", "").startswith("line:"))


def test_ps_10_no_idiom_and_no_story_hook_stands_in_anybodys_way(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character
) -> None:
    suffers(campaign, Gain(str(corvin.pk), "hook", "A brother in the galleys", 1),
            Gain(str(corvin.pk), "technique", "Idiom: Sneering", 1))
    offered = {said.removeprefix("line:") for client in (as_alice, as_bob)
               for said in in_the_way(Page(client.get(f"/c/{campaign.slug}/")))}
    kinds = set(Trait.objects.filter(pk__in=offered).values_list("kind", flat=True))
    assert kinds and kinds <= set(FORTES)
    matrix = as_alice.get(f"/c/{campaign.slug}/matrix/").content.decode()
    assert "A brother in the galleys" not in matrix and "Sneering" not in matrix


def test_ps_30_where_it_hurts_least_keeps_the_forte_that_counts_for_a_player_and_for_a_villain(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    rochefort = from_line(campaign, alices, "Rochefort, villain, Fencing master, Riding good, Letters good, Law good, "
                                            "Cards good, Dancing good", npc=True)
    scene = f"/c/{campaign.slug}/scene/presence/"
    here = [str(perpetua.pk), str(rochefort.pk)]
    assert as_alice.post(scene, body(characters=here)).status_code == 302
    at = duel(as_alice, campaign, perpetua, rochefort)
    do(as_alice, at, "engage", rochefort, foes=[str(perpetua.pk)])
    fencing, hers = trait(rochefort, "Fencing"), trait(perpetua, "Fencing")
    theirs = act(as_alice, at, "stance", rochefort)
    do(as_alice, at, "stance", rochefort, stance="all_out_attack",
       fortes=[str(fencing.pk)] if theirs.controls["fortes"].several else str(fencing.pk))
    dice += [4, 2, 1, 5, 4, 4]  # his first, who has initiative
    do(as_bob, at, "stance", perpetua, stance="all_out_attack", fortes=[str(hers.pk)])
    let_stand(at, as_alice, as_bob)
    placing = act(as_bob, at, "place", perpetua)
    do(as_alice, at, "place_npcs")
    fencing.refresh_from_db()
    lost = {line.name: line.damage for line in rochefort.traits.filter(damage__gt=0)}
    assert not fencing.damage and sum(lost.values()) > 4, lost
    assert placing.send(as_bob).status_code == 302, "as it opens"
    hers.refresh_from_db()
    assert not hers.damage and sum(line.damage for line in perpetua.traits.all()) > 4


def test_ps_30_a_duel_of_words_leaves_what_words_leave(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int],
) -> None:
    at = duel(as_alice, campaign, perpetua, corvin, conflict="social")
    do(as_alice, at, "engage", perpetua, foes=[str(corvin.pk)])
    clash(at, dice, as_alice, as_bob, perpetua, corvin, "all_out_attack", "all_out_defence", 6, 6, 6, 1, 1, 1)
    do(as_alice, at, "place_npcs")
    hurt = corvin.traits.filter(damage__gt=0)
    assert hurt and all(line.failures == line.damage for line in hurt), "failure ranks, no wounds"
    left = [line for line in corvin.traits.filter(kind__in=FORTES) if line.value - line.damage >= POOR]
    suffers(campaign, *(Damage(str(line.pk), line.value - line.damage - POOR + 1) for line in left[1:]))
    clash(at, dice, as_alice, as_bob, perpetua, corvin, "all_out_attack", "all_out_attack", 6, 6, 6, 1, 1, 1)
    do(as_alice, at, "place_npcs")
    assert "social pariah" in as_bob.get(at).content.decode().lower()
    assert not any(line.name == "Mostly dead" for line in corvin.traits.filter(kind="fallen"))


def test_ps_33_seven_ranks_of_seven_come_back_with_one_tap_after_the_dice(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, dice: list[int]
) -> None:
    spread = {"Gambler": 2, "Repartee": 2, "Acrobatics": 2, "Ropewalker": 1}
    suffers(campaign, *(Damage(str(trait(perpetua, name).pk), ranks) for name, ranks in spread.items()))
    closing = Page(as_alice.get(f"/c/{campaign.slug}/scene/close/"))
    assert closing.form(action="scene/close/").send(as_alice).status_code == 302
    dice += [4, 3]
    owed = f"/c/{campaign.slug}/to-place/{PendingAllocation.objects.get(settled=False).pk}/"
    rolled = Page(as_bob.get(owed)).form(action=owed).send(as_bob)
    page = as_bob.get(rolled["Location"])
    form = Page(page).form(action=rolled["Location"])
    assert [button.words for button in form.buttons] and form.send(as_bob).status_code == 302
    assert not any(line.damage for line in perpetua.traits.all()) and not list(differences(campaign.pk))


def test_ps_27_before_a_feint_stands_the_page_says_what_it_leaves_and_no_ranks(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int],
) -> None:
    at = duel(as_alice, campaign, perpetua, corvin)
    do(as_alice, at, "engage", perpetua, foes=[str(corvin.pk)])
    do(as_alice, at, "stance", corvin, stance="all_out_defence")
    dice += [6, 6, 4, 1, 1, 1]  # 16 against 7
    do(as_bob, at, "stance", perpetua, stance="strong_attack", tweak="feint")
    for client in (as_alice, as_bob):
        page = client.get(at).content.decode()
        assert "+9" in page and "touches for 9" not in page
    let_stand(at, as_alice, as_bob)
    assert not corvin.traits.filter(damage__gt=0).exists()


def test_ps_34_who_is_mostly_dead_reads_what_raises_them_with_its_button_in_place_of_a_roll(
    as_bob: Client, campaign: Any, session: None, perpetua: Character
) -> None:
    left = perpetua.traits.filter(kind__in=FORTES)
    suffers(campaign, *(Damage(str(line.pk), line.value - POOR + 1) for line in left),
            Gain(str(perpetua.pk), "fallen", "Mostly dead", 1), Spend(str(perpetua.pk), "style_dice", 1))
    tray = as_bob.get(f"/c/{campaign.slug}/?character={perpetua.pk}").content.decode().partition('id="forecast"')[2]
    tray = tray.partition("</form>")[0]
    raising = re.search('href="([^"]+)">Get up with style dice<', tray)
    assert "mostly dead" in tray and raising and '<button class="primary"' not in tray
    there = Page(as_bob.get(raising[1], follow=True))
    assert there.matching(action=f"/raise/{perpetua.pk}/")


def test_ps_34_who_has_one_forte_back_of_several_starts_no_challenge_yet(
    as_bob: Client, campaign: Any, session: None, perpetua: Character
) -> None:
    low, *lower = perpetua.traits.filter(kind__in=FORTES)
    suffers(campaign, Damage(str(low.pk), low.value - POOR),
            *(Damage(str(line.pk), line.value - POOR + 1) for line in lower),
            Gain(str(perpetua.pk), "fallen", "Mostly dead", 1))
    at = f"/c/{campaign.slug}/contests/start/challenge/"
    form = Page(as_bob.get(at)).form(action=at)
    refused = form.send(as_bob, **{**form.as_it_opens(), "who": str(perpetua.pk)} if "who" in form.controls else {})
    assert refused.status_code == 422
    assert "Perpetua Vane can’t do anything now. Choose someone else." in refused.content.decode()
