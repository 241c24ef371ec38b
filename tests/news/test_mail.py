"""Mails of what waits for somebody, and of what was written."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from news.services.choosing import confirm
from play.models import AskedRoll, Contest, Session
from play.services import sessions
from tests import laid
from tests.html_forms import Page
from tests.news.test_choosing import choose
from tests.play.conftest import trait
from tests.play.test_conflict import act, begin

pytestmark = pytest.mark.django_db

Minutes = Callable[[int], list[Any]]


@laid.fixture
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


def test_a_request_is_mailed_to_the_gm_who_wants_it_and_no_more_once_it_is_answered(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, minutes: Minutes,
) -> None:
    choose(as_alice, campaign, pace="at_once")
    confirm(user=alices.user)
    minutes(5)
    table = f"/c/{campaign.slug}/"

    def ask(what: str) -> str:
        """Bob asks from his tray; answers the id of what he asked."""
        [form] = Page(as_bob.get(table)).matching(action="/roll/", button="Ask the GM for the difficulty")
        button = next(button for button in form.buttons if button.words == "Ask the GM for the difficulty")
        assert form.send(as_bob, button, what=what).status_code == 302
        return str(AskedRoll.objects.get(spec="").pk)

    def settle(asked: str) -> None:
        """Alice answers by a chip, and Bob rolls."""
        card = Page(as_alice.get(table)).matching(action=f"/{asked}/answer/")[0]
        assert card.send(as_alice, card.buttons[0]).status_code == 302
        assert Page(as_bob.get(table)).form(action=f"/{asked}/roll/").send(as_bob).status_code == 302

    settle(ask("Under the wall"))
    assert not minutes(5), "it was answered before the mail went out"
    asked = ask("Over the wall")
    [letter] = minutes(5)
    assert letter.to == ["alice@example.org"]
    assert letter.subject == "The Salt Road: Your turn: set the difficulty for Ilse: Over the wall"
    for text in (letter.body, letter.alternatives[0].content):
        assert "Over the wall" in text and f"http://localhost:8000{table}#request-{asked}" in text
    assert not minutes(60)
    settle(asked)
    choose(as_alice, campaign, requests=[])
    ask("Through the wall")
    assert not minutes(5)
