"""Undoing an entry by another."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.services.undoing import may_undo, undo
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Scene
from play.services import sessions
from tests.conftest import refusal
from tests.play.conftest import body
from tests.play.rolled import rolled

pytestmark = pytest.mark.django_db


def rename(campaign: Any, actor: Any, who: Character, name: str) -> Entry:
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="character.edit", title="A new name"
    ) as entry:
        entry.change(who, name=name)
    return entry.written


def again(campaign: Any, actor: Any, entry: Entry) -> Entry:
    return undo(campaign=campaign, actor=actor, op_id=uuid.uuid4(), seq=entry.seq)


def test_a_change_goes_back(campaign: Any, alices: Any, ilse: Any) -> None:
    done = rename(campaign, alices, ilse, "Ilsebill")
    undone = again(campaign, alices, done)
    ilse.refresh_from_db()
    assert ilse.name == "Ilse"
    assert undone.seq == done.seq + 1
    assert not list(differences(campaign.pk))


def test_what_was_made_is_taken_away_again_and_may_come_back(campaign: Any, alices: Any, ilse: Any) -> None:
    with trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.edit", title="Learns"
    ) as entry:
        entry.create(Trait(campaign=campaign, character=ilse, kind="strength", name="Flute", value=1))
    gone = again(campaign, alices, entry.written)
    assert not ilse.traits.filter(name="Flute").exists()
    again(campaign, alices, gone)
    assert ilse.traits.get(name="Flute").value == 1
    assert not list(differences(campaign.pk))


def test_refused_where_later_changes_stand_on_it(campaign: Any, alices: Any, ilse: Any) -> None:
    first = rename(campaign, alices, ilse, "Ilsebill")
    second = rename(campaign, alices, ilse, "Isa")
    with pytest.raises(Refused, match=f"Entry {second.seq} depends on this one"):
        again(campaign, alices, first)
    again(campaign, alices, second)


def test_entries_are_undone_one_after_the_other_from_the_last(campaign: Any, alices: Any, ilse: Any) -> None:
    done = [rename(campaign, alices, ilse, name) for name in ("Ilsebill", "Isa", "Ilka", "Ines")]
    for entry in reversed(done[1:]):
        undone = again(campaign, alices, entry)
    again(campaign, alices, undone)  # the second name stands after all
    with pytest.raises(Refused, match=f"Entry {done[1].seq} depends on this one"):
        again(campaign, alices, done[0])
    again(campaign, alices, done[1])
    again(campaign, alices, done[0])
    ilse.refresh_from_db()
    assert ilse.name == "Ilse"
    assert not list(differences(campaign.pk))


def test_an_undo_of_something_earlier_stands_on_what_came_between(campaign: Any, alices: Any, ilse: Any) -> None:
    first = rename(campaign, alices, ilse, "Ilsebill")
    gone = again(campaign, alices, first)
    second = rename(campaign, alices, ilse, "Isa")
    with pytest.raises(Refused, match=f"Entry {second.seq} depends on this one"):
        again(campaign, alices, gone)
    again(campaign, alices, second)
    again(campaign, alices, gone)
    ilse.refresh_from_db()
    assert ilse.name == "Ilsebill"


def test_dice_that_fell_are_the_gms_to_take_back(campaign: Any, alices: Any, bobs: Any, ilse: Any, scene: Any) -> None:
    fell = rolled(campaign, bobs, ilse)
    assert not may_undo(bobs, fell)
    with pytest.raises(Refused, match="no dice"):
        again(campaign, bobs, fell)
    assert again(campaign, alices, fell)


def test_a_session_is_not_undone_before_the_scenes_in_it(campaign: Any, alices: Any) -> None:
    by: dict[str, Any] = {"campaign": campaign, "actor": alices}
    opened = sessions.open_session(**by, op_id=uuid.uuid4())
    scene = sessions.open_scene(**by, op_id=uuid.uuid4(), title="The mill", characters=[])
    assert refusal(undo, **by, seq=opened.seq) == (
        "", f"Entry {scene.seq} depends on this one. Undo that one first.")
    assert Scene.objects.filter(session__isnull=False).exists()


def test_once_is_enough(campaign: Any, alices: Any, ilse: Any) -> None:
    done = rename(campaign, alices, ilse, "Ilsebill")
    again(campaign, alices, done)
    with pytest.raises(Refused, match="already undone"):
        again(campaign, alices, done)


def test_a_joining_is_not_undone(campaign: Any, alices: Any, bobs: Any) -> None:
    joined = Entry.objects.get(campaign=campaign, kind="member.join")
    with pytest.raises(Refused, match="kind"):
        again(campaign, alices, joined)


def test_in_the_browser(as_alice: Client, as_bob: Client, campaign: Any, alices: Any, ilse: Any) -> None:
    done = rename(campaign, alices, ilse, "Ilsebill")
    at = f"/c/{campaign.slug}/ledger/{done.seq}"
    refused = as_bob.post(f"{at}/undo/", body(reason="Not mine"))
    assert refused.status_code == 422
    assert "Ask the GM. You can undo what you wrote" in refused.content.decode()
    assert as_alice.post(f"{at}/undo/", body(reason="A slip")).status_code == 302
    page = as_bob.get(f"{at}/").content.decode()
    assert f"Undone by entry {done.seq + 1}" in page


def test_an_undone_undo_shows_the_entry_standing(as_alice: Client, campaign: Any, alices: Any, ilse: Any) -> None:
    done = rename(campaign, alices, ilse, "Ilsebill")
    again(campaign, alices, again(campaign, alices, done))
    ilse.refresh_from_db()
    assert ilse.name == "Ilsebill"
    assert "Undone by" not in as_alice.get(f"/c/{campaign.slug}/ledger/{done.seq}/").content.decode()


def test_outsiders_find_nothing(as_charlie: Client, campaign: Any, alices: Any, ilse: Any) -> None:
    done = rename(campaign, alices, ilse, "Ilsebill")
    assert as_charlie.post(f"/c/{campaign.slug}/ledger/{done.seq}/undo/", body()).status_code == 404
