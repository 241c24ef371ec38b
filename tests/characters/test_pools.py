"""Earning, spending, growing."""
from __future__ import annotations

import uuid

import pytest

from campaigns.errors import Refused
from characters.models import Pool
from characters.services import pools
from tests.characters.conftest import at, body, last, said
from tests.conftest import refusal
from tests.html_forms import Page


def award(campaign, actor, character, amount=5):
    return pools.award(campaign=campaign, actor=actor, op_id=uuid.uuid4(), character_id=character.pk, pool="xp",
                       amount=amount, reason="The duel on the bridge")


def test_pq_19_the_gm_awards_points_with_a_reason(as_alice, ilse, campaign):
    answer = as_alice.post(at("award", ilse), body(pool="xp", amount=3, reason="The bridge"))
    assert answer.url == at("sheet", ilse)
    assert Pool.objects.get(character=ilse).value == 3
    assert said(last(campaign))["title"] == "Ilse earns 3 experience"
    assert said(last(campaign))["reason"] == "The bridge"


@pytest.mark.parametrize("change", [
    {"amount": 0}, {"amount": -2}, {"amount": 101}, {"amount": 10**30}, {"amount": "some"}, {"reason": ""},
    {"reason": "a\0b"}, {"pool": "gold"}, {"op_id": ""},
])
def test_bad_awards_are_refused_with_what_was_typed(as_alice, ilse, campaign, change):
    before = last(campaign).seq
    answer = as_alice.post(at("award", ilse), {**body(pool="xp", amount=3, reason="The bridge"), **change})
    assert answer.status_code == 422
    assert "error" in answer.content.decode()
    assert last(campaign).seq == before


def test_awards_are_the_gms(as_bob, as_dara, as_charlie, anonymous, ilse, campaign, bobs):
    for browser in (as_bob, as_dara, as_charlie):
        assert browser.post(at("award", ilse), body(pool="xp", amount=3, reason="x")).status_code == 404
    assert anonymous.post(at("award", ilse)).status_code == 302
    with pytest.raises(Refused, match="Only the GM"):
        award(campaign, bobs, ilse)


def test_pq_19_four_points_raise_a_rank(as_bob, ilse, campaign, alices):
    award(campaign, alices, ilse)
    page = as_bob.get(at("grow", ilse))
    sailing = ilse.traits.get(name="Sailing")
    choice = next(offer.choice for offer in page.context["form"].offers if offer.trait == str(sailing.pk))
    assert as_bob.post(at("grow", ilse), body(choice=choice)).url == at("sheet", ilse)
    sailing.refresh_from_db()
    assert (sailing.value, Pool.objects.get(character=ilse).value) == (2, 1)


def test_pq_19_a_weakness_rises_from_poor_to_master_by_the_page(as_bob, ilse, campaign, alices):
    weakness = ilse.traits.get(kind="weakness")
    award(campaign, alices, ilse, 20)
    for value in (0, 1, 2, 3):
        page = as_bob.get(at("grow", ilse))
        raising, = [offer.choice for offer in page.context["form"].offers if offer.trait == str(weakness.pk)]
        assert Page(page).form(button="Buy growth").send(as_bob, choice=raising).status_code == 302
        weakness.refresh_from_db()
        assert (weakness.value, weakness.kind) == (value, "weakness")
    left = as_bob.get(at("grow", ilse)).context["form"].offers
    assert left and str(weakness.pk) not in {offer.trait for offer in left}, "no further than Master"


def test_pq_19_four_points_buy_a_good_quality(as_bob, ilse, campaign, alices):
    award(campaign, alices, ilse, 4)
    offers = as_bob.get(at("grow", ilse)).context["form"].offers
    choice = next(offer.choice for offer in offers if offer.asks_name)
    before = last(campaign).seq
    assert as_bob.post(at("grow", ilse), body(choice=choice)).status_code == 422
    assert last(campaign).seq == before
    assert as_bob.post(at("grow", ilse), body(choice=choice, name="Knots")).status_code == 302
    assert ilse.traits.get(name="Knots").value == 1
    assert Pool.objects.get(character=ilse).value == 0


def test_pq_19_without_points_there_is_nothing_to_buy(as_bob, ilse):
    page = as_bob.get(at("grow", ilse)).content.decode()
    assert "Buy</button>" not in page
    assert as_bob.post(at("grow", ilse), body(choice="raise")).status_code == 422


def test_growing_is_its_players_and_the_gms(as_dara, as_charlie, ilse, guard, as_bob):
    assert as_dara.get(at("grow", ilse)).status_code == 404
    assert as_charlie.get(at("grow", ilse)).status_code == 404
    assert as_bob.get(at("grow", guard)).status_code == 404


def test_spending_what_is_there_and_no_more(campaign, ilse, alices, bobs):
    award(campaign, alices, ilse, 2)

    def spend(amount):
        return pools.spend(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), character_id=ilse.pk, pool="xp",
                           amount=amount)

    assert said(spend(2))["title"] == "Ilse spends 2 experience"
    for amount in (1, 0, -1, 1000):
        with pytest.raises(Refused):
            spend(amount)


def test_what_was_bought_or_spent_meanwhile_is_not_there_any_more(ilse, campaign, bobs, alices):
    mine = {"campaign": campaign, "actor": bobs, "character_id": ilse.pk}
    assert refusal(pools.grow, **mine, choice="rank:gone") == (
        "choice", "This can’t be bought now. Choose one of the others.")
    assert refusal(pools.spend, **mine, pool="gold", amount=1) == (
        "pool", "Choose one of the pools that this game has.")
