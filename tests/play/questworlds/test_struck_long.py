"""A flaw that a player says hinders them in a long contest, struck by the GM after the dice of a round (QW-21, QW-23).
"""
from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from tests.html_forms import Form, Page
from tests.play.questworlds.conftest import act, latest, of, press, state
from tests.play.questworlds.longing import set_setting, start

pytestmark = pytest.mark.django_db


def to_strike(client: Client) -> list[Form]:
    one = latest()
    return Page(client.get(f"/c/{one.campaign.slug}/contests/{one.pk}/")).matching(action="/dismiss/gm/")


def begin(as_alice: Client, as_bob: Client, campaign: Any, alices: Any, ilse: Any, kind: str, points: int = 0) -> None:
    """Ilse against the captain, in debt as she says."""
    set_setting(campaign, alices, long=kind, points=points)
    start(as_alice, campaign, kind)
    assert not to_strike(as_alice)
    assert press(as_bob, ilse, "hinder", trait=of(ilse, "In debt")).status_code == 302
    assert [button.words for button in to_strike(as_alice)[0].buttons] == ["Ilse says: In debt, −3."], "before the dice"


def a_round(as_bob: Client, ilse: Any, kind: str) -> None:
    """A round of hers with a map."""
    if kind == "extended":
        answer = act(as_bob, ilse, "bid", whom="~0", ability=of(ilse, "Mapmaker"), bid="3")
    else:
        answer = act(as_bob, ilse, "round", bout="0", ability=of(ilse, "Mapmaker"), tactic="normal", aim="")
    assert answer.status_code == 302, answer.content.decode()


def steps() -> list[str]:
    told = json.loads(Entry.objects.latest("seq").payload.text)
    return [step["text"] for step in told["outcome"]["steps"]]


@pytest.mark.parametrize("kind", ["scored", "chained", "extended"])
def test_qw_23_the_same_faces_of_a_round_are_read_without_what_was_said(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any, kind: str
) -> None:
    begin(as_alice, as_bob, campaign, alices, ilse, kind)
    fall(16, 5)
    a_round(as_bob, ilse, kind)
    before = state()
    assert before.record[-1][1].outcome == "defeat" and not to_strike(as_bob)
    (form,) = to_strike(as_alice)
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    assert steps()[:2] == ["The GM strikes what counted: Ilse says: In debt, −3.",
                           "Before: Ilse: defeat by rank 2. Now: Ilse: victory by rank 1."]
    after = state()
    assert [told.outcome for _, told in after.record] == ["victory"] and after.lines == ()
    assert after.round == before.round and not to_strike(as_alice)
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize("kind", ["scored", "chained", "extended"])
def test_qw_23_once_somebody_has_done_something_the_round_stays_as_it_was_read(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any, kind: str
) -> None:
    begin(as_alice, as_bob, campaign, alices, ilse, kind)
    fall(16, 5)
    a_round(as_bob, ilse, kind)
    assert press(as_bob, ilse, "augment", trait=of(ilse, "Knife")).status_code == 302
    record = state().record
    (form,) = to_strike(as_alice)
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    assert state().record == record and state().lines == (), "it counts no longer, from now on"
    assert not list(differences(campaign.pk))


def test_qw_12_dice_that_wait_for_a_story_point_are_read_again_until_it_is_decided(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any
) -> None:
    begin(as_alice, as_bob, campaign, alices, ilse, "scored", points=2)
    fall(16, 5)
    a_round(as_bob, ilse, "scored")
    assert state().throws
    (form,) = to_strike(as_alice)
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    assert "Before: Ilse: defeat so far. Now: Ilse: victory so far." in steps()
    assert press(as_bob, ilse, "stand").status_code == 302
    assert [told.outcome for _, told in state().record] == ["victory"] and not list(differences(campaign.pk))


def test_qw_45_the_faces_of_a_parting_shot_are_read_again_too(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any
) -> None:
    begin(as_alice, as_bob, campaign, alices, ilse, "scored")
    while state().phase.value == "rounds":
        fall(2, 19)
        a_round(as_bob, ilse, "scored")
    assert press(as_bob, ilse, "parting", words="The toll book too").status_code == 302
    fall(16, 5)
    shoot = press(as_alice, None, "answer_shot", answer=f"{ilse.pk}:yes")
    assert shoot.status_code == 302 and state().record[-1][1].kind == "parting"
    lost = state().bout(0).points
    (form,) = to_strike(as_alice)
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    assert "Before: Ilse: defeat by rank 2. Now: Ilse: victory by rank 1." in steps()
    assert "The further prize is won. The toll book too." in steps()
    assert state().bout(0).points != lost and not list(differences(campaign.pk))
