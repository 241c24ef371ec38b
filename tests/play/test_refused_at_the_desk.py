"""A refusal at the desk is loaded again on the page where its button was pressed."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.models import Page as Note
from campaigns.services import pages
from play.models import PlanLine, PlanScene, PrepItem
from play.services import bank, library, matrix, plan
from tests import laid
from tests.conftest import refusal
from tests.html_forms import Page
from tests.play.conftest import body

pytestmark = pytest.mark.django_db


@laid.fixture
def pit(campaign: Any, alices: Any) -> PrepItem:
    """Something in the library."""
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="note", name="The pit", fields={})
    return PrepItem.objects.get()


@pytest.mark.parametrize(("sent_to", "sent", "page"), [
    ("plan/lines/", {"words": ""}, "plan/"),
    ("plan/change/", {"tick": str(uuid.uuid4())}, "plan/"),
    ("plan/change/", {}, "plan/"),
    ("matrix/ask/?tag=law&who=x", {"cell": "gone"}, "matrix/?tag=law&who=x"),
    ("matrix/", {"easy": "1", "hard": "2"}, "matrix/"),
    ("put/?q=pit&kind=&tag=", {"thing": str(uuid.uuid4())}, "?q=pit"),
    ("put/?q=pit", {"see": "{pit} nothing"}, "?q=pit"),
    ("", {"line": ""}, ""),
    ("{pit}/change/", {"again": "1", "op_id": "none"}, ""),
    ("things/{pit}/view/", {"view": "nothing"}, "things/{pit}/"),
])
def test_a_refusal_names_the_page_that_it_is_of(
    as_alice: Client, campaign: Any, pit: PrepItem, sent_to: str, sent: dict[str, str], page: str
) -> None:
    at = f"/c/{campaign.slug}/prepare/"
    said = body(**{name: value.format(pit=pit.pk) for name, value in sent.items()})
    refused = as_alice.post(at + sent_to.format(pit=pit.pk), said)
    assert refused.status_code == 422
    here = re.search(r'data-here="([^"]*)"', refused.content.decode())
    assert here and here[1].replace("&amp;", "&") == at + page.format(pit=pit.pk)
    assert as_alice.get(here[1].replace("&amp;", "&")).status_code == 200


def test_a_list_that_was_narrowed_stays_so_where_a_button_is_refused(
    as_alice: Client, campaign: Any, alices: Any, pit: PrepItem
) -> None:
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="note", name="The tower", fields={})
    at = f"/c/{campaign.slug}/prepare/put/?q=pit"
    refused = as_alice.post(at, body(thing=str(uuid.uuid4()))).content.decode()
    assert "The pit" in refused and "The tower" not in refused


def at(campaign: Any, more: str = "") -> str:
    return f"/c/{campaign.slug}/prepare/{more}"


@pytest.mark.parametrize(("page", "action", "sentence"), [
    ("note/{pit}/", "", "Nothing here is different yet."), ("plan/", "plan/", "Nothing here is different yet."),
    ("plan/scenes/{cellar}/", "", "Nothing here is different yet."),
    ("matrix/", "matrix/", "No change: these are already the limits."),
    ("things/{pit}/", "", "No change: these are already its tags."),
])
def test_what_says_the_same_once_more_is_no_change(
    as_alice: Client, campaign: Any, alices: Any, pit: PrepItem, page: str, action: str, sentence: str
) -> None:
    by = {"campaign": campaign, "actor": alices}
    plan.write_scene(**by, op_id=uuid.uuid4(), title="The cellar")
    plan.write_plan(**by, op_id=uuid.uuid4(), title="Ebb tide")
    matrix.set_limits(**by, op_id=uuid.uuid4(), easy=80, hard=15)
    library.tag(**by, op_id=uuid.uuid4(), thing_id=pit.pk, tags=["dark"])
    address = at(campaign, page.format(pit=pit.pk, cellar=PlanScene.objects.get().pk))
    form = next(form for form in Page(as_alice.get(address)).forms
                if form.action.endswith(action or address) and {"tags", "title", "name", "easy"} & {*form.controls})
    before = Entry.objects.count()
    answer = form.send(as_alice)
    assert answer.status_code == 422 and Page(answer).errors == [sentence]
    assert Entry.objects.count() == before


@pytest.mark.parametrize(("pressed", "sentence"), [
    ({"carry": "1"}, "There is no plan yet."),
    ({"reveal": "{line}"}, "Only an obstacle or an outcome is fixed beforehand."),
])
def test_a_button_of_a_plan_that_is_another_by_now(
    as_alice: Client, campaign: Any, alices: Any, pressed: dict[str, str], sentence: str
) -> None:
    line = ""
    if "reveal" in pressed:
        plan.add_line(campaign=campaign, actor=alices, op_id=uuid.uuid4(), words="Buy rope")
        line = str(PlanLine.objects.get().pk)
    answer = as_alice.post(at(campaign, "plan/change/"), body(
        **{name: value.format(line=line) for name, value in pressed.items()}))
    assert answer.status_code == 422 and Page(answer).errors == [sentence]


def test_what_was_taken_out_of_the_library_meanwhile(
    as_alice: Client, campaign: Any, scene: Any, pit: PrepItem
) -> None:
    gone = "This is no longer in the library."
    assert as_alice.post(at(campaign, f"{pit.pk}/change/"), body(remove="1")).status_code == 302
    for answer in (as_alice.post(at(campaign, "put/"), body(thing=str(pit.pk))),
                   as_alice.post(at(campaign, "plan/lines/"), body(words="The pit", thing=str(pit.pk)))):
        assert answer.status_code == 422 and Page(answer).errors == [gone]
    assert as_alice.get(at(campaign, "new/dragon/")).status_code == 404, "no such kind of thing"


def test_what_no_page_of_the_library_sends(campaign: Any, alices: Any, pit: PrepItem) -> None:
    by = {"campaign": campaign, "actor": alices}
    assert refusal(library.add, **by, lines=[]) == ("line", "Write 1 to 30 lines.")
    assert refusal(library.copy, **by, thing_id=pit.pk, count=13) == ("count", "Make 1 to 12 more at a time.")


def test_what_fits_in_the_matrix_and_is_no_longer_there(campaign: Any, alices: Any, ilse: Any, pit: PrepItem) -> None:
    cell: dict[str, Any] = {"campaign": campaign, "actor": alices, "character_id": ilse.pk, "thing_id": pit.pk,
                            "place": 0, "name": "The pit"}
    assert refusal(matrix.say_fit, **cell, lines=[ilse.traits.first().pk, uuid.uuid4()]) == (
        "fits", "One of these traits is no longer on the sheet. Reload the page.")
    assert refusal(matrix.forget_fit, **cell) == ("fits", "Nothing is said for this row.")


def test_who_sees_a_note_of_a_players_is_the_gms_to_say(as_bob: Client, campaign: Any, bobs: Any) -> None:
    pages.write(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), title="The tide table", words="Twice a day")
    note = Note.objects.get(title="The tide table")
    refused = as_bob.post(f"/c/{campaign.slug}/notes/{note.pk}/view/", body(view="nothing"), follow=True)
    assert "Only the GM can change who sees this" in refused.content.decode()
    assert Note.objects.get(pk=note.pk).view == "all"
