"""A contest that fails and what goes on around it: a start that shows somebody hidden, a session that is closed, what
looks back at earlier ones."""
from __future__ import annotations

import uuid
from collections import OrderedDict
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail import pins
from campaigns.trail.dice import unused
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import whole
from characters.models import Character
from play.models import Contest
from play.services import sessions
from play.services.contests import NOT_WRITTEN, USED_UP
from play.services.folds import FOLDS
from play.services.position import find_position, procedure_of
from rules.engine import KnowsCampaign
from tests.play.pressing import forms, press
from tests.play.questworlds.longing import set_setting
from tests.play.test_contained import fails, going_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def tied_start(
    as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, marrow: Any, whisper: Character
) -> Any:
    """Fills the form of a conflict in which two are tied, so that dice fall, and one of them is hidden; sends it."""
    set_setting(campaign, alices, ties="roll")
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(),
                          characters=[ilse.pk, marrow.pk, whisper.pk])
    campaign.refresh_from_db()

    def begin() -> Any:
        at = reverse("start_contest", args=[campaign.slug, "conflict"])
        form = next(form for form in forms(as_alice.get(at).content.decode()) if "c0_side" in form.fields)
        sides = {"c0_side": "one", "c1_side": "two", "c2_side": "two"}
        return as_alice.post(form.action or at, {**form.fields, **sides, "client_seed": "5a" * 32})
    return begin


def as_hidden(whisper: Character) -> bool:
    whisper.refresh_from_db()
    return whisper.hidden and not whisper.face


def test_a_start_that_cant_be_shown_shows_nobodys_face_and_uses_its_dice_up_once(
    tied_start: Any, campaign: Any, alices: Any, whisper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = unused(alices)[0].number
    monkeypatch.setattr(type(procedure_of(campaign, "pdq.conflict")), "asks", fails)
    answer = tied_start()
    assert answer.status_code == 422 and USED_UP in answer.content.decode()
    assert as_hidden(whisper) and not Contest.objects.exists()
    assert Entry.objects.filter(kind=NOT_WRITTEN).count() == 1 and unused(alices)[0].number == number + 1
    campaign.refresh_from_db()
    assert not whole(campaign).fault and not list(differences(campaign.pk))


def test_a_start_that_is_refused_after_its_dice_shows_nobodys_face_and_they_fall_again(
    tied_start: Any, campaign: Any, alices: Any, whisper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise Refused("Not now.")

    number = unused(alices)[0].number
    with monkeypatch.context() as late:
        late.setattr("play.services.contests.tell", refused)
        assert tied_start().status_code == 422
    assert as_hidden(whisper) and not Entry.objects.filter(kind=NOT_WRITTEN).exists()
    assert Entry.objects.filter(kind=pins.PIN).count() == 1 and unused(alices)[0].number == number
    assert tied_start().status_code == 302 and not as_hidden(whisper)
    campaign.refresh_from_db()
    assert not whole(campaign).fault and not list(differences(campaign.pk))


@pytest.mark.parametrize("method", ["offers", "asks", "view", "evolve"])
def test_a_session_is_closed_though_what_ends_with_it_fails(
    method: str, alice: Any, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="pdq_sharp")
    alices = campaign.members.get()
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    campaign.refresh_from_db()
    contest = Contest.objects.get(campaign=campaign, over=False)
    going = procedure_of(campaign, contest.kind)
    monkeypatch.setattr(type(going), method, fails)
    if method == "evolve":
        monkeypatch.setattr(FOLDS, "_kept", OrderedDict())
    at = reverse("close_session", args=[campaign.slug])
    assert press(as_alice, as_alice.get(at).content.decode(), "End the session", at).status_code == 302
    campaign.refresh_from_db()
    contest.refresh_from_db()
    assert campaign.session_id is None and contest.over
    assert not whole(campaign).fault and not list(differences(campaign.pk))


def test_an_earlier_contest_that_cant_be_read_is_passed_over(alice: Any, as_alice: Client) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")
    alices = campaign.members.get()
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The quay", characters=[])
    campaign.refresh_from_db()
    broken = going_on(campaign, alices, "questworlds.scored")
    page = as_alice.get(reverse("contest", args=[campaign.slug, broken.pk])).content.decode()
    assert "can’t be shown" in page and press(as_alice, page, "Call off the contest").status_code == 302
    campaign.refresh_from_db()
    kinds = [kind for kind in campaign.rules.procedures
             if isinstance(kind, KnowsCampaign) and broken.kind in kind.remembers]
    assert kinds
    for kind in kinds:
        assert as_alice.get(reverse("start_contest", args=[campaign.slug, kind.slug])).status_code in (200, 302)
    later = going_on(campaign, alices, "questworlds.scored")
    position = find_position(campaign, later.pk)
    assert position and tuple(position.around.past) == ()
