"""A refusal at the desk is loaded again on the page where its button was pressed."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from play.models import PrepItem
from play.services import bank
from tests.play.conftest import body

pytestmark = pytest.mark.django_db


@pytest.fixture
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
