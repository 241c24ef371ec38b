"""Mails of what waits for somebody, and of what was written."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from play.models import Contest, Session
from play.services import sessions
from tests.play.conftest import trait
from tests.play.test_conflict import act, begin

pytestmark = pytest.mark.django_db

Minutes = Callable[[int], list[Any]]


@pytest.fixture
def fight(as_alice: Client, campaign: Any, scene: Any) -> Contest:
    assert begin(as_alice, campaign).status_code == 302
    return Contest.objects.get()


def attack(as_alice: Client, marrow: Any, ilse: Any) -> None:
    sent = act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[str(trait(marrow, "Club").pk)])
    assert sent.status_code == 302


def test_my_move_is_mailed_once_with_its_address(
    as_alice: Client, campaign: Any, fight: Contest, ilse: Any, marrow: Any, bob_wants: Any, minutes: Minutes,
) -> None:
    bob_wants()
    attack(as_alice, marrow, ilse)
    [letter] = minutes(5)
    assert letter.to == ["bob@example.org"]
    assert letter.subject == "The Salt Road: Your turn: react to Old Marrow (Knives at the well)"
    assert f"http://localhost:8000/c/{campaign.slug}/?contest={fight.pk}#offer-defend-{ilse.pk}" in letter.body
    assert "react to Old Marrow" in letter.alternatives[0].content
    assert not minutes(60)


def test_nobody_is_told_who_has_not_asked_or_has_seen_it(
    as_alice: Client, as_bob: Client, campaign: Any, fight: Contest, ilse: Any, marrow: Any, bob_wants: Any,
    minutes: Minutes,
) -> None:
    attack(as_alice, marrow, ilse)
    assert not minutes(5)
    bob_wants().delete()
    bob_wants()
    as_bob.get(f"/c/{campaign.slug}/")
    assert not minutes(5)


def test_a_recap_of_somebody_else_is_mailed_as_it_is_when_it_goes_out(
    campaign: Any, scene: Any, alices: Any, bobs: Any, bob_wants: Any, minutes: Minutes,
) -> None:
    bob_wants()
    session = Session.objects.get()
    write(campaign, alices, session, "They went by water.")
    write(campaign, alices, session, "They went by *land*.")
    [letter] = minutes(5)
    assert "They went by *land*." in letter.body and "water" not in letter.body
    write(campaign, bobs, session, "I know that.")
    assert not minutes(5)


def write(campaign: Any, member: Any, session: Session, recap: str) -> None:
    sessions.write_recap(campaign=campaign, actor=member, op_id=uuid.uuid4(), session_id=session.pk, title="The ferry",
                         recap=recap, seen=sessions.last_written(campaign, session.pk))
