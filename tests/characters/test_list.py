"""The list of characters."""
from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.services import lifecycle, npcs
from tests.characters.conftest import at, make


def test_mine_come_first_and_retired_are_folded(as_bob, ilse, campaign, alices, bobs):
    make(campaign, alices, "Aaron")
    old = make(campaign, bobs, "Old Tomas", player=bobs)
    lifecycle.retire(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), character_id=old.pk, retired=True)
    page = as_bob.get(at("characters")).content.decode()
    assert page.index("Yours") < page.index("Ilse") < page.index("Players’ characters") < page.index("Aaron")
    assert page.index("<details class=\"shelf\"") < page.index("Old Tomas")


def test_players_do_not_learn_of_hidden_npcs(as_bob, as_alice, ilse, guard):
    assert "Guard" in as_alice.get(at("characters")).content.decode()
    for query in ("", "?q=guard", f"?shelf=npcs&after={guard.pk}", "?shelf=npcs"):
        page = as_bob.get(at("characters") + query)
        assert "Fighting" not in page.content.decode()
        assert str(guard.pk) not in page.content.decode().replace(f"after={guard.pk}", "")


def test_an_empty_list_teaches_the_first_step(as_bob, as_alice, as_dara, bobs, campaign):
    assert "New character" in as_bob.get(at("characters")).content.decode()
    assert "one line is enough" in as_alice.get(at("characters")).content.decode()
    page = as_dara.get(at("characters")).content.decode()
    assert "No characters yet." in page
    assert "New character" not in page


def test_search_by_name(as_bob, ilse, campaign, alices):
    make(campaign, alices, "Tomas")
    page = as_bob.get(at("characters") + "?q=toM").content.decode()
    assert "Tomas" in page
    assert "Ilse" not in page
    assert "Nobody here is called “Zzz”" in as_bob.get(at("characters") + "?q=Zzz").content.decode()


@pytest.mark.parametrize("q", ["a%00b", "x" * 200])
def test_a_search_that_makes_no_sense_is_refused_in_words(as_bob, ilse, q):
    answer = as_bob.get(at("characters") + f"?q={q}")
    assert answer.status_code == 422
    assert "error" in answer.content.decode()


@pytest.mark.parametrize(
    "query", ["?shelf=all&after=x", "?shelf=npcs&after=%00", f"?shelf=mine&after={uuid.UUID(int=1)}"]
)
def test_forged_addresses_do_no_harm(as_bob, ilse, query):
    assert as_bob.get(at("characters") + query).status_code == 200


def test_paged_by_key_every_npc_once(as_alice, alices, campaign):
    for number in range(30):
        npcs.quick(campaign=campaign, actor=alices, op_id=uuid.uuid4(), line=f"Guard {number}, Fighting good")
    names, url = [], at("characters") + "?shelf=npcs"
    while url:
        shelves = as_alice.get(url, headers={"HX-Request": "true"}).context["shelves"]
        (_, cards, after), = shelves
        names += [card.name for card in cards]
        url = after and at("characters") + f"?shelf=npcs&after={after}"
    assert names == sorted(names)
    assert len(names) == len(set(names)) == 30


def test_queries_do_not_grow_with_characters(as_alice, alices, campaign, bobs):
    def count():
        with CaptureQueriesContext(connection) as seen:
            as_alice.get(at("characters"))
        return len(seen)

    make(campaign, bobs, "A", player=bobs)
    npcs.quick(campaign=campaign, actor=alices, op_id=uuid.uuid4(), line="Guard, Fighting good")
    few = count()
    for number in range(12):
        make(campaign, bobs, f"B {number}", player=bobs)
        npcs.quick(campaign=campaign, actor=alices, op_id=uuid.uuid4(), line=f"Guard {number}, Fighting good")
    assert count() == few


def test_the_list_is_for_members(as_charlie, anonymous, as_dara, ilse):
    assert as_charlie.get(at("characters")).status_code == 404
    assert anonymous.get(at("characters")).status_code == 302
    assert as_dara.get(at("characters")).status_code == 200


def test_my_sheet(as_bob, as_alice, as_dara, bobs, campaign):
    assert as_bob.get(at("my_sheet")).url == at("character_begin")
    assert as_alice.get(at("my_sheet")).url == at("characters")
    assert as_dara.get(at("my_sheet")).url == at("characters")
    mine = make(campaign, bobs, player=bobs)
    assert as_bob.get(at("my_sheet")).url == at("sheet", mine)
