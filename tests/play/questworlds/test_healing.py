"""A wound is healed from the sheet, by what the pages show: the GM's one tap and the long form are one way (QW-62)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Contest
from tests import laid
from tests.html_forms import Form, Page
from tests.play.questworlds.conftest import of, state

pytestmark = pytest.mark.django_db


@laid.fixture
def wound(campaign: Any, alices: Any, ilse: Character, tam: Character) -> Trait:
    """Tam's knee, which takes off 6."""
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test", title="Hurt") as entry:
        return entry.create(Trait(
            campaign=entry.campaign, character=tam, kind="consequence", name="A bad knee", value=2, place=9))


def begun(as_bob: Client, campaign: Any, ilse: Character) -> str:
    """Bob frames it by the pages, and chooses how Ilse goes about it; the address of the contest."""
    start = f"/c/{campaign.slug}/contests/start/framed/?title=A+bad+knee%3A+healed&obstacle=A+bad+knee"
    framed = Page(as_bob.get(start)).form(button="Start framing").send(as_bob)
    assert framed.status_code == 302
    contest = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    chosen = Page(as_bob.get(contest)).form(action="/choose/" + f"{ilse.pk}/").send(
        as_bob, ability=of(ilse, "Stubborn"), tactic="Cold water")
    assert chosen.status_code == 302
    return contest


def sent(client: Client, form: Form, words: str) -> None:
    """The button of these words is pressed."""
    button = next(button for button in form.buttons if button.words == words)
    assert form.send(client, button).status_code == 302


def test_qw_62_the_gms_one_tap_is_the_healing_contest_with_its_own_number(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, wound: Trait, fall: Any
) -> None:
    contest = begun(as_bob, campaign, ilse)
    answers = Page(as_alice.get(contest)).form(action="/against/gm/")
    assert [button.words for button in answers.buttons] == ["Tam: A bad knee, 20"]
    sent(as_alice, answers, "Tam: A bad knee, 20")
    assert state().against(str(ilse.pk)).resistance == 20
    fall(12, 3)
    # A routine roll is on the page twice: in the Now bar, and among the acts.
    assert Page(as_bob.get(contest)).matching(action=f"/roll/{ilse.pk}/")[0].send(as_bob).status_code == 302
    assert Page(as_bob.get(contest)).form(action=f"/stand/{ilse.pk}/").send(as_bob).status_code == 302
    assert not Trait.objects.filter(pk=wound.pk).exists() and not list(differences(campaign.pk))


def test_qw_62_the_long_form_comes_to_the_same(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, wound: Trait
) -> None:
    contest = begun(as_bob, campaign, ilse)
    form = Page(as_alice.get(contest)).form(action="/oppose/gm/")
    assert form.controls["heals"].opens == [str(wound.pk)]
    assert form.send(as_alice).status_code == 302
    assert state().against(str(ilse.pk)).resistance == 20 and state().against(str(ilse.pk)).heals == str(wound.pk)


def test_qw_62_two_wounds_of_one_name_are_two_answers(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, tam: Any, wound: Trait
) -> None:
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test", title="Hurt") as entry:
        other = entry.create(Trait(
            campaign=entry.campaign, character=ilse, kind="consequence", name="A bad knee", value=1, place=9))
    answers = Page(as_alice.get(begun(as_bob, campaign, ilse))).form(action="/against/gm/")
    assert {button.words for button in answers.buttons} == {"Tam: A bad knee, 20", "Ilse: A bad knee, 17"}
    sent(as_alice, answers, "Ilse: A bad knee, 17")
    assert state().against(str(ilse.pk)).heals == str(other.pk)


def test_qw_20_what_only_stands_in_the_way_is_answered_as_always(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    answers = Page(as_alice.get(begun(as_bob, campaign, ilse))).form(action="/against/gm/")
    sent(as_alice, answers, "Base 14")
    assert state().against(str(ilse.pk)).resistance == 14 and not state().against(str(ilse.pk)).heals
