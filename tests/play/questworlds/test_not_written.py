"""No act is written whose state can't be shown; dice that fell for it are used up, and an entry says so."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import verify
from campaigns.access import Viewer
from campaigns.models import Entry
from campaigns.trail.dice import unused
from campaigns.trail.export import export
from campaigns.trail.rebuild import differences, rebuild
from campaigns.trail.verifying import whole
from campaigns.trail.visible import payload_of
from play.models import Contest, ContestEvent
from play.services.contests import REFUSED, USED_UP
from rules.systems.questworlds.long.kind import ExtendedLong
from tests import laid
from tests.play.conftest import body
from tests.play.pressing import forms, press
from tests.play.questworlds.conftest import latest, of, page
from tests.play.questworlds.longing import set_setting, start

pytestmark = pytest.mark.django_db


@laid.fixture
def bidding(campaign: Any, scene: Any, alices: Any, as_alice: Client) -> Contest:
    """An extended contest of Ilse against a judge, before the first bid."""
    set_setting(campaign, alices, long="extended")
    return start(as_alice, campaign, "extended", "The judge 14")  # type: ignore[no-any-return]


@pytest.fixture
def fails_after_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once dice have fallen, nobody can be shown the contest."""
    view = ExtendedLong.view

    def viewed(self: Any, state: Any, sheets: Any, viewer: Any) -> Any:
        if state.throws or state.record:
            raise ZeroDivisionError("nobody thought of it")
        return view(self, state, sheets, viewer)

    monkeypatch.setattr(ExtendedLong, "view", viewed)


def bid(client: Client, who: Any, **more: Any) -> Any:
    """Bids by the form on the page, with the browser's seed."""
    values = {"whom": "~0", "ability": of(who, "Mapmaker"), "client_seed": "5a" * 32, **more}
    return press(client, page(client), "Bid and roll", **values)


def checked(campaign: Any) -> None:
    """The chain, the tables, and every member's export."""
    assert not whole(campaign).fault and not list(differences(campaign.pk)) and not rebuild(campaign.pk)
    for member in campaign.members.all():
        lines = [line.encode() for line in export(Viewer(campaign, member))]
        verify.verify(lines, rules=verify.house_rules(Path(verify.__file__).parent))


def test_what_cant_be_shown_is_not_written_and_its_dice_are_used_up(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any, ilse: Any, bidding: Contest, fails_after_dice: None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    next_one, events = unused(bobs).first(), ContestEvent.objects.count()
    head = Entry.objects.filter(campaign=campaign).count()
    answer = bid(as_bob, ilse)
    assert answer.status_code == 422 and USED_UP in answer.content.decode()
    assert "nobody thought of it" in caplog.text and "Traceback" in caplog.text
    assert ContestEvent.objects.count() == events and latest().events == events
    used = Entry.objects.filter(campaign=campaign).latest("seq")
    payload = payload_of(used)
    assert Entry.objects.filter(campaign=campaign).count() == head + 1 and used.kind == "contest.not-written"
    assert payload and not payload["changes"] and payload["dice"]["commitment"] == next_one.digest
    assert unused(bobs).first().number == next_one.number + 1
    campaign.refresh_from_db()
    checked(campaign)
    for client in (as_alice, as_bob):
        assert "the dice are used up" in client.get(reverse("ledger", args=[campaign.slug])).content.decode()
        assert client.get(reverse("entry", args=[campaign.slug, used.seq])).status_code == 200


def test_the_same_form_sent_again_is_answered_the_same_and_rolls_nothing(
    as_bob: Client, campaign: Any, bobs: Any, ilse: Any, bidding: Contest, fails_after_dice: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    form = next(form for form in forms(page(as_bob)) if "Bid and roll" in form.buttons)
    sent = {**form.fields, "whom": "~0", "ability": of(ilse, "Mapmaker"), "client_seed": "5a" * 32}
    first = as_bob.post(form.action, sent)
    left, many = unused(bobs).count(), Entry.objects.count()
    monkeypatch.undo()  # though it could be shown by now
    again = as_bob.post(form.action, sent)
    assert (first.status_code, again.status_code) == (422, 422) and USED_UP in again.content.decode()
    assert (unused(bobs).count(), Entry.objects.count()) == (left, many)
    # The form that comes back is another operation: with the next dice it goes through.
    back = next(form for form in forms(first.content.decode()) if "Bid and roll" in form.buttons)
    assert back.fields["op_id"] != sent["op_id"] and back.fields["ability"] == sent["ability"]
    assert as_bob.post(back.action, {**back.fields, "client_seed": "5a" * 32}).status_code == 302


def test_without_dice_a_refusal_leaves_no_trace(
    as_alice: Client, campaign: Any, ilse: Any, bidding: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    offers = ExtendedLong.offers
    monkeypatch.setattr(ExtendedLong, "offers", lambda self, state, sheets: (
        1 / 0 if state.paused else offers(self, state, sheets)))
    many = Entry.objects.count()
    answer = press(as_alice, page(as_alice), "Pause the contest")
    assert answer.status_code == 422 and REFUSED.format("") in answer.content.decode()
    assert Entry.objects.count() == many and not latest().over


def test_a_contest_that_cant_be_shown_does_not_begin(
    as_alice: Client, campaign: Any, scene: Any, alices: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_setting(campaign, alices, long="extended")
    monkeypatch.setattr(ExtendedLong, "asks", lambda self, state, sheets: 1 / 0)
    many = Entry.objects.count()
    answer = as_alice.post(f"/c/{campaign.slug}/contests/start/extended/", body(
        title="Past the guard", side_one="The crew", side_two="The toll", opponents="The judge 14", c0_side="one"))
    assert answer.status_code == 422 and "Nothing of this was saved" in answer.content.decode()
    assert Entry.objects.count() == many and not Contest.objects.exists()


def test_it_can_be_called_off_whatever_the_rules_fail_at(
    as_alice: Client, campaign: Any, bidding: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = page(as_alice)
    monkeypatch.setattr(ExtendedLong, "view", lambda self, state, sheets, viewer: 1 / 0)
    assert press(as_alice, shown, "Call off the contest").status_code == 302
    bidding.refresh_from_db()
    assert bidding.over


def test_a_rule_that_fails_at_the_act_itself_uses_its_dice_up_too(
    as_bob: Client, campaign: Any, bobs: Any, ilse: Any, bidding: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    perform = ExtendedLong.perform

    def performed(self: Any, state: Any, sheets: Any, offer: Any, given: Any, faces: Any = ()) -> Any:
        return 1 / 0 if faces else perform(self, state, sheets, offer, given, faces)

    monkeypatch.setattr(ExtendedLong, "perform", performed)
    number = unused(bobs).first().number
    answer = bid(as_bob, ilse)
    assert answer.status_code == 422 and USED_UP in answer.content.decode()
    assert unused(bobs).first().number == number + 1
    campaign.refresh_from_db()
    checked(campaign)
