"""A session that is opened before the players are there costs nobody what it deals."""
from __future__ import annotations

import uuid
from typing import Any

import pytest

from campaigns.models import Campaign, Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from characters.services import editing, lifecycle
from play.services import sessions
from play.services.pools import held
from rules.registry import system_of

pytestmark = pytest.mark.django_db


def opened(campaign: Any, alices: Any, system: str) -> Campaign:
    """The campaign as one of this game, with a session that was opened while nobody played anybody."""
    Campaign.objects.filter(pk=campaign.pk).update(system=system, edition=system_of(system).edition)
    current = Campaign.objects.get(pk=campaign.pk)
    sessions.open_session(campaign=current, actor=alices, op_id=uuid.uuid4())
    return Campaign.objects.get(pk=campaign.pk)


def comes(campaign: Campaign, member: Any, name: str) -> Character:
    """A character that this member makes, in an entry of its own."""
    editing.create(campaign=campaign, actor=member, op_id=uuid.uuid4(), name=name, player=member)
    return Character.objects.get(campaign=campaign, name=name)


@pytest.mark.parametrize(("system", "pool", "before", "after"), [
    ("questworlds", "story_points", 0, 1), ("pdq_sharp", "bowl", 2, 4)])
def test_who_joins_later_adds_what_the_session_deals_to_what_all_hold(
    campaign: Any, alices: Any, bobs: Any, system: str, pool: str, before: int, after: int
) -> None:
    session = opened(campaign, alices, system)
    assert held(session, pool) == before
    comes(session, bobs, "Nell")
    assert held(session, pool) == after
    entry = Entry.objects.get(campaign=session, kind="character.create")
    assert "story point" in entry.payload.text or "style dice" in entry.payload.text, "the entry says so"
    assert not list(differences(session.pk))


def test_who_is_given_a_character_in_a_session_has_what_it_deals_once(
    campaign: Any, alices: Any, bobs: Any
) -> None:
    session = opened(campaign, alices, "pnc")
    editing.create(campaign=session, actor=alices, op_id=uuid.uuid4(), name="Nell", player=None)
    nell = Character.objects.get(name="Nell")
    for player in (bobs.pk, None, bobs.pk):
        lifecycle.assign(campaign=session, actor=alices, op_id=uuid.uuid4(), character_id=nell.pk, player_id=player)
    points = {pool.name: pool.value for pool in nell.pools.all()}
    assert points["mulligans"] == int(session.settings["mulligans"]) and not list(differences(session.pk))


@pytest.mark.parametrize(("system", "pool", "most"), [("questworlds", "story_points", 1), ("pdq_sharp", "bowl", 4)])
def test_a_second_character_of_the_same_player_adds_nothing_even_when_the_first_has_left(
    campaign: Any, alices: Any, bobs: Any, system: str, pool: str, most: int
) -> None:
    session = opened(campaign, alices, system)
    for name in ("Nell", "Otto"):
        comes(session, bobs, name)
    assert held(session, pool) == most
    for character in Character.objects.filter(player=bobs):
        lifecycle.retire(campaign=session, actor=bobs, op_id=uuid.uuid4(), character_id=character.pk, retired=True)
    comes(session, bobs, "Runa")
    assert held(session, pool) == most
