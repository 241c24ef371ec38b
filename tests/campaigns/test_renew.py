"""An invitation's address is kept by nobody: one press on Members makes it anew, and the earlier one stops working."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Invitation, Role
from tests.html_forms import Page

pytestmark = pytest.mark.django_db


def test_one_press_gives_a_link_another_address_and_the_earlier_one_stops_working(
    as_alice: Client, as_charlie: Client, campaign: Any
) -> None:
    def shown(answer: Any) -> str:
        match = re.search(r'value="(http[^"]+/join/[^"]+)"', answer.content.decode())
        assert match, "the address is on the page"
        return match[1]

    people = f"/c/{campaign.slug}/people/"
    first = shown(Page(as_alice.get(f"{people}invite/")).form(button="Create link").send(as_alice))
    again = Page(as_alice.get(people)).form(action="/renew/")
    second = shown(again.send(as_alice))
    assert first != second
    assert as_charlie.get(first).status_code == 410 and as_charlie.get(second).status_code == 200
    assert "shown before" in again.send(as_alice).content.decode(), "a second click shows no address"
    assert Invitation.objects.count() == 2 and Invitation.objects.filter(revoked=False).count() == 1
    old, new = Invitation.objects.order_by("created")
    assert (old.role, old.expires, old.most_uses) == (new.role, new.expires, new.most_uses)


def test_a_gm_does_not_renew_a_link_that_makes_gms(
    campaign: Any, doras: Any, as_dora: Client, make_link: Any
) -> None:
    make_link(role=Role.GM)
    link = Invitation.objects.get()
    answer = as_dora.post(f"/c/{campaign.slug}/people/links/{link.pk}/renew/", {"op_id": str(uuid.uuid4())})
    assert answer.status_code == 422 and "You can’t give this role. Ask the owner." in answer.content.decode()
    assert Invitation.objects.get() == link and not link.revoked
