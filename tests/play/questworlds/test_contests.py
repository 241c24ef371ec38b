"""What play against the source found, as people meet it: flaws at any time, NPCs as resistances, points that help."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from characters.models import Pool, Trait
from play.models import Contest, SharedPool
from play.services import sessions
from tests.conftest import logged_in
from tests.play.conftest import character
from tests.play.questworlds.conftest import act, begin, frame, latest, of, page, press, state

pytestmark = pytest.mark.django_db


def test_qw_24_a_flaw_is_compelled_at_any_time_in_a_scene(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    assert "Compel a flaw" in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    begin(as_alice, campaign, "flaw", who=str(ilse.pk))
    assert "Your turn: act against the flaw" in page(as_bob)
    assert act(as_bob, None, "compel", trait=of(ilse, "In debt")).status_code in (403, 404, 409)
    assert press(as_alice, None, "compel", trait=of(ilse, "In debt")).status_code == 302
    assert Contest.objects.get().over and Pool.objects.get(character=ilse, name="xp").value == 1
    assert "In debt" in as_bob.get(f"/c/{campaign.slug}/experience/").content.decode()
    # Once a session, as every flaw.
    begin(as_alice, campaign, "flaw", who=str(ilse.pk))
    press(as_alice, None, "compel", trait=of(ilse, "In debt"))
    assert Pool.objects.get(character=ilse, name="xp").value == 1
    assert not list(differences(campaign.pk))


def test_qw_24_a_flaw_is_acted_against_by_its_player(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    begin(as_alice, campaign, "flaw", who=str(ilse.pk))
    assert press(as_bob, ilse, "resist", flaw=of(ilse, "In debt")).status_code == 302
    assert state().against(str(ilse.pk)).resistance == 17
    assert press(as_bob, ilse, "choose", tactic="Not again", ability=of(ilse, "Stubborn")).status_code == 302
    assert press(as_alice, None, "set").status_code == 302 and press(as_bob, ilse, "roll").status_code == 302
    assert not list(differences(campaign.pk))


def test_qw_77_an_npc_who_is_here_is_chosen_as_the_resistance(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    watch = character(campaign, alices, "The watch", [("ability", "Lanterns", 26)], npc=True)
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(),
                          characters=[ilse.pk, tam.pk, watch.pk])
    begin(as_bob, campaign, who=str(ilse.pk))
    assert "The watch: Lanterns · 6M" in page(as_alice) and "Tam: Sailor" not in page(as_alice)
    assert press(as_alice, None, "oppose", npc=of(watch, "Lanterns")).status_code == 302
    text = page(as_bob)
    assert "The watch" in text and "6M" in text and state().against(str(ilse.pk)).resistance == 26
    assert act(as_alice, None, "oppose", npc=of(tam, "Sailor")).status_code == 422


def test_qw_12_a_story_point_turns_an_augment(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    press(as_bob, ilse, "augment", trait=of(ilse, "Knife"), whom=str(ilse.pk), words="A glint")
    press(as_alice, None, "answer", proposal="0", verdict="roll3")
    fall(17, 18)
    assert press(as_bob, ilse, "roll_augment").status_code == 302
    assert "Spend a story point: it helps" in page(as_bob)
    assert "Your turn: let it stand, or spend a story point" in page(as_bob)
    assert act(as_alice, None, "set").status_code == 409, "it waits"
    before = SharedPool.objects.get(campaign=campaign, name="story_points").value
    assert press(as_bob, ilse, "spend").status_code == 302
    assert SharedPool.objects.get(campaign=campaign, name="story_points").value == before - 1
    assert state().terms(str(ilse.pk)).score == 20 and not list(differences(campaign.pk))


def test_qw_40_players_do_not_read_that_a_victory_is_assured(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse, assured="rolled", resistance="14")
    assert "Only you know before the roll" in page(as_alice)
    assert "ssured" not in page(as_bob) and "ssured" not in as_bob.get(
        f"/c/{campaign.slug}/ledger/{campaign.entries.latest('seq').seq}/").content.decode()
    press(as_alice, None, "oppose", name="The guard", resistance="14", assured="rolled", announced="on")
    assert "The victory is assured." in page(as_bob)
    press(as_alice, None, "oppose", name="The guard", resistance="14", assured="rolled")
    press(as_alice, None, "set")
    assert press(as_bob, ilse, "roll").status_code == 302
    for client in (as_alice, as_bob):
        html = page(client)
        assert "The victory is assured." in html and "Only you know" not in html, "by now everyone does"


def test_qw_70_an_ability_is_made_up_between_two_players(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, dana: Any
) -> None:
    begin(as_alice, campaign, "versus", c0_side="one", c1_side="one")
    assert press(as_bob, ilse, "choose", tactic="I know him", new="Old friends").status_code == 302
    assert not Trait.objects.filter(character=ilse, name="Old friends").exists(), "it would tell"
    as_dana = logged_in(dana.user)
    assert "Old friends" not in page(as_dana) and "Old friends" in page(as_bob)
    press(as_dana, tam, "choose", tactic="Head on", ability=of(tam, "Sailor"), second_goal="Nobody is hurt")
    assert Trait.objects.get(character=ilse, name="Old friends").value == 13
    assert "A second goal: Nobody is hurt" in page(as_bob) and latest().title == "Past the guard"
    assert not list(differences(campaign.pk))


def test_qw_21_a_new_approach_drops_the_stretch_with_a_word(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    press(as_alice, None, "modify", whom=str(ilse.pk), line="stretch:-6", reason="Far-fetched")
    assert "Change my approach" in page(as_bob)
    press(as_bob, ilse, "choose", tactic="A bribe", ability=of(ilse, "Knife"))
    assert not state().modifiers
    entry = campaign.entries.latest("seq").seq
    assert "no longer counts: it was for the earlier approach" in as_bob.get(
        f"/c/{campaign.slug}/ledger/{entry}/").content.decode()
