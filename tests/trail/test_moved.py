"""The Ledger and the Chronicle are two places; what stood at the old addresses is found from there."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from play.models import Session
from play.queries import SESSIONS
from play.services import sessions
from tests.play.conftest import body

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("old", "new"), [
    ("chronicle/3/", "ledger/3/"), ("chronicle/verify/", "ledger/verify/"), ("chronicle/export/", "ledger/export/"),
    ("chronicle/?kind=rolls&before=12", "ledger/?kind=rolls&before=12"), ("chronicle/?before=12", "ledger/?before=12"),
    ("chronicle/?person=&character=&kind=sheets&session=", "ledger/?person=&character=&kind=sheets&session="),
    ("sessions/", "chronicle/"), ("sessions/?before=4", "chronicle/?earlier=4"),
    ("sessions/close/", "chronicle/close/"),
])
def test_an_old_address_leads_to_the_new_one_for_good(
    as_bob: Client, campaign: Any, bobs: Any, old: str, new: str
) -> None:
    at = f"/c/{campaign.slug}/"
    answer = as_bob.get(f"{at}{old}")
    assert (answer.status_code, answer["Location"]) == (301, f"{at}{new}")
    assert as_bob.get(answer["Location"]).status_code in (200, 404)


def test_an_old_link_to_an_entry_reaches_it(as_bob: Client, campaign: Any, ilse: Any) -> None:
    made = Entry.objects.get(kind="character.create")
    page = as_bob.get(f"/c/{campaign.slug}/chronicle/{made.seq}/", follow=True)
    assert page.status_code == 200 and page.context["entry"].seq == made.seq


def test_what_a_page_posts_that_was_open_meanwhile_is_done(as_alice: Client, campaign: Any, ilse: Any) -> None:
    made = Entry.objects.get(kind="character.create")
    sent = body(reason="A slip")
    answer = as_alice.post(f"/c/{campaign.slug}/chronicle/{made.seq}/undo/", sent)
    assert (answer.status_code, answer["Location"]) == (308, f"/c/{campaign.slug}/ledger/{made.seq}/undo/")
    done = as_alice.post(f"/c/{campaign.slug}/chronicle/{made.seq}/undo/", sent, follow=True)
    assert done.status_code == 200 and Entry.objects.get(kind="undo").op_id == uuid.UUID(sent["op_id"])


def test_the_chronicle_pages_back(as_bob: Client, campaign: Any, alices: Any, bobs: Any) -> None:
    for number in range(1, SESSIONS + 2):
        by = {"campaign": campaign, "actor": alices}
        sessions.open_session(**by, op_id=uuid.uuid4(), title=f"Evening {number}")
        sessions.close_session(**by, op_id=uuid.uuid4(), title=f"Evening {number}", recap="It rained.")
    page = as_bob.get(f"/c/{campaign.slug}/chronicle/").content.decode()
    assert "It rained." in page and 'href="?earlier=2"' in page
    first = Session.objects.get(number=1)
    assert str(first.pk) not in page
    assert str(first.pk) in as_bob.get(f"/c/{campaign.slug}/chronicle/?earlier=2").content.decode()


def test_both_places_are_in_the_navigation(as_bob: Client, campaign: Any, bobs: Any) -> None:
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    for place in ("ledger", "chronicle"):
        assert f'href="/c/{campaign.slug}/{place}/">{place.capitalize()}</a>' in page
    here = as_bob.get(f"/c/{campaign.slug}/ledger/1/").content.decode()
    assert f'href="/c/{campaign.slug}/ledger/" aria-current="true">Ledger</a>' in here
