"""The same operation sent twice finds its first answer, in acts of contests too, and leaves no second trace."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from characters.models import Pool
from play.models import Contest, PendingAllocation
from play.services import sessions
from tests.conftest import join
from tests.play.conftest import MOVED, body, character

pytestmark = pytest.mark.django_db

# For each game: the contest, what it starts with, and acts (by whom, which, what is chosen) as far as they go.
GAMES: dict[str, tuple[str, dict[str, str], list[tuple[str, str, dict[str, str]]]]] = {
    "questworlds": ("framed", {"obstacle": "A gate"}, [
        ("bob", "choose", {"tactic": "Over it"}), ("alice", "oppose", {"name": "The gate", "resistance": "14"}),
        ("alice", "set", {}), ("bob", "roll", {})]),
    "pnc": ("roll", {}, [("alice", "judge", {"circumstances_0_rung": "hard", "circumstances_0_reason": "Rain"}),
                         ("bob", "roll", {})]),
    "danger_world": ("check", {"difficulty": "3", "threat": "0", "move": ""}, [
        ("bob", "propose", {"danger": "0"}), ("alice", "agree", {}), ("bob", "roll", {})]),
}


def sent_twice(client: Client, address: str, sent: dict[str, Any]) -> None:
    before = Entry.objects.filter(kind__startswith="contest.").count()
    first, second = client.post(address, sent), client.post(address, sent)
    assert (first.status_code, second.status_code) == (302, 302), second.content.decode()[-2000:]
    assert first["Location"] == second["Location"]
    assert Entry.objects.filter(kind__startswith="contest.").count() == before + 1


@pytest.mark.parametrize("game", GAMES)
def test_an_act_sent_twice_is_done_once(
    game: str, as_alice: Client, as_bob: Client, alice: Any, bob: Any
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system=game)
    bobs, alices = join(campaign, bob, "player"), campaign.members.get(user=alice)
    lines = [("stat", "Agility", 4), ("stat", "Speed", 3)] if game == "danger_world" else []
    ilse = character(campaign, bobs, "Ilse", lines, player=bobs)
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[ilse.pk])
    kind, setup, acts = GAMES[game]
    sent_twice(as_bob, f"/c/{campaign.slug}/contests/start/{kind}/", body(title="Past it", who=str(ilse.pk), **setup))
    home = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    for who, action, given in acts:
        if Contest.objects.get().over:
            break
        client, by = (as_bob, str(ilse.pk)) if who == "bob" else (as_alice, "gm")
        sent_twice(client, f"{home}{action}/{by}/", body(**given, stats=[str(trait.pk) for trait in ilse.traits.all()]))
        assert MOVED not in client.get(home).content.decode()


def test_what_somebody_else_sends_with_it_is_refused(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    sent = body(title="Knives", side_one="Us", side_two="Them", danger="momentary", harm="damage", c0_side="one",
                c1_side="two")
    sent_twice(as_alice, f"/c/{campaign.slug}/contests/start/conflict/", sent)
    home = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    passed = body()
    sent_twice(as_bob, f"{home}pass/{ilse.pk}/", passed)
    assert as_alice.post(f"{home}pass/{ilse.pk}/", passed).status_code == 409
    assert as_bob.post(f"{home}pass/{ilse.pk}/", body()).status_code == 409, "another one comes too late"


def test_what_is_placed_twice_is_placed_once(as_bob: Client, campaign: Any, bobs: Any, ilse: Any) -> None:
    """The second press finds nothing left to place, and is no fault of whoever pressed."""
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="a.test", title="Hurt") as entry:
        owed = entry.create(PendingAllocation(campaign=campaign, character=ilse, type="damage", amount=1, reason="A"))
    at, line = f"/c/{campaign.slug}/to-place/{owed.pk}/", ilse.traits.get(name="Knife")
    sent = body(**{f"on_{line.pk.hex}": "1"})
    answers = [as_bob.post(at, sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302], answers[0].content.decode()[-2000:]
    assert sum(trait.damage for trait in ilse.traits.all()) == 1
    assert as_bob.post(at, {**sent, **body()}).status_code == 404


def test_a_deed_on_a_sheet_that_is_pressed_twice_is_done_once(
    as_bob: Client, alice: Any, bob: Any, as_alice: Client
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")
    bobs = join(campaign, bob, "player")
    ilse = character(campaign, bobs, "Ilse", [("keyword", "Sailor", 17), ("ability", "Knife", 13)], player=bobs)
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="a.test", title="Learned") as entry:
        entry.create(Pool(campaign=campaign, character=ilse, name="xp", value=10))
    at = f"/c/{campaign.slug}/sheet-actions/{ilse.pk}/advance/"
    sent = body(first="raise_more", first_on=str(ilse.traits.get(name="Knife").pk), second="new", second_name="Ropes")
    for _ in range(2):
        answer = as_bob.post(at, sent, follow=True)
        assert answer.status_code == 200 and "can no longer be done" not in answer.content.decode()
    assert ilse.traits.get(name="Knife").value == 22 and ilse.traits.filter(name="Ropes").count() == 1
    assert "can no longer be done" in as_bob.post(at, {**sent, **body()}, follow=True).content.decode()
