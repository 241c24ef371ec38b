"""What experience buys (PQ-19)."""
from __future__ import annotations

from rules.sheet import Effect, Gain, Raise, Sheet, Spend
from rules.system import GrowthRules, Purchase, Settings
from rules.systems.pdq.chart import STRENGTH, Rank
from rules.values import BadMove

PRICE = 4
LEARN = "learn"


class PdqGrowth(GrowthRules):
    def purchases(self, sheet: Sheet, settings: Settings) -> tuple[Purchase, ...]:
        """What a character may buy now: nothing with fewer than 4 points."""
        if sheet.pool("xp") < PRICE:
            return ()
        raises = tuple(
            Purchase(f"raise:{trait.id}", f"Raise {trait.name} to {Rank(trait.value + 1).notation}", PRICE, trait.id)
            for trait in sheet.traits if trait.value < Rank.MASTER
        )
        return (*raises, Purchase(LEARN, f"Learn a new quality at {Rank.GOOD.notation}", PRICE, asks_name=True))

    def buy(self, sheet: Sheet, purchase: Purchase, name: str, settings: Settings) -> tuple[Effect, ...]:
        """What buying it does; raises `BadMove` for what can't be bought now, or a name that is not its own."""
        offered = {purchase.choice: purchase for purchase in self.purchases(sheet, settings)}
        if not offered:
            raise BadMove(f"This costs {PRICE} experience; there are {sheet.pool('xp')}.", "choice")
        if purchase.choice not in offered:
            raise BadMove("Choose a quality below Master, or a new one.", "choice")
        paid = Spend(sheet.id, "xp", -PRICE)
        if purchase.choice != LEARN:
            return (paid, Raise(offered[purchase.choice].trait, 1))
        name = " ".join(name.split())
        if not name:
            raise BadMove("Name the new quality.", "name")
        if any(trait.name.casefold() == name.casefold() for trait in sheet.traits):
            raise BadMove(f"There is a quality called {name} already; raise it, or choose another name.", "name")
        return (paid, Gain(sheet.id, STRENGTH, name, int(Rank.GOOD)))
