"""A scene holds one conflict at a time, whichever way a second one would come: also by *Undo*."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from tests.html_forms import Page
from tests.play.conftest import body
from tests.play.test_endings import begun

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("how", ["end/gm/", "call-off/"])
def test_what_made_way_for_another_stays_over_until_that_one_is(
    as_alice: Client, campaign: Any, scene: Any, ilse: Character, marrow: Character, how: str
) -> None:
    first = begun(as_alice, campaign)
    assert as_alice.post(f"{first}{how}", body()).status_code == 302
    seq = Entry.objects.latest("seq").seq
    second = begun(as_alice, campaign)
    form = Page(as_alice.get(f"/c/{campaign.slug}/ledger/{seq}/")).form(action="/undo/")
    refused = form.send(as_alice, form.buttons[0])
    assert refused.status_code == 422
    assert "A contest is in progress in this scene. Finish it first." in refused.content.decode()
    assert as_alice.post(f"{second}end/gm/", body()).status_code == 302
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    assert Contest.objects.filter(over=False).count() == 1 and not list(differences(campaign.pk))
