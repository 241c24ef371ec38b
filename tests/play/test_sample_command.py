"""`manage.py sample` on a database that is empty, or not quite."""
from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from campaigns.models import Campaign

pytestmark = pytest.mark.django_db


def sample() -> str:
    """Runs the command; answers what it said."""
    said = StringIO()
    call_command("sample", stdout=said)
    return said.getvalue()


def passwords(said: str) -> dict[str, str]:
    """The log-ins that it told, by name."""
    return dict(re.findall(r"^  (\S+) +(\S{16,}) ", said, re.M))


def test_nothing_is_left_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("the lights go out")

    monkeypatch.setattr("play.sample.evenings.fight", fails)
    with pytest.raises(RuntimeError):
        sample()
    assert not Campaign.objects.exists() and not User.objects.exists()


def test_names_that_are_taken_get_a_number() -> None:
    User.objects.create_user(username="mara", password="a long password")
    assert "Mara2" in passwords(sample())


def test_a_campaign_of_ones_own_is_left_alone(campaign: Campaign) -> None:
    assert "There is a campaign already" in sample()
    assert Campaign.objects.get() == campaign
