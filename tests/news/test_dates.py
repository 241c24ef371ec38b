"""Dates are mailed to all who have not said otherwise, in their own time; nothing of the GM's is in any mail."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from campaigns import trail
from news.models import Subscription
from news.services.choosing import confirm
from play.models import Session
from play.services import sessions
from schedule.services import proposing

pytestmark = pytest.mark.django_db

Minutes = Callable[[int], list[Any]]


def propose(campaign: Any, member: Any, days: int) -> None:
    day = (timezone.now() + timedelta(days=days)).date()
    starts = datetime(day.year, day.month, day.day, 19, 30, tzinfo=UTC)
    proposing.propose(campaign=campaign, actor=member, op_id=uuid.uuid4(), minutes=180, zone="UTC",
                      wanted=[proposing.Wanted(starts, "when_1")])


def test_a_date_is_mailed_in_the_readers_time_until_they_stop_it(
    campaign: Any, alices: Any, bobs: Any, minutes: Minutes,
) -> None:
    User.objects.filter(pk=bobs.user_id).update(time_zone="Asia/Tokyo")
    propose(campaign, alices, 3)
    [asks] = minutes(5)
    assert asks.subject == "Confirm your e-mail address" and "Salt Road" not in asks.body
    confirm(user=bobs.user)
    propose(campaign, alices, 5)
    [letter] = minutes(5)
    assert letter.to == ["bob@example.org"] and letter.subject == "The Salt Road: when can you play?"
    assert "04:30–07:30" in letter.body and "Times are those of Tokyo." in letter.body and "?says=yes" in letter.body
    Subscription.objects.filter(member=bobs).update(dates=False)
    propose(campaign, alices, 7)
    assert not minutes(5)


def test_what_gms_alone_read_is_in_no_mail(
    campaign: Any, alices: Any, bobs: Any, scene: Any, bob_wants: Any, minutes: Minutes, whisper: Any,
) -> None:
    bob_wants()
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="session.recap", title="Zwirnfaden",
                     audience=trail.GM):
        pass
    assert not minutes(5)
    sessions.write_recap(campaign=campaign, actor=alices, op_id=uuid.uuid4(), session_id=Session.objects.get().pk,
                         title="The ferry", recap="By water.", seen=10**6)
    propose(campaign, alices, 3)
    letters = minutes(5)
    assert len(letters) == 2
    text = "".join(str(letter.message()) + letter.body + letter.alternatives[0].content for letter in letters)
    assert "Zwirnfaden" not in text and "Whisper" not in text and "By water." in text


def test_a_date_that_waits_for_an_answer_is_in_its_own_mail_alone(
    campaign: Any, alices: Any, scene: Any, bob_wants: Any, minutes: Minutes,
) -> None:
    bob_wants()
    propose(campaign, alices, 3)
    [letter] = minutes(5)
    assert letter.subject == "The Salt Road: when can you play?"
    sessions.write_recap(campaign=campaign, actor=alices, op_id=uuid.uuid4(), session_id=Session.objects.get().pk,
                         title="The ferry", recap="By water.", seen=10**6)
    [letter] = minutes(5)
    assert "By water." in letter.body and "say whether you can play" not in letter.body
