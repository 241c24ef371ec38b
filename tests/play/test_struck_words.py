"""What a player said of a roll, struck by the GM on the story's card once the dice lie: by the pages' own forms."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.models import Entry
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from play.models import Contest, PendingAllocation
from tests import laid
from tests.html_forms import Form, Page
from tests.play.conftest import body, trait
from tests.play.test_pdq_one_scene import Evening, next_scene

pytestmark = pytest.mark.django_db

@laid.fixture
def evening(campaign: Any, scene: Any, as_alice: Client, as_bob: Client, alices: Any, bobs: Any) -> Evening:
    return Evening(campaign, as_alice, as_bob, {"alice": alices, "bob": bobs})


SHIFT = {"lines_0_kind": "upshift", "lines_0_reason": "High ground", "lines_0_amount": "1"}
SAID = "Ilse says: 1 upshift for “High ground”."


def rolls(evening: Evening, total: int, **values: Any) -> None:
    """Bob rolls from the tray: the dice come to this total."""
    tray = Page(evening.bob.get(evening.url(""))).form(action="/roll/")
    tray.controls["client_seed"].opens = [evening.seed("bob", 2, lambda faces: sum(faces) == total)]
    assert tray.send(evening.bob, **values).status_code == 302


def tries(evening: Evening, ilse: Any) -> None:
    """Bob rolls for what Ilse tries in a conflict: a seven."""
    form = Page(evening.bob.get(evening.at)).matching(action=f"/try/{ilse.pk}/")[0]
    form.controls["client_seed"].opens = [evening.seed("bob", 2, lambda faces: sum(faces) == 7)]
    assert form.send(evening.bob).status_code == 302


def to_strike(evening: Evening, client: Any = None) -> list[Form]:
    return Page((client or evening.alice).get(evening.url(""))).matching(action="/dismiss/gm/")


def strike(evening: Evening) -> dict[str, Any]:
    """The GM's one tap on the table; what the entry says."""
    (form,) = to_strike(evening)
    assert form.send(evening.alice, form.buttons[0]).status_code == 302
    return dict(json.loads(Entry.objects.latest("seq").payload.text))


def test_pq_03_after_the_dice_of_a_test_the_gm_strikes_what_was_said_and_the_faces_are_read_again(
    evening: Evening, campaign: Any, ilse: Any
) -> None:
    evening.puts(difficulty="good")
    rolls(evening, 7, **SHIFT)  # Good and one upshift is 11; without it 9
    assert not to_strike(evening, evening.bob)
    told = strike(evening)
    assert told["kind"] == "contest.dismiss" and told["dice"] is None
    assert told["title"] == f"The GM strikes what counted: {SAID}"
    steps = [step["text"] for step in told["outcome"]["steps"]]
    assert "Before: success, 9 against 9. Now: failure, 7 against 9." in steps
    assert told["outcome"]["result"]["success"] is False
    for client in (evening.alice, evening.bob):
        assert "The GM strikes what counted" in client.get(evening.url("")).content.decode()
    assert not to_strike(evening), "there is nothing left to strike"
    assert Contest.objects.get().over and not list(differences(campaign.pk))


def test_pq_07_damage_that_nobody_has_assigned_is_replaced_and_no_more_once_it_is(
    evening: Evening, campaign: Any, alices: Any, ilse: Any
) -> None:
    evening.puts(difficulty="good", harm="on")
    rolls(evening, 4, **SHIFT)
    assert [due.amount for due in PendingAllocation.objects.all()] == [3]
    strike(evening)
    assert [due.amount for due in PendingAllocation.objects.all()] == [5]
    assert ilse.pools.get(name="hurt").value == 1
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=Entry.objects.latest("seq").seq)
    assert [due.amount for due in PendingAllocation.objects.all()] == [3]
    assert to_strike(evening)
    due = f"{PendingAllocation.objects.get().pk}/"
    assign = Page(evening.bob.get(evening.url(f"to-place/{due}"))).form(action=due)
    spread = {name: "0" for name in assign.controls if name.startswith("on_")}
    knife = f"on_{trait(ilse, 'Knife').pk.hex}"
    assert assign.send(evening.bob, **{**spread, knife: "3"}).status_code == 302
    assert not to_strike(evening), "the damage is assigned"
    assert not list(differences(campaign.pk))


def test_pq_03_what_was_said_in_a_scene_stands_once_that_is_over(evening: Evening, ilse: Any, marrow: Any) -> None:
    evening.puts(difficulty="good")
    rolls(evening, 7, **SHIFT)
    assert to_strike(evening)
    next_scene(evening, "momentary", ilse, marrow)
    assert not to_strike(evening)
    last = Contest.objects.get()
    refused = evening.alice.post(evening.url(f"contests/{last.pk}/dismiss/gm/"), body(which="0", at="table"))
    assert refused.status_code != 302 and Entry.objects.filter(kind="contest.dismiss").count() == 0


def test_pq_03_of_a_test_in_a_conflict_it_is_struck_before_its_dice_and_after_them(
    evening: Evening, campaign: Any, ilse: Any
) -> None:
    evening.conflict()
    for after_the_dice in (False, True):
        evening.turn_of(ilse)
        evening.act(evening.bob, "act", ilse, test="on", words="Over the wall", **SHIFT)
        rate = evening.form(evening.alice, "rate")
        good = next(button for button in rate.buttons if button.words == "Good 9")
        assert rate.send(evening.alice, good).status_code == 302
        if after_the_dice:
            # Average and one upshift is Good: 7 and 2.
            tries(evening, ilse)
        form = evening.form(evening.alice, "dismiss")
        assert [button.words for button in form.buttons] == [SAID] and not evening.offered(evening.bob, "dismiss")
        assert form.send(evening.alice, form.buttons[0]).status_code == 302
        assert not evening.offered(evening.alice, "dismiss")
        if not after_the_dice:
            tries(evening, ilse)
            assert evening.state.landed.terms.shifts == ()
    steps = json.loads(Entry.objects.latest("seq").payload.text)["outcome"]["steps"]
    assert "Before: success, 9 against 9. Now: failure, 7 against 9." in [step["text"] for step in steps]
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize("struck", [False, True], ids=["as they fell", "struck once"])
def test_cards_that_may_be_struck_ask_no_more_of_many_than_of_one(
    evening: Evening, ilse: Any, struck: bool
) -> None:
    evening.puts(difficulty="good")
    asked = []
    for many in (1, 2, 4):
        while Contest.objects.count() < many:
            rolls(evening, 7, **SHIFT, traits=[str(trait(ilse, "Knife").pk)] if struck else [])
            if struck:
                forms = to_strike(evening)
                assert max(forms, key=lambda form: len(form.buttons)).send(evening.alice).status_code == 302
        assert len(to_strike(evening)) == many, "each of them"
        with CaptureQueriesContext(connection) as queries:
            evening.alice.get(evening.url(""))
        asked.append(len(queries))
    assert asked[0] == asked[1] == asked[2]
    latest = Entry.objects.latest("seq")
    undo(campaign=evening.campaign, actor=evening.members["alice"], op_id=uuid.uuid4(), seq=latest.seq)
    assert len(to_strike(evening)) == (4 if struck else 3), "what is undone has no dice to read"


def test_pq_07_struck_twice_the_damage_is_what_the_last_reading_says(
    evening: Evening, campaign: Any, ilse: Any
) -> None:
    evening.puts(difficulty="good", harm="on")
    rolls(evening, 4, **SHIFT, traits=[str(trait(ilse, "Knife").pk)])
    assert [due.amount for due in PendingAllocation.objects.all()] == [1]
    for amount in (3, 5):
        strike(evening)
        assert [due.amount for due in PendingAllocation.objects.all()] == [amount]
    assert ilse.pools.get(name="hurt").value == 1
    assert not list(differences(campaign.pk))
