"""Bob wants news by mail; time can be moved on, and the worker does what is ready."""
from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from news.models import Pace, Subscription
from news.services.choosing import confirm
from tests.jobs import working
from tests.play.conftest import ilse, marrow, scene, whisper  # noqa: F401 - fixtures


def work(later: timedelta = timedelta()) -> list[Any]:
    """Some time goes by, and the worker does all that is ready then; answers the mails that went out."""
    before = len(mail.outbox)
    working.work(later)
    return mail.outbox[before:]


@pytest.fixture
def minutes() -> Callable[[int], list[Any]]:
    """So many minutes go by: whatever was asked for is done twice, as what is asked for may ask for more."""
    def pass_by(many: int) -> list[Any]:
        return [*work(), *work(timedelta(minutes=many))]

    return pass_by


@pytest.fixture
def bob_wants(campaign: Any, bobs: Any) -> Callable[..., Subscription]:
    """Says what Bob wants to be told."""
    def wants(pace: Pace = Pace.AT_ONCE, **kinds: bool) -> Subscription:
        campaign.refresh_from_db()
        confirm(user=bobs.user)
        return Subscription.objects.create(
            campaign=campaign, member=bobs, pace=pace, told_seq=campaign.head_seq, **kinds)

    return wants
