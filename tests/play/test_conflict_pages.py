"""What a conflict of PDQ says on its pages, and what it leaves behind (PQ-11 to PQ-20)."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.models import Entry
from campaigns.trail.dice import Roll
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest, Scene
from play.services import sessions
from rules.codec import canonical
from tests import laid
from tests.play.conftest import body, character, trait
from tests.play.test_conflict import act, at, begin, offered, state, wound
from tests.play.tray_page import who_rolls

pytestmark = pytest.mark.django_db


def with_settings_of(campaign: Any, **settings: Any) -> None:
    said = {**json.loads(campaign.settings_json or "{}"), **settings}
    op_id = uuid.uuid4()
    with trail.entry(campaign=campaign, actor=None, op_id=op_id, kind="campaign.settings", title="Settings") as one:
        one.change(one.campaign, settings_json=canonical(said))
    campaign.refresh_from_db()


def sheet_page(client: Client, character: Any) -> str:
    return client.get(reverse("sheet", args=[character.campaign.slug, character.pk])).content.decode()


def page(client: Client) -> str:
    return client.get(at()).content.decode()


def hurt(character: Any, name: str, damage: int) -> None:
    """Damage by an entry, as anything that changes a sheet."""
    campaign = character.campaign
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="due.place", title="Hurt") as entry:
        entry.change(trait(character, name), damage=damage)


@laid.fixture
def fight(as_alice: Client, campaign: Any, scene: Any) -> Contest:
    assert begin(as_alice, campaign).status_code == 302
    return Contest.objects.get()


@laid.fixture
def ilse_stands(as_alice: Client, as_bob: Client, fight: Contest, ilse: Any, marrow: Any) -> Contest:
    """Old Marrow is out of action, and hurt."""
    hurt(marrow, "Grudges", 2)
    sent = body(who=str(marrow.pk), words="The rafters come down")
    assert as_alice.post(f"{at()}take_out/gm/", sent).status_code == 302
    return fight


def test_pq_17_the_last_foe_is_spared_or_killed(
    as_alice: Client, as_bob: Client, campaign: Any, ilse_stands: Contest, ilse: Any, marrow: Any
) -> None:
    assert offered(as_bob) == {"end_here", "kill"}
    html = page(as_bob)
    assert "One side is left" in html and "Your turn: end it here, or kill who is out of action." in html
    assert "Nobody but the party is still standing." in html
    assert act(as_bob, ilse, "kill", target=str(marrow.pk)).status_code == 302
    assert not Contest.objects.get().over, "it is the GM’s to say"
    assert act(as_alice, None, "rule_kill", answer="yes").status_code == 302
    assert Contest.objects.get().over
    assert not list(differences(campaign.pk))


def test_pq_17_the_dead_stay_dead_until_the_gm_brings_them_back(
    as_alice: Client, as_bob: Client, campaign: Any, ilse_stands: Contest, ilse: Any, marrow: Any
) -> None:
    act(as_bob, ilse, "kill", target=str(marrow.pk))
    act(as_alice, None, "rule_kill", answer="yes")
    assert "Old Marrow is dead." in sheet_page(as_bob, marrow)
    as_alice.post(f"/c/{campaign.slug}/scene/close/", body(danger="momentary"))
    assert trait(marrow, "Grudges").damage == 2, "the dead do not recover"
    closing = Entry.objects.get(kind="scene.close").payload.text
    assert "Old Marrow is dead and does not recover." in closing
    address = reverse("set_dead", args=[campaign.slug, marrow.pk])
    assert as_bob.post(address, body(revive="1")).status_code == 404
    assert as_alice.post(address, body(revive="1")).status_code == 302
    assert not Character.objects.get(pk=marrow.pk).dead
    assert Entry.objects.get(kind="character.revive").actor is not None
    assert "Mark as dead" in sheet_page(as_alice, marrow) and "is dead" not in sheet_page(as_bob, marrow)
    assert not list(differences(campaign.pk))


def test_pq_17_the_dead_are_not_rolled_for_and_enter_no_conflict(
    as_alice: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    as_alice.post(reverse("set_dead", args=[campaign.slug, marrow.pk]), body())
    form = as_alice.get(f"/c/{campaign.slug}/contests/start/conflict/").context["form"]
    assert "Old Marrow" not in [part.name for part in form.parts], "they are not offered"
    assert begin(as_alice, campaign).status_code == 422, "nor taken, from a page of before"
    rolled = as_alice.post(f"/c/{campaign.slug}/roll/", body(character=str(marrow.pk), difficulty="average"))
    assert rolled.status_code == 422


def test_pq_16_who_is_out_is_not_rolled_for_without_a_word(
    as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    hurt(ilse, "Knife", 3)
    said = "Ilse is out of action until the scene ends: Knife fell below Poor."
    before = Entry.objects.count()
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", body(character=str(ilse.pk), difficulty="average"))
    assert answer.status_code == 422 and said in answer.content.decode()
    assert said in as_bob.get(reverse("table", args=[campaign.slug])).content.decode(), "before one presses"
    assert said in sheet_page(as_bob, ilse)
    assert Entry.objects.count() == before


def test_pq_16_a_gms_tray_opens_with_an_npc_who_can_act(
    as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    zora = character(campaign, alices, "Zora", [("strength", "Knots", 1)], npc=True)
    sessions.set_presence(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[ilse.pk, marrow.pk, zora.pk])
    assert who_rolls(as_alice, campaign) == str(marrow.pk)
    hurt(marrow, "Club", 3)
    assert who_rolls(as_alice, campaign) == str(zora.pk)


def test_pq_16_who_is_out_does_not_begin_a_conflict_as_if_whole(
    as_alice: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    hurt(ilse, "Knife", 3)
    form = as_alice.get(f"/c/{campaign.slug}/contests/start/conflict/").context["form"]
    said = {form[f"c{row}_side"].initial: form[f"c{row}_side"].help_text for row in (0, 1)}
    assert said == {"": "Ilse is out of action until the scene ends: Knife fell below Poor. "
                        "The GM can let them recover sooner, with “Recover again”.", "two": ""}
    answer = begin(as_alice, campaign)
    assert answer.status_code == 422
    assert "Ilse is out of action until the scene ends" in answer.content.decode()


@pytest.mark.parametrize("danger", ["momentary", "continuing"])
def test_pq_18_the_danger_of_the_conflict_stands_at_the_scenes_end(
    as_alice: Client, campaign: Any, scene: Any, ilse: Any, danger: str
) -> None:
    begin(as_alice, campaign, danger=danger)
    act(as_alice, None, "end")
    form = as_alice.get(f"/c/{campaign.slug}/scene/close/").context["form"]
    assert form["danger"].initial == danger


@pytest.mark.parametrize(("harm", "words"), [("failure", "failure rank"), ("damage", "wound")])
def test_pq_17_what_damage_means_shows_wherever_there_is_damage(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any, harm: str, words: str
) -> None:
    begin(as_alice, campaign, harm=harm, danger="continuing")
    amount = wound(as_alice, as_bob, ilse, marrow)
    assert f"Old Marrow has {amount} {words}" in page(as_bob)
    lose = min(amount, 4)
    rest = min(amount - lose, 3)
    assert act(as_alice, marrow, "take_damage", spread_0=str(lose), spread_1=str(rest)).status_code == 302
    grudges = trait(marrow, "Grudges")
    assert (grudges.damage, grudges.failures) == (lose, lose if harm == "failure" else 0)
    said = f"{lose} {words}{'s' * (lose > 1)}"
    assert said in page(as_bob) and said in sheet_page(as_bob, marrow)
    if not Contest.objects.get().over:
        act(as_alice, None, "end")
    as_alice.post(f"/c/{campaign.slug}/scene/close/", body(danger="continuing"))
    assert f"{words}" in Entry.objects.get(kind="scene.close").payload.text
    assert not list(differences(campaign.pk))


def test_pq_11_no_free_round_is_spoken_of_where_none_was_chosen(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    with_settings_of(campaign, killing="asked")
    begin(as_alice, campaign)
    html = page(as_bob)
    assert "free round" not in html.lower() and "Before round 1" in html
    assert "Your turn: say whether to kill." in html
    assert "Waiting for Ilse: say whether to kill." in page(as_alice)


def test_pq_12_an_attack_that_fails_by_downshift_says_so_with_its_working(
    as_bob: Client, fight: Contest, ilse: Any, marrow: Any
) -> None:
    dark = {"lines_0_kind": "downshift", "lines_0_amount": "4", "lines_0_reason": "In the dark"}
    act(as_bob, ilse, "attack", targets=[str(marrow.pk)], qualities=[str(trait(ilse, "Knife").pk)], **dark)
    html = page(as_bob)
    assert "The attack fails: a downshift goes below Poor, and nobody rolls." in html
    assert "4 downshifts for “In the dark”" in html, "the working stands beside it"
    assert "The dice have not fallen yet" not in html


def test_pq_12_an_attack_that_waits_looks_different_from_one_that_is_over(
    as_alice: Client, as_bob: Client, fight: Contest, ilse: Any, marrow: Any
) -> None:
    act(as_bob, ilse, "attack", targets=[str(marrow.pk)], words="From behind the door")
    html = page(as_bob)
    assert "The dice have not fallen yet" in html and "Old Marrow can still react." in html
    assert "Declared. The dice fall when" in html
    assert "Waiting for the GM: react to Ilse." in html
    assert "Your turn for Old Marrow: react to Ilse." in page(as_alice)
    act(as_alice, marrow, "defend")
    assert "The dice have not fallen yet" not in page(as_bob)


def test_pq_13_on_the_table_the_card_shows_what_the_last_dice_did(
    as_alice: Client, as_bob: Client, campaign: Any, fight: Contest, ilse: Any, marrow: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coming = [6, 6, 1, 1]
    monkeypatch.setattr(Roll, "roll", lambda self, sides: [coming.pop(0) for _ in sides])

    def last() -> str:
        card = as_bob.get(f"/c/{campaign.slug}/").content.decode().partition('<div id="contests"')[2]
        return card.partition('aria-label="Latest"')[2].partition("</ol>")[0]

    assert act(as_bob, ilse, "attack", targets=[str(marrow.pk)]).status_code == 302
    assert last() == "", "that an attack waits is said once"
    assert act(as_alice, marrow, "defend").status_code == 302
    assert '<p class="sentence">Ilse attacks Old Marrow: Old Marrow takes ' in last(), "its title is what came of it"
    assert "reacts" not in last() and " against " in last() and 'class="dice' in last()
    ledger = as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()
    assert "Ilse attacks Old Marrow: " in ledger and "Old Marrow reacts" not in ledger


def test_pq_12_one_target_is_chosen_already_and_none_is_asked_for(as_bob: Client, fight: Contest, ilse: Any) -> None:
    (form,) = [act for act in as_bob.get(at()).context["acts"] if act.offer.action == "attack"]
    assert form["targets"].initial == [form.offer.options["targets"][0][0]]
    assert 'checked' in str(form["targets"])
    answer = act(as_bob, ilse, "attack")
    assert answer.status_code == 422 and "Choose a target." in answer.content.decode()


def test_pq_13_a_quality_that_would_count_0_says_so_beside_the_choice(
    as_alice: Client, as_bob: Client, fight: Contest, ilse: Any, marrow: Any
) -> None:
    act(as_bob, ilse, "pass", strategy="flip_out")
    act(as_alice, marrow, "attack", targets=[str(ilse.pk)])
    html = page(as_bob)
    assert "In debt, Poor [−2]; if it is all you use, it counts 0 and the whole attack hits" in html
    assert "Knife, Good [+2]; if" not in html
    sent = body(qualities=[str(trait(ilse, "In debt").pk)])
    odds = as_bob.post(f"{at()}defend/{ilse.pk}/odds/", sent, headers={"HX-Request": "true"}).content.decode()
    assert "The reaction counts 0 and the whole attack hits" in odds


def test_pq_16_placing_damage_says_what_it_does_before_one_presses(
    as_alice: Client, as_bob: Client, fight: Contest, ilse: Any, marrow: Any
) -> None:
    amount = wound(as_alice, as_bob, ilse, marrow)
    html = page(as_alice)
    assert "Grudges, Expert [+4]: 4 here is out of action" in html
    assert ("wherever you assign it" in html) == (amount > 5)
    sent = body(spread_0="4")
    said = as_alice.post(f"{at()}take_damage/{marrow.pk}/odds/", sent, headers={"HX-Request": "true"}).content.decode()
    assert "This takes Old Marrow out of action" in said


def test_pq_20_nobody_is_in_reach_and_why_is_said(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    with_settings_of(campaign, ranges=True)
    begin(as_alice, campaign, c0_position="0", c1_position="70")
    html = page(as_bob)
    assert "disabled>Ilse: Attack</button> Nobody is in reach: Old Marrow is 70 yards away" in html
    assert "attack" not in offered(as_bob)
    answer = act(as_bob, ilse, "move", to="90")
    assert answer.status_code == 422 and state().contestant(str(ilse.pk)).position == 0


def test_pq_20_the_ruling_stands_where_people_meet_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    with_settings_of(campaign, ranges=True)
    begin(as_alice, campaign, c0_position="0", c1_position="7")
    html = page(as_bob).replace("&#x27;", "’")
    assert "1 yard and the sum of the modifiers, half of what a round has" in html


def test_pq_18_what_recovers_is_said_in_its_kind(
    as_alice: Client, as_bob: Client, campaign: Any, fight: Contest, scene: Any, ilse: Any
) -> None:
    """What was lost for now comes back before a wound does."""
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="due.place", title="Hurt") as entry:
        entry.change(trait(ilse, "Knife"), damage=2, failures=1)
    assert "1 wound and 1 failure rank" in sheet_page(as_bob, ilse)
    act(as_alice, None, "end")
    as_alice.post(f"/c/{campaign.slug}/scene/close/", body(danger="momentary"))
    assert "Ilse (1 wound and 1 failure rank)" in Entry.objects.get(kind="scene.close").payload.text
    knife = trait(ilse, "Knife")
    assert (knife.damage, knife.failures) == (0, 0)
    assert Scene.objects.get().closed
