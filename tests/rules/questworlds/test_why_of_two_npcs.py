"""What the GM rolls for two NPCs says why, too (QW-02, QW-44, QW-52)."""
from __future__ import annotations

from typing import Any

from rules.systems.questworlds.long import ExtendedLong, ScoredLong
from tests.rules.questworlds.longing import Table


def told(table: Table, action: str) -> tuple[str, list[tuple[str, str]]]:
    """Why what the GM would roll is what it is: the number, and each part."""
    (offer,) = (offer for offer in table.kind.offers(table.state, table.sheets)
                if (offer.action, offer.by) == (action, ""))
    why = table.kind.why(table.state, table.sheets, offer, {**(offer.now or {})})
    assert why
    return why.number, [(part.counts, part.label) for part in why.parts]


def npcs(kind: Any) -> Table:
    """Captain Vey, an NPC, against a clerk."""
    return Table(kind=kind(), opponents="Clerk 11", who=(("v", "The watch", False),))


def test_qw_44_a_round_of_two_npcs() -> None:
    assert told(npcs(ScoredLong), "gm_round") == ("17", [("17", "Sabre"), ("11", "Against Clerk")])


def test_qw_52_an_exchange_of_two_npcs() -> None:
    table = npcs(ExtendedLong)
    table.act("", "gm_bid", who="v", whom="~0", bid=3)
    assert told(table, "gm_exchange") == ("17", [("17", "Sabre"), ("11", "Against Clerk")])
