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


def assert_in_sight(client: Client) -> None:
    """The GM's tap stands outside what is folded."""
    one = latest()
    page = Page(client.get(f"/c/{one.campaign.slug}/contests/{one.pk}/"))
    folded = [within for fold in page.of_tag("details") for within in fold.within() if within.tag == "form"]
    assert not [form for form in folded if form.attributes["action"].endswith("/dismiss/gm/")]


DEBT, MAPS = "Ilse says: In debt, −3.", "Ilse says: Mapmaker 17 counts."


def tap(client: Client, words: str) -> list[str]:
    """The GM's one tap; what the entry says."""
    (form,) = to_strike(client)
    if state().unread:
        assert_in_sight(client)
    assert form.send(client, next(button for button in form.buttons if button.words == words)).status_code == 302
    return steps()


def begin(as_alice: Client, as_bob: Client, campaign: Any, alices: Any, ilse: Any, kind: str, points: int = 0) -> None:
    """Ilse against the captain, in debt as she says."""
    set_setting(campaign, alices, long=kind, points=points)
    start(as_alice, campaign, kind)
    assert not to_strike(as_alice)
    assert press(as_bob, ilse, "hinder", trait=of(ilse, "In debt")).status_code == 302
    assert [button.words for button in to_strike(as_alice)[0].buttons] == [DEBT], "before the dice"


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
    tap(as_alice, DEBT)
    assert steps()[:2] == ["The GM strikes what counted: Ilse says: In debt, −3.",
                           "Before: Ilse: defeat by rank 2. Now: Ilse: victory by rank 1."]
    after = state()
    assert [told.outcome for _, told in after.record] == ["victory"] and after.lines == ()
    assert after.round == before.round
    assert [button.words for button in to_strike(as_alice)[0].buttons] == [MAPS], "what she used is her word too"
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
    tap(as_alice, DEBT)
    assert state().record == record and state().lines == (), "it counts no longer, from now on"
    assert not list(differences(campaign.pk))


def test_qw_12_dice_that_wait_for_a_story_point_are_read_again_until_it_is_decided(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any
) -> None:
    begin(as_alice, as_bob, campaign, alices, ilse, "scored", points=2)
    fall(16, 5)
    a_round(as_bob, ilse, "scored")
    assert state().throws
    tap(as_alice, DEBT)
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
    tap(as_alice, DEBT)
    assert "Before: Ilse: defeat by rank 2. Now: Ilse: victory by rank 1." in steps()
    assert "The further prize is won. The toll book too." in steps()
    assert state().bout(0).points != lost and not list(differences(campaign.pk))


@pytest.mark.parametrize("kind", ["scored", "chained", "extended"])
def test_qw_06_the_ability_of_a_round_is_struck_after_its_dice_and_another_one_is_chosen_in_the_next(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any, kind: str
) -> None:
    set_setting(campaign, alices, long=kind, points=0)
    start(as_alice, campaign, kind)
    fall(10, 18)
    a_round(as_bob, ilse, kind)
    assert state().record[-1][1].outcome == "victory" and not to_strike(as_bob)
    told = tap(as_alice, MAPS)
    assert told[:2] == ["The GM strikes what counted: Ilse says: Mapmaker 17 counts.",
                        "No ability fits, which counts as 6."]
    assert told[2].startswith("Before: Ilse: victory") and "Now: Ilse: victory" not in told[2]
    assert [came.abilities[0] for _, came in state().record] == [""] and not to_strike(as_alice)
    form = Page(as_bob.get(f"/c/{campaign.slug}/contests/{latest().pk}/")).matching(action=f"/{ilse.pk}/")
    offered = {value for one in form if "ability" in one.controls for value in one.controls["ability"].offered}
    assert of(ilse, "Knife") in offered and of(ilse, "Mapmaker") not in offered, "another one may be chosen"
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize("kind", ["scored", "chained"])
def test_qw_06_once_the_round_stands_what_was_used_counts_no_more_from_then_on(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any, kind: str
) -> None:
    set_setting(campaign, alices, long=kind, points=0)
    start(as_alice, campaign, kind)
    fall(10, 18)
    a_round(as_bob, ilse, kind)
    assert press(as_bob, ilse, "augment", trait=of(ilse, "Knife")).status_code == 302
    record = state().record
    assert tap(as_alice, MAPS)[1] == "Ilse chooses another one. Where none fits, it counts as 6."
    assert state().record == record and state().target(str(ilse.pk)) == 6
    fall(5, 18)
    answer = act(as_bob, ilse, "round", bout="0", ability=of(ilse, "Knife"), tactic="normal", aim="")
    assert answer.status_code == 302 and state().record[-1][1].abilities[0] == "Knife"
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize("kind", ["scored", "chained", "extended"])
def test_qw_06_between_dice_the_ability_is_struck_under_what_only_the_gm_may_say(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any,
    kind: str
) -> None:
    set_setting(campaign, alices, long=kind, points=0)
    start(as_alice, campaign, kind)
    fall(10, 18)
    a_round(as_bob, ilse, kind)
    assert press(as_bob, ilse, "augment", trait=of(ilse, "Knife")).status_code == 302
    at, record = f"/c/{campaign.slug}/contests/{latest().pk}/", state().record
    folds = Page(as_alice.get(at)).of_tag("details")
    overrides = next(fold for fold in folds if fold.attributes.get("data-keep") == "overrides")
    struck = [form for form in overrides.within() if form.attributes.get("action", "").endswith("/dismiss/gm/")]
    assert len(struck) == len(to_strike(as_alice)) == 1 and not state().unread
    assert not to_strike(as_bob) and as_charlie.get(at).status_code == 404
    (form,) = to_strike(as_alice)
    assert [button.words for button in form.buttons] == [MAPS]
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    assert state().record == record and not to_strike(as_alice), "what is struck is struck once"
    offered = {value for one in Page(as_bob.get(at)).matching(action=f"/{ilse.pk}/") if "ability" in one.controls
               for value in one.controls["ability"].offered}
    assert of(ilse, "Mapmaker") not in offered and not list(differences(campaign.pk))
