"""PDQ: what waits for the next roll counts in a conflict, and a weakness that is known is kept with the scene."""
from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from play.models import PendingModifier
from tests.html_forms import Page
from tests.play.conftest import character
from tests.play.test_pdq_one_scene import Evening, evening, present, weakness_is_offered

__all__ = ["evening"]  # a fixture of that file
pytestmark = pytest.mark.django_db


def test_pq_14_a_weakness_that_is_known_counts_for_the_rest_of_the_scene(
    evening: Evening, campaign: Any, alices: Any, ilse: Any
) -> None:
    debtor = character(campaign, alices, "Zed", [("strength", "Rope", 3), ("weakness", "Lame", -1)], npc=True)
    present(evening, debtor)
    for fight, (known, margin) in enumerate(((False, -4), (True, 2))):
        evening.conflict()
        assert weakness_is_offered(evening, ilse, debtor) is not known
        assert evening.offered(evening.alice, "call_weakness") is not known
        if not known:
            evening.act(evening.alice, "call_weakness", who=str(debtor.pk))
        evening.act(evening.alice, "defend", debtor, seed=evening.seed(
            "alice", 4, lambda faces, by=margin: sum(faces[:2]) - sum(faces[2:]) == by))
        assert not evening.offered(evening.alice, "rule_weakness"), "it is not asked again"
        assert [wound.amount for wound in evening.state.wounds] == ([4] if fight else []), "two more"
        if not fight:
            evening.act(evening.alice, "end")
    assert not list(differences(campaign.pk))


def gift(evening: Evening, whom: Any, kind: str = "badass") -> None:
    """The GM gives something for the next roll, by its page."""
    at = reverse("give_modifier", args=[evening.campaign.slug])
    form = Page(evening.alice.get(at)).form(action=at)
    assert form.send(evening.alice, character=str(whom.pk), kind=kind, reason="The lamp goes out").status_code == 302


def test_pq_05_what_waits_for_the_next_roll_counts_in_an_attack_and_a_reaction_and_is_used_up(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    evening.conflict()
    gift(evening, ilse)
    evening.turn_of(ilse)
    gift(evening, marrow, "upshift")
    told = evening.attack_on_marrow(ilse, marrow, dice=(9, 4))
    assert told.count("The lamp goes out") >= 2, "in the attack and in the reaction"
    landed = evening.state.landed
    assert [shift.reason for shift in landed.terms.shifts] == ["The lamp goes out"]
    assert [shift.amount for shift in landed.hits[0].terms.shifts] == [1]
    assert not PendingModifier.objects.filter(used=False).exists()
    assert not list(differences(campaign.pk))


def test_pq_05_what_waits_counts_in_a_test_that_is_ones_turn_and_waits_on_while_nobody_rolls(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    evening.conflict()
    gift(evening, ilse)
    evening.turn_of(ilse)
    evening.act(evening.bob, "act", ilse, words="The door", test="on")
    form = evening.form(evening.alice, "rate")
    button = next(button for button in form.buttons if "Good 9" in button.words)
    assert form.send(evening.alice, button).status_code == 302
    assert PendingModifier.objects.filter(used=False).exists()
    mine = Page(evening.bob.get(evening.at)).matching(action=f"/try/{ilse.pk}/")[0]
    assert mine.send(evening.bob).status_code == 302
    told = Entry.objects.latest("seq").payload.text
    assert "The lamp goes out" in told and not PendingModifier.objects.filter(used=False).exists()
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize("answer", ["dies", "lives"])
def test_pq_17_a_player_kills_on_the_gms_word_alone(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any, answer: str
) -> None:
    evening.conflict()
    evening.act(evening.alice, "take_out", who=str(marrow.pk))
    evening.act(evening.bob, "kill", ilse, target=str(marrow.pk), words="For the ferry")
    marrow.refresh_from_db()
    assert not marrow.dead and not evening.contest.over and not evening.offered(evening.bob, "end_here", ilse)
    assert "say whether Old Marrow dies" in evening.alice.get(evening.url("")).content.decode(), "it waits in Now"
    assert not evening.offered(evening.bob, "rule_kill")
    form = evening.form(evening.alice, "rule_kill")
    button = next(button for button in form.buttons if answer in button.words)
    assert form.send(evening.alice, button).status_code == 302
    marrow.refresh_from_db()
    assert marrow.dead is (answer == "dies")
    assert not list(differences(campaign.pk))


def test_pq_17_a_campaign_can_let_players_kill(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    at = evening.url("settings/")
    form = Page(evening.alice.get(at)).form(action=at)
    assert form.send(evening.alice, **{"setting-players_kill": "on"}).status_code == 302
    evening.conflict()
    evening.act(evening.alice, "take_out", who=str(marrow.pk))
    evening.act(evening.bob, "kill", ilse, target=str(marrow.pk))
    marrow.refresh_from_db()
    assert marrow.dead
