"""Of every game by chance: what a player says of a roll is marked with a name, and gone once the GM has struck it."""
from __future__ import annotations

from random import Random

import pytest

from rules.moves import Need
from rules.procedure import ReadingOffer
from rules.registry import SYSTEMS
from rules.strike import DISMISS, HearsWords
from tests.effort import tries
from tests.rules.at_any_table import AnyTable

HEARING = [(system, kind) for system in SYSTEMS.values() for kind in system.procedures if isinstance(kind, HearsWords)]


@pytest.mark.parametrize("name", sorted(kind.name for _, kind in HEARING))
def test_what_is_struck_is_marked_as_somebodys_and_counts_no_more(name: str) -> None:
    system, kind = next((system, kind) for system, kind in HEARING if kind.name == name)
    for seed in range(tries(8, 200)):
        table = AnyTable(system, kind, Random(seed))
        for _ in range(14):
            offers = list(table.offers())
            for offer in (offer for offer in offers if offer.action == DISMISS):
                lines = (offer.options or {})["which"]
                for which, words in lines:
                    # Of several who roll, some may have yet to: then the GM takes off whatever counts for those.
                    lie = isinstance(offer, ReadingOffer) and getattr(table.plain, "all_rolled", True)
                    assert not lie or " says: " in words, "of dice that lie, only what was said"
                    came = kind.act(table.state, table.sheets, "", DISMISS, {"which": which})
                    assert not isinstance(came, Need) and not came.dice, "no die falls again"
                    assert words in came.steps[0].text
            table.chance.shuffle(offers)
            if not (choice := next((done for offer in offers if (done := table.found(offer))), None)):
                break
            table.keep(choice[1])
