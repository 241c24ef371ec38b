"""Who plays a character, whether it is in the story, and who knows of it."""
from __future__ import annotations

import uuid

import pytest

from campaigns.errors import Refused
from characters.models import GMNote
from characters.services import lifecycle
from tests.characters.conftest import at, body, last, make, said


def test_the_gm_gives_a_character_to_a_player(as_alice, as_bob, campaign, alices, bobs):
    tomas = make(campaign, alices, "Tomas", npc=True)
    assert as_bob.get(at("character_edit", tomas)).status_code == 404
    assert as_alice.post(at("assign", tomas), body(player=str(bobs.pk))).url == at("sheet", tomas)
    tomas.refresh_from_db()
    assert (tomas.player, tomas.npc) == (bobs, False)
    assert as_bob.get(at("character_edit", tomas)).status_code == 200
    # The trail never carries a person's name.
    assert "Bob" not in last(campaign).payload.text
    as_alice.post(at("assign", tomas), body(player="nobody"))
    assert as_bob.get(at("character_edit", tomas)).status_code == 404


def test_assigning_to_a_stranger_an_observer_or_a_hidden_one(as_alice, ilse, guard, campaign, daras, bobs, alices):
    before = last(campaign).seq
    for player in (str(daras.pk), str(uuid.uuid4()), "Bob\0"):
        assert as_alice.post(at("assign", ilse), body(player=player)).status_code == 422
    answer = as_alice.post(at("assign", guard), body(player=str(bobs.pk)))
    assert "Show it first." in answer.content.decode()
    assert last(campaign).seq == before
    with pytest.raises(Refused, match="a player in"):
        lifecycle.assign(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, player_id=daras.pk)


def test_assigning_is_the_gms(as_bob, as_dara, as_charlie, ilse):
    for browser in (as_bob, as_dara, as_charlie):
        assert browser.post(at("assign", ilse), body(player="")).status_code == 404


def test_a_player_retires_a_character_and_brings_it_back(as_bob, ilse, campaign):
    as_bob.post(at("retire", ilse), body(sure="1"))
    ilse.refresh_from_db()
    assert ilse.retired
    assert said(last(campaign))["title"] == "Ilse is retired"
    answer = as_bob.post(at("retire", ilse), body(sure="1"))
    assert answer.status_code == 422
    assert "No change: Ilse is already retired." in answer.content.decode()
    as_bob.post(at("retire", ilse), body(back="1"))
    ilse.refresh_from_db()
    assert not ilse.retired


def test_retiring_asks_once_whoever_sends_it(as_bob, ilse, campaign):
    before = last(campaign).seq
    asked = as_bob.post(at("retire", ilse), body())
    page = asked.content.decode()
    assert asked.status_code == 200 and "Ilse is removed from play." in page and "Retire Ilse" in page
    ilse.refresh_from_db()
    assert not ilse.retired and last(campaign).seq == before
    assert f'href="{at("sheet", ilse)}"' in page and 'name="sure" value="1"' in page
    op_id = page.split('name="op_id" value="')[1].split('"')[0]
    for _ in range(2):
        assert as_bob.post(at("retire", ilse), {"op_id": op_id, "sure": "1"}).status_code == 302
    ilse.refresh_from_db()
    assert ilse.retired and last(campaign).seq == before + 1


def test_retiring_is_its_players_and_the_gms(as_dara, as_charlie, as_bob, ilse, campaign, alices):
    hers = make(campaign, alices, "Tomas")
    assert as_dara.post(at("retire", ilse), body(sure="1")).status_code == 404
    assert as_charlie.post(at("retire", ilse), body(sure="1")).status_code == 404
    assert as_bob.post(at("retire", hers), body()).status_code == 404
    assert as_bob.get(at("retire", ilse))["Location"] == at("retire", ilse).removesuffix("retire/"), "to the sheet"


def test_showing_says_the_whole_sheet_to_all(as_alice, as_bob, guard, campaign, bobs):
    as_alice.post(at("gm_note", guard), body(words="Bought by the Duke"))
    assert last(campaign).audience == "gm"
    as_alice.post(at("hide", guard), body(show="1"))
    entry = last(campaign)
    assert (entry.kind, entry.audience) == ("character.show", "all")
    present = {(row["of"], row["became"].get("name")) for row in said(entry)["present"]}
    assert present == {("character", "Guard"), ("trait", "Fighting")}
    assert "Duke" not in entry.payload.text
    assert as_bob.get(at("sheet", guard)).status_code == 200


def test_hiding_an_npc_again(as_alice, as_bob, guard, campaign, bobs):
    as_alice.post(at("hide", guard), body(show="1"))
    as_alice.post(at("hide", guard), body())
    assert last(campaign).audience == "gm"
    assert as_bob.get(at("sheet", guard)).status_code == 404
    answer = as_alice.post(at("hide", guard), body())
    assert "is already hidden." in answer.content.decode()


def test_a_players_character_cannot_be_hidden(as_alice, ilse, campaign):
    answer = as_alice.post(at("hide", ilse), body())
    assert answer.status_code == 422
    assert "Only an NPC can be hidden." in answer.content.decode()


def test_every_entry_about_a_hidden_character_is_the_gms(as_alice, guard, campaign):
    start = last(campaign).seq
    as_alice.post(at("award", guard), body(pool="xp", amount=3, reason="Ambush"))
    as_alice.post(at("retire", guard), body(sure="1"))
    as_alice.post(at("duplicate", guard), body())
    audiences = set(campaign.entries.filter(seq__gt=start).values_list("audience", flat=True))
    assert audiences == {"gm"}


def test_hiding_is_the_gms(as_bob, as_dara, as_charlie, ilse, guard):
    for browser in (as_bob, as_dara, as_charlie):
        assert browser.post(at("hide", ilse), body()).status_code == 404
        assert browser.post(at("hide", guard), body(show="1")).status_code == 404


def test_a_gms_note_stays_with_the_gm(as_alice, as_bob, ilse, campaign):
    as_alice.post(at("gm_note", ilse), body(words="Her brother is alive"))
    assert GMNote.objects.get().text == "Her brother is alive"
    assert last(campaign).audience == "gm"
    assert "Her brother is alive" in as_alice.get(at("sheet", ilse)).content.decode()
    page = as_bob.get(at("sheet", ilse))
    assert "brother" not in page.content.decode()
    assert page.context["sheet"].note is None
    past = as_bob.get(at("sheet_as_of", ilse, last(campaign).seq))
    assert "brother" not in past.content.decode()


def test_notes_are_checked(as_alice, as_bob, ilse, campaign):
    before = last(campaign).seq
    for words in ("", "x" * 20_001, "a\0b"):
        answer = as_alice.post(at("gm_note", ilse), body(words=words))
        assert answer.status_code == 422
    assert last(campaign).seq == before
    assert as_bob.get(at("gm_note", ilse)).status_code == 404


@pytest.mark.parametrize(("button", "sent", "sentence"), [
    ("set_dead", {}, "No change: Guard is already dead."),
    ("set_dead", {"revive": "1"}, "No change: Guard is already alive."),
    ("hide", {"view": "all"}, "No change: players already see everything of Guard."),
    ("hide", {"view": "face"}, "No change: players already see its name and picture."),
])
def test_a_button_that_changes_nothing_says_so(as_alice, guard, campaign, button, sent, sentence):
    if sentence != "No change: Guard is already alive.":
        assert as_alice.post(at(button, guard), body(**sent)).status_code == 302
    before = last(campaign).seq
    answer = as_alice.post(at(button, guard), body(**sent))
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert last(campaign).seq == before


def test_looks_that_say_the_same_are_no_change(as_bob, ilse):
    for status in (302, 422):
        answer = as_bob.post(at("looks", ilse), body(looks="A scar on the chin"))
        assert answer.status_code == status
    assert "No change: the text is the same." in answer.content.decode()
    assert "A scar on the chin" in answer.content.decode()
