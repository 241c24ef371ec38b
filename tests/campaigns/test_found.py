"""Making a campaign."""
from __future__ import annotations

import uuid

import pytest

from campaigns.forms import FoundForm
from campaigns.models import Campaign, Entry, Role
from campaigns.services.founding import found
from rules.registry import SYSTEMS


def filled(**changes):
    """What the page sends when one changes nothing but the name."""
    form = FoundForm()
    fields = {name: form[name].initial for name in form.fields if form[name].initial not in (None, False)}
    return {**fields, "op_id": str(uuid.uuid4()), "name": "The Salt Road", "system": "pdq", "pitch": "", **changes}


def test_asks_to_log_in(anonymous):
    assert anonymous.get("/campaigns/new/")["location"] == "/log-in/?next=/campaigns/new/"


def test_shows_every_game_with_its_pitch_and_settings(as_alice, alice):
    page = as_alice.get("/campaigns/new/").content.decode()
    for system in SYSTEMS.values():
        assert system.name in page
        for setting in system.setting_fields:
            assert setting.label in page


def test_makes_one_with_the_defaults(as_alice, alice):
    answer = as_alice.post("/campaigns/new/", filled())
    assert answer["location"] == "/c/the-salt-road/"
    made = Campaign.objects.get()
    assert made.members.get().role == Role.OWNER
    assert made.settings == SYSTEMS["pdq"].read_settings({})


def test_keeps_the_settings(as_alice, alice):
    as_alice.post("/campaigns/new/", filled(**{"pdq-strength_ranks": "7", "pdq-defence": "stand", "pdq-weapons": "on"}))
    settings = Campaign.objects.get().settings
    assert (settings["strength_ranks"], settings["defence"], settings["weapons"]) == (7, "stand", True)


def test_a_second_click_finds_the_first(as_alice, alice):
    twice = filled()
    assert as_alice.post("/campaigns/new/", twice)["location"] == as_alice.post("/campaigns/new/", twice)["location"]
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "Fill this in."),
        ({"name": " \u00a0 "}, "Fill this in."),
        ({"name": "Salt\0"}, "can’t be stored"),
        ({"name": "x" * 121}, "120 characters at most, and there are 121"),
        ({"pitch": "x" * 4001}, "4000 characters at most"),
        ({"system": ""}, "Fill this in."),
        ({"system": "chess"}, "Choose one of these."),
        ({"pdq-strength_ranks": "31"}, "Enter 30 or less."),
        ({"pdq-strength_ranks": "9" * 9999}, "Enter a whole number."),
        ({"pdq-strength_ranks": ""}, "Fill this in."),
        ({"pdq-defence": "flee"}, "Choose one of these."),
        ({"op_id": "forged"}, "Reload the page."),
        ({"op_id": ""}, "Reload the page."),
    ],
)
def test_refuses_with_a_sentence_and_loses_nothing(as_alice, alice, changes, sentence):
    typed = {"pitch": "Salt & caravans", "pdq-weakness_ranks": "3", **changes}
    answer = as_alice.post("/campaigns/new/", filled(**typed))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    if "pitch" not in changes:
        assert "Salt &amp; caravans" in page
    assert 'name="pdq-weakness_ranks" value="3"' in page
    assert not Campaign.objects.exists()
    assert not Entry.objects.exists()


@pytest.mark.parametrize("name", ["🎲🎲", "塩の道", "<script>alert(1)</script>", "Straße", "x" * 120])
def test_takes_any_name(as_alice, alice, name):
    answer = as_alice.post("/campaigns/new/", filled(name=name))
    assert answer.status_code == 302
    assert Campaign.objects.get().name == name
    assert "<script>alert" not in as_alice.get("/").content.decode()


def test_one_name_twice_gets_two_addresses(alice, bob):
    made = [found(user=user, op_id=uuid.uuid4(), name="Road", system="pdq").slug for user in (alice, bob, alice)]
    assert made == ["road", "road-2", "road-3"]


def test_an_address_that_is_taken_at_the_last_moment(alice, monkeypatch):
    found(user=alice, op_id=uuid.uuid4(), name="Road", system="pdq")
    answers = iter(["road", "road-2"])
    monkeypatch.setattr("campaigns.services.founding.free_slug", lambda name: next(answers))
    assert found(user=alice, op_id=uuid.uuid4(), name="Road", system="pdq").slug == "road-2"


def test_text_is_kept_as_the_trail_has_it(alice):
    assert found(user=alice, op_id=uuid.uuid4(), name="A\u030alesund", system="pdq").name == "\u00c5lesund"
