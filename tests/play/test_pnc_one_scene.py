"""What a fight of PnC makes of somebody holds for the scene, at every roll and in its next fight, and ends with it."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character, Pool
from play.models import Contest
from tests.html_forms import Form, Page
from tests.play.conftest import state_of
from tests.play.test_pnc_fight_by_page import SIDES, fall, missed
from tests.play.test_pnc_table import campaign, marrow, nell, scene

__all__ = ["campaign", "fall", "marrow", "nell", "scene"]  # fixtures of those tables
pytestmark = pytest.mark.django_db
UNTIL = "until the scene ends"


def fights(as_alice: Client, campaign: Any, **more: Any) -> None:
    """A fight of Nell against Marrow, where nothing else is said."""
    address = f"/c/{campaign.slug}/contests/start/fight/"
    sent = {**SIDES, "title": "The cash box", **more}
    answer = Page(as_alice.get(address)).form(action=address).send(as_alice, **sent)
    assert answer.status_code == 302, Page(answer).errors


def fight() -> Contest:
    return Contest.objects.select_related("campaign").prefetch_related("log").get(kind="pnc.fight", over=False)


def pressed(as_alice: Client, action: str, **values: str) -> None:
    """The GM does something in the fight that goes on."""
    page = Page(as_alice.get(f"/c/{fight().campaign.slug}/contests/{fight().pk}/"))
    answer = page.matching(action=f"/{action}/gm/")[-1].send(as_alice, **values)
    assert answer.status_code == 302, Page(answer).errors


def stands(as_alice: Client, who: Character, standing: str) -> None:
    pressed(as_alice, "stands", who=str(who.pk), standing=standing)


def become(as_alice: Client, who: Character, standing: str) -> None:
    """The GM says in the fight how somebody stands, and ends it."""
    stands(as_alice, who, standing)
    if Contest.objects.filter(kind="pnc.fight", over=False).exists():
        pressed(as_alice, "end")


def tray(client: Client, campaign: Any) -> Form:
    return Page(client.get(reverse("table", args=[campaign.slug]))).form(action="/roll/")


def sheet(client: Client, who: Character) -> str:
    return client.get(reverse("sheet", args=[who.campaign.slug, who.pk])).content.decode()


def close(as_alice: Client, campaign: Any) -> None:
    form = Page(as_alice.get(reverse("close_scene", args=[campaign.slug]))).form(button="End the scene")
    assert form.send(as_alice).status_code == 302
    campaign.refresh_from_db()


def reopen(as_alice: Client, campaign: Any, *people: Character) -> None:
    form = Page(as_alice.get(reverse("open_scene", args=[campaign.slug]))).form(action="/scene/open/")
    name = next(name for name, control in form.controls.items() if str(people[0].pk) in control.offered)
    answer = form.send(as_alice, title="After", **{name: [str(character.pk) for character in people]})
    assert answer.status_code == 302
    campaign.refresh_from_db()


def standing(who: Character) -> str:
    return next(combatant.standing for combatant in state_of(fight()).combatants if combatant.id == str(who.pk))


def test_pn_11_unconscious_is_so_at_every_roll_of_the_scene_and_not_after_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character
) -> None:
    fights(as_alice, campaign)
    become(as_alice, nell, "unconscious")
    for client in (as_alice, as_bob):
        assert f"Nell is unconscious, {UNTIL}." in sheet(client, nell)
    answer = tray(as_bob, campaign).send(as_bob, what="Jump")
    assert answer.status_code == 422 and "Nell is unconscious" in answer.content.decode()
    asking = Page(as_alice.get(reverse("ask_roll", args=[campaign.slug]))).form(action="/ask/")
    assert asking.controls["characters"].opens == []
    assert "), can’t act now" in as_alice.get(asking.at).content.decode()
    answer = asking.send(as_alice, characters=[str(nell.pk)])
    assert answer.status_code == 422 and "Nell is unconscious" in answer.content.decode(), "asked for a roll"
    for kind in ("competition", "opposed", "fight"):
        address = f"/c/{campaign.slug}/contests/start/{kind}/"
        form = Page(as_alice.get(address)).form(action=address)
        seats = {name: "one" if place == 0 or kind == "competition" else "two"
                 for place, name in enumerate(sorted(name for name in form.controls if name.endswith("_side")))}
        answer = form.send(as_alice, **{**form.as_it_opens(), **seats})
        assert answer.status_code == 422 and "Nell is unconscious" in answer.content.decode(), kind
    close(as_alice, campaign)
    told = Entry.objects.filter(kind="scene.close").latest("seq").payload.text
    assert "Nell (unconscious) can act again." in told
    assert UNTIL not in sheet(as_bob, nell) and not Pool.objects.filter(name="unconscious", value__gt=0).exists()
    reopen(as_alice, campaign, nell, marrow)
    assert tray(as_bob, campaign).send(as_bob, what="Jump").status_code == 302
    assert not list(differences(campaign.pk))


def offered(client: Client, contest: Contest, action: str, who: Character | None = None) -> list[Form]:
    page = Page(client.get(f"/c/{contest.campaign.slug}/contests/{contest.pk}/"))
    return page.matching(action=f"/{action}/{who.pk if who else 'gm'}/")


@pytest.mark.parametrize("kind", ["roll", "competition", "opposed"])
def test_pn_11_a_roll_that_was_begun_is_not_made_by_who_falls_unconscious_meanwhile(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character, kind: str
) -> None:
    address, dice = f"/c/{campaign.slug}/contests/start/{kind}/", "defend" if kind == "opposed" else "roll"
    form = Page(as_alice.get(address)).form(action=address)
    hers: dict[str, Any] = {"roll": {"who": str(nell.pk)}, "opposed": {"c0_leads": [], "c1_leads": ["on"]}}
    answer = form.send(as_alice, **{**form.as_it_opens(), **hers.get(kind, {})})
    assert answer.status_code == 302, Page(answer).errors
    begun = Contest.objects.select_related("campaign").get()
    late = offered(as_bob, begun, dice, nell)[0]
    fights(as_alice, campaign)
    become(as_alice, nell, "unconscious")
    assert not offered(as_bob, begun, dice, nell)
    refused = late.send(as_bob, **late.as_it_opens())
    assert refused.status_code == 409 and not Contest.objects.filter(pk=begun.pk, over=True).exists()
    table = as_alice.get(reverse("table", args=[campaign.slug])).content.decode()
    assert "Nell is unconscious, until the scene ends." in table.partition('id="now"')[2].partition("</section>")[0]
    again = Page(as_alice.get(reverse("recover", args=[campaign.slug]))).form(action="/recover/")
    assert again.send(as_alice, characters=[str(nell.pk)]).status_code == 302
    assert offered(as_bob, begun, dice, nell), "brought round they can roll"
    fights(as_alice, campaign)
    become(as_alice, nell, "unconscious")
    ending = offered(as_alice, begun, "end" if kind == "opposed" else "settle")[-1]
    assert ending.send(as_alice, **ending.as_it_opens()).status_code == 302
    assert Contest.objects.get(pk=begun.pk).over and not list(differences(campaign.pk))


@pytest.mark.parametrize("how", ["surrendered", "escaped"])
def test_pn_11_two_fights_and_a_roll_of_a_scene_know_who_is_out_of_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, alices: Any, nell: Character, marrow: Character,
    how: str,
) -> None:
    from tests.play.conftest import character
    from tests.play.test_pdq_one_scene import Evening, present

    dunn = character(campaign, alices, "Dunn", [("feature", "Quick", 1)], npc=True)
    present(Evening(campaign, as_alice, as_bob, {}), dunn)
    sides = {"c0_side": "one", "c1_side": "two", "c2_side": "two"}
    fights(as_alice, campaign, **sides)
    become(as_alice, marrow, how)
    assert tray(as_bob, campaign).send(as_bob, what="Jump").status_code == 302
    fights(as_alice, campaign, **sides)
    assert standing(marrow) == how and standing(dunn) == "fighting", "the second fight of the scene"
    told = Entry.objects.filter(kind="contest.start").latest("seq").payload.text
    assert UNTIL in told and "Marrow" in told
    pressed(as_alice, "end")
    close(as_alice, campaign)
    reopen(as_alice, campaign, nell, marrow)
    fights(as_alice, campaign)
    assert standing(marrow) == "fighting", "with the scene it is over"


def test_pn_11_one_side_alone_is_no_fight_and_the_gm_brings_back(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character
) -> None:
    fights(as_alice, campaign)
    become(as_alice, marrow, "unconscious")
    address = f"/c/{campaign.slug}/contests/start/fight/"
    form = Page(as_alice.get(address)).form(action=address)
    assert form.controls["c1_side"].opens == [""], "who is out is in nothing as the form opens"
    answer = form.send(as_alice, title="Again", c0_side="one", c1_side="two")
    assert answer.status_code == 422 and "Two sides need someone who can fight" in answer.content.decode()
    back = Page(as_alice.get(reverse("recover", args=[campaign.slug]))).form(button="Let those ticked recover")
    assert back.send(as_alice, characters=[str(marrow.pk)]).status_code == 302
    assert "Marrow (unconscious) can act again." in Entry.objects.latest("seq").payload.text
    assert UNTIL not in sheet(as_alice, marrow)
    fights(as_alice, campaign)
    assert standing(marrow) == "fighting"
    assert not list(differences(campaign.pk))


def test_pn_11_in_a_fight_that_goes_on_one_comes_back_there(
    as_alice: Client, campaign: Any, scene: None, alices: Any, as_bob: Client, nell: Character, marrow: Character
) -> None:
    from tests.play.conftest import character
    from tests.play.test_pdq_one_scene import Evening, present

    dunn = character(campaign, alices, "Dunn", [("feature", "Quick", 1)], npc=True)
    present(Evening(campaign, as_alice, as_bob, {}), dunn)
    fights(as_alice, campaign, c0_side="one", c1_side="two", c2_side="two")
    stands(as_alice, dunn, "unconscious")
    back = Page(as_alice.get(reverse("recover", args=[campaign.slug]))).form(button="Let those ticked recover")
    answer = back.send(as_alice, characters=[str(dunn.pk)])
    assert answer.status_code == 422 and "Bring them back there." in answer.content.decode()
    stands(as_alice, dunn, "fighting")
    assert UNTIL not in sheet(as_alice, dunn)


def test_pn_11_the_dead_and_the_wounds_outlive_the_scene(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character
) -> None:
    from characters.models import Trait

    Trait.objects.create(campaign=campaign, character=nell, kind="wound", name="A cut", value=4, place=9)
    fights(as_alice, campaign)
    become(as_alice, marrow, "dead")
    marrow.refresh_from_db()
    assert marrow.dead
    close(as_alice, campaign)
    marrow.refresh_from_db()
    assert marrow.dead and "Marrow is dead." in sheet(as_alice, marrow)
    assert nell.traits.filter(kind="wound").exists()


def test_pn_11_who_left_before_the_scene_ended_is_free_of_it_too(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character
) -> None:
    fights(as_alice, campaign)
    become(as_alice, marrow, "surrendered")
    form = Page(as_alice.get(reverse("presence", args=[campaign.slug]))).form(action="/scene/presence/")
    name = next(name for name, control in form.controls.items() if str(nell.pk) in control.offered)
    assert form.send(as_alice, **{name: [str(nell.pk)]}).status_code == 302
    assert UNTIL in sheet(as_alice, marrow)
    close(as_alice, campaign)
    assert UNTIL not in sheet(as_alice, marrow)
    assert not list(differences(campaign.pk))


def owing(as_alice: Client, as_bob: Client, campaign: Any, nell: Character, marrow: Character, fall: Any,
          what: str) -> None:
    """Nell has thrown a great failure at Marrow, which came to this, and the fight is over."""
    missed(as_alice, as_bob, campaign, nell, marrow, fall)
    pressed(as_alice, "backfire", what=what)
    pressed(as_alice, "end")


def test_pn_06_a_turn_that_is_lost_is_owed_to_the_next_fight_of_the_scene_and_to_none_after_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character, fall: Any
) -> None:
    owing(as_alice, as_bob, campaign, nell, marrow, fall, "turn")
    told = "Nell loses the next turn of a fight in this scene."
    assert told in sheet(as_bob, nell)
    assert told in as_bob.get(reverse("table", args=[campaign.slug])).content.decode(), "by the tray"
    fights(as_alice, campaign)
    page = f"/c/{campaign.slug}/contests/{fight().pk}/"
    assert "Nell loses the next turn." in as_bob.get(page).content.decode()
    fall(5, 4, 4, 4, 15, 3, 3, 3)
    pressed(as_alice, "roll_the_rest")
    if str(nell.pk) not in state_of(fight()).acting:
        pressed(as_alice, "skip", who=str(marrow.pk))
    assert "Nell loses this turn." in Entry.objects.filter(campaign=campaign).latest("seq").payload.text
    assert told not in sheet(as_bob, nell), "it is paid"
    pressed(as_alice, "end")
    owing(as_alice, as_bob, campaign, nell, marrow, fall, "turn")
    close(as_alice, campaign)
    assert told not in sheet(as_bob, nell) and not Pool.objects.filter(name="loses_turn", value__gt=0).exists()
    assert not list(differences(campaign.pk))


def test_pn_06_a_free_attack_is_made_in_the_next_fight_of_the_scene(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character, fall: Any
) -> None:
    owing(as_alice, as_bob, campaign, nell, marrow, fall, "free")
    assert "Marrow has a free attack in the next fight of this scene." in sheet(as_alice, marrow)
    fights(as_alice, campaign)
    fall(5, 4, 4, 4, 15, 3, 3, 3)
    pressed(as_alice, "roll_the_rest")
    [free] = offered(as_alice, fight(), "free_attack", marrow)
    assert free.send(as_alice, words="From behind").status_code == 302
    assert state_of(fight()).attack.target == str(nell.pk)
    assert "free attack" not in sheet(as_alice, marrow)
    assert not list(differences(campaign.pk))
