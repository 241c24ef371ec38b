"""PDQ#: style dice are conserved, nobody who is out acts in a duel, and the GM can always end it (PS-20 to PS-34)."""
from __future__ import annotations

from typing import Any

from rules.procedure import ActResult, Offer
from rules.sheet import Purse, Spend, SpendShared, Transfer
from rules.systems.pdq_sharp.duel.state import State
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, STYLE
from tests.rules.at_any_table import AnyTable
from tests.rules.promises import Promises

ACTING = {"engage", "stance", "hold_back", "cede", "envenom", "break_off", "impasse"}
WAYS_OUT = ("end", "end_here")


class OwnPromises(Promises):
    """Counts the style dice at the table before each act."""

    rules = "PS-"
    walks = 10

    def __init__(self) -> None:
        self.dice: int | None = None

    def finds(self, offer: Offer) -> bool:
        """Whatever is said is taken, but for a roll that is certain either way."""
        return offer.action != "roll"

    def hold(self, table: AnyTable, result: ActResult[Any]) -> None:
        """As many style dice as before, but for those from the box; who is out of a duel does nothing in it."""
        before, self.dice = self.dice, dice(table)
        assert before is None or self.dice == before + brought(result), result.result["action"]
        if isinstance(table.plain, State) and not table.kind.is_over(table.plain):
            out = {fencer.id for fencer in table.plain.fencers if fencer.out}
            offers = table.offers()
            for offer in offers:
                assert offer.by not in out or offer.action not in ACTING, f"{offer.by} is out, and may {offer.action}"
            assert any(offer.action in WAYS_OUT and not offer.by for offer in offers), "the GM can always end it"


def dice(table: AnyTable) -> int:
    """All style dice that somebody holds, and those in the bowl."""
    return table.shared[BOWL] + table.shared[GM_DICE] + sum(sheet.pool(STYLE) for sheet in table.sheets.values())


def brought(result: ActResult[Any]) -> int:
    """How many of them come out of the box, less those that go back; they move in no other way."""
    box = 0
    for effect in result.effects:
        assert not (isinstance(effect, (Spend, SpendShared)) and effect.pool in (STYLE, BOWL, GM_DICE)), effect
        if isinstance(effect, Transfer):
            assert {purse.pool for purse in (effect.source, effect.target) if isinstance(purse, Purse)} <= {
                STYLE, BOWL, GM_DICE}
            box += effect.amount * ((effect.source is None) - (effect.target is None))
    return box
