"""NPCs from one line, and one more of the same."""
from __future__ import annotations

import uuid

import pytest

from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character
from tests.characters.conftest import at, body, last, make, said


def test_an_npc_from_one_line(as_alice, alices, campaign):
    answer = as_alice.post(at("npc_quick"), body(line="guard, Fighting good, Slow poor"))
    guard = Character.objects.get()
    assert answer.url == at("sheet", guard)
    assert (guard.name, guard.npc, guard.hidden) == ("guard", True, False)
    assert list(guard.traits.order_by("place").values_list("name", "value")) == [("Fighting", 1), ("Slow", -1)]


def test_an_npc_that_nobody_knows_of_yet(as_alice, as_bob, bobs, alices, campaign):
    as_alice.post(at("npc_quick"), body(line="guard, Fighting good", hidden="on"))
    assert last(campaign).audience == "gm"
    assert as_bob.get(at("sheet", Character.objects.get())).status_code == 404


def test_squads_are_one_npc_each(as_alice, alices, campaign):
    form = body(line="2 squads of 5 guards, good")
    for _ in range(2):
        as_alice.post(at("npc_quick"), form)
    assert sorted(Character.objects.values_list("name", flat=True)) == ["Guards 1", "Guards 2"]
    assert {tuple(character.traits.values_list("name", "value", "note")) for character in Character.objects.all()} == {
        (("Guards", 1, "A squad of 5"),)}
    as_alice.post(at("npc_quick"), body(line="a squad of 3 guards, poor"))
    assert Character.objects.filter(name="Guards", traits__note="A squad of 3").exists()
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize(
    "line", ["", "Rapier seventeen", "guard, Fighting",
             ", Fighting good", "x" * 121, "gu\0ard", "a, " + "b" * 130 + " good"]
)
def test_a_line_that_makes_no_sense_is_kept_and_refused(as_alice, alices, campaign, line):
    before = last(campaign).seq
    answer = as_alice.post(at("npc_quick"), body(line=line))
    assert answer.status_code == 422
    assert "error" in answer.content.decode()
    assert last(campaign).seq == before


def test_npcs_are_the_gms(as_bob, as_dara, as_charlie, anonymous, bobs, guard, campaign):
    for browser in (as_bob, as_dara, as_charlie):
        assert browser.post(at("npc_quick"), body(line="guard")).status_code == 404
        assert browser.post(at("duplicate", guard), body()).status_code == 404
    assert anonymous.post(at("npc_quick"), body(line="guard")).status_code == 302


def test_another_like_this(as_alice, guard, campaign):
    guard.traits.update(damage=1)
    as_alice.post(at("duplicate", guard), body())
    form = body()
    as_alice.post(at("duplicate", guard), form)
    as_alice.post(at("duplicate", guard), form)
    assert sorted(Character.objects.values_list("name", flat=True)) == ["Guard", "Guard 2", "Guard 3"]
    second = Character.objects.get(name="Guard 2")
    assert (second.hidden, second.npc, second.traits.get().damage) == (True, True, 0)
    assert said(last(campaign))["title"] == "Guard 3 joins"


def test_a_players_character_is_one_of_a_kind(as_alice, ilse):
    answer = as_alice.post(at("duplicate", ilse), body())
    assert answer.status_code == 422
    assert "Only an NPC can be doubled." in answer.content.decode()


def test_long_names_stay_within_bounds(as_alice, alices, campaign):
    one = make(campaign, alices, "x" * 120, npc=True)
    as_alice.post(at("duplicate", one), body())
    assert max(len(name) for name in Character.objects.values_list("name", flat=True)) == 120


@pytest.mark.parametrize("line", ["x" * 121 + ", Halberd 17", "guard, " + "x" * 121 + " 17"])
def test_a_name_that_no_sheet_has_room_for(as_alice, alice, line):
    found(user=alice, op_id=uuid.uuid4(), name="Salt", system="questworlds")
    answer = as_alice.post(at("npc_quick", slug="salt"), body(line=line))
    assert answer.status_code == 422 and "Keep each name to 120 characters." in answer.content.decode()
    assert line in answer.content.decode() and not Character.objects.exists()
