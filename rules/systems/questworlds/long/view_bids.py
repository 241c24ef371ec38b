"""What a bid is made with, as its page draws it (QW-51, QW-52)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.procedure import Perspective
from rules.sheet import Sheet
from rules.systems.questworlds.long.offer_bids import bidding as offers
from rules.systems.questworlds.long.rounds import choice_of
from rules.systems.questworlds.long.state import State


@dataclass(frozen=True)
class Bidding:
    """A bid of one player's: what they have, in words, and bids to tap as (points, what they are)."""

    by: str
    has: str
    bids: tuple[tuple[int, str], ...]


def bidding(state: State, sheets: Mapping[str, Sheet], viewer: Perspective) -> tuple[Bidding, ...]:
    """Of each player whose bid is awaited, as far as the viewer may act for them."""
    found = []
    for offer in offers(state, sheets) if state.form == "extended" and state.runs else ():
        if offer.action != "bid" or not (viewer.runs or offer.by in viewer.plays):
            continue
        now = offer.now or {}
        who = state.entrant(str(now.get("who") or offer.by))
        # Before the first bid the points are those that the ability in the form would bring.
        has = who.ap if who.armed else state.target(who.id, choice_of(state, sheets, who.id, now))
        most = who.most_bid if who.armed else has
        words = f"your points {has} · most {most}" if who.armed else f"your points begin with {has}"
        found.append(Bidding(offer.by, words, tuple(_bids(state, has, most))))
    return tuple(found)


def _bids(state: State, has: int, most: int) -> Iterator[tuple[int, str]]:
    """The usual one, half of what there is, all of it, and all that one began with, where that is desperate."""
    usual, half = state.edition.bids.bid, (has + 1) // 2
    if usual < has:
        yield usual, ""
    if usual < half < has:
        yield half, "half"
    if has > 0:
        yield has, "all"
    if most > has:
        yield most, "desperate"
