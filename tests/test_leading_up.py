"""Who loads an address again that only takes what is sent is led to the page above it; nobody sees a blank page."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from config.middleware import above

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("sent_to", "page"), [
    ("prepare/plan/change/", "prepare/plan/"), ("prepare/put/", "prepare/"), ("chronicle/open/", "chronicle/"),
    ("prepare/matrix/ask/", "prepare/matrix/"), ("ledger/1/undo/", "ledger/1/"),
])
def test_a_refusals_address_that_is_loaded_again_leads_to_its_page(
    as_alice: Client, campaign: Any, sent_to: str, page: str
) -> None:
    at = f"/c/{campaign.slug}/"
    answer = as_alice.get(f"{at}{sent_to}")
    assert (answer.status_code, answer["Location"]) == (302, f"{at}{page}")
    assert as_alice.get(answer["Location"]).status_code == 200
    assert as_alice.get(f"{at}{sent_to}", headers={"HX-Request": "true"}).status_code == 405, "a script is told so"
    assert as_alice.put(f"{at}{sent_to}").status_code == 405


def test_a_stranger_is_led_to_what_they_do_not_find(campaign: Any, as_charlie: Client) -> None:
    answer = as_charlie.get(f"/c/{campaign.slug}/prepare/plan/change/", follow=True)
    assert answer.status_code == 404


def test_the_page_above_is_home_where_there_is_no_other() -> None:
    assert above("/log-out/") == "/" and above(f"/nowhere/{uuid.uuid4()}/") == "/"
