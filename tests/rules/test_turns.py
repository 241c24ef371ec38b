"""Turns, as every fight has them."""
from __future__ import annotations

from dataclasses import dataclass

import pytest

from rules import turns


@dataclass(frozen=True)
class Brawler:
    id: str
    name: str
    side: str
    place: int = 0
    out: bool = False

    @property
    def fights(self) -> bool:
        return not self.out


ADA, BO, CY = Brawler("a", "Ada", "us", 2), Brawler("b", "Bo", "them", 1), Brawler("c", "Cy", "them", 2)
ALL = (ADA, BO, CY)


def place(brawler: Brawler) -> int:
    return brawler.place


def test_those_of_one_place_act_together_in_the_order_in_which_they_came() -> None:
    assert turns.in_order(ALL, place) == ((BO,), (ADA, CY))
    assert turns.next_up(ALL, place) == (BO,) and turns.next_up((CY, ADA), place) == (CY, ADA)
    assert turns.next_up((), place) == ()


def test_who_is_out_keeps_no_side_in_it() -> None:
    assert turns.goes_on(ALL) and turns.sides_left(ALL) == ("us", "them")
    beaten = turns.changed(turns.changed(ALL, "b", out=True), "c", out=True)
    assert turns.fighting(beaten) == (ADA,) and turns.sides_left(beaten) == ("us",) and not turns.goes_on(beaten)
    assert turns.changed(ALL, "nobody", out=True) == ALL


def test_who_may_act_is_on_turn_or_holds_between_two_turns() -> None:
    def holds(brawler: Brawler) -> bool:
        return brawler is CY

    assert turns.able(ALL, ("a",), holds) == (ADA, CY)
    assert turns.able(ALL, ("a",), holds, between=False) == turns.on_turn(ALL, ("a",)) == (ADA,)
    assert turns.without(("a", "b", "c"), "a", "c") == ("b",)


def test_somebody_is_found_by_id_and_named_in_the_order_asked_for() -> None:
    assert turns.entrant(ALL, "c") is CY and turns.names(ALL, ("c", "a")) == "Cy and Ada"
    with pytest.raises(KeyError):
        turns.entrant(ALL, "d")
