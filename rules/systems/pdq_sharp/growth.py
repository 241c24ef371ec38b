"""What training points buy (PS-47)."""
from __future__ import annotations

from rules.sheet import Effect, Gain, Raise, Sheet, Spend
from rules.system import GrowthRules, Purchase, Settings
from rules.systems.pdq_sharp.chart import GOOD, MASTER, notation_of
from rules.systems.pdq_sharp.kinds import (
    FOIBLE,
    FORTE,
    HOOK,
    OPEN,
    SIDEKICK,
    SIDEKICK_FORTE,
    SIDEKICK_TECHNIQUE,
    SWASHBUCKLING_KINDS,
    TECHNIQUE,
)
from rules.systems.pdq_sharp.npc import technique_of
from rules.systems.pdq_sharp.reading import TRAINING, fortes, of_kind
from rules.values import BadMove

RANK, NEW_FORTE, NEW_FOIBLE = 4, 8, 4
TO_BEST, TO_ANOTHER, TO_ANY = 2, 4, 6
HOOK_TOO, EXPLANATION = "A story hook that comes with it", "How they came by it"
UNCHAINED, WITHIN = "technique:", "within:"


def _on_sidekicks(sheet: Sheet) -> list[Purchase]:
    """What training makes of one's sidekicks, at the prices of one's own (PS-05)."""
    purchases: list[Purchase] = []
    for who in of_kind(sheet, SIDEKICK):
        theirs = [trait for trait in of_kind(sheet, SIDEKICK_FORTE) if trait.parent == who.id]
        purchases += [Purchase(f"raise:{forte.id}", f"{who.name}: raise {forte.name} to {notation_of(forte.value + 1)}",
                           RANK, forte.id) for forte in theirs if forte.value < MASTER]
        purchases += [Purchase(f"{WITHIN}{forte.id}", f"{who.name}: a technique chained to {forte.name}", TO_ANOTHER,
                           who.id, True, EXPLANATION) for forte in theirs]
        purchases.append(Purchase(f"{WITHIN}{who.id}", f"{who.name}: a new forte at {notation_of(GOOD)}", NEW_FORTE,
                                  who.id, True, HOOK_TOO))
    return purchases


class PdqSharpGrowth(GrowthRules):
    apart = True

    def purchases(self, sheet: Sheet, settings: Settings) -> tuple[Purchase, ...]:
        """What a character may buy with the training points there are."""
        held = sheet.pool(TRAINING)
        purchases = [
            Purchase(f"raise:{forte.id}", f"Raise {forte.name} to {notation_of(forte.value + 1)}", RANK, forte.id)
            for forte in fortes(sheet) if forte.value < MASTER]
        for forte in fortes(sheet):
            cost = TO_BEST if forte.kind in SWASHBUCKLING_KINDS else TO_ANOTHER
            purchases.append(Purchase(f"{UNCHAINED}{forte.id}", f"A technique chained to {forte.name}", cost, forte.id,
                                  True, "" if cost == TO_BEST else EXPLANATION))
        purchases += [
            Purchase(UNCHAINED, "A technique that goes with any forte", TO_ANY, "", True, HOOK_TOO),
            Purchase("forte", f"A new forte at {notation_of(GOOD)}", NEW_FORTE, "", True, HOOK_TOO),
            Purchase(SIDEKICK, f"A sidekick at {notation_of(GOOD)}", NEW_FORTE, "", True, HOOK_TOO),
            Purchase("foible", "A new foible", NEW_FOIBLE, "", True, EXPLANATION),
        ]
        purchases += _on_sidekicks(sheet)
        return tuple(purchase for purchase in purchases if purchase.cost <= held)

    def buy(
        self, sheet: Sheet, purchase: Purchase, name: str, settings: Settings, words: str = ""
    ) -> tuple[Effect, ...]:
        """What buying it does; raises `BadMove`."""
        offered = {purchase.choice: purchase for purchase in self.purchases(sheet, settings)}
        if purchase.choice not in offered:
            raise BadMove("Choose one of those that are offered.", "choice")
        known, name = offered[purchase.choice], " ".join(name.split())
        paid = Spend(sheet.id, TRAINING, -known.cost)
        if not known.asks_name:
            return (paid, Raise(known.trait, 1))
        if not name:
            raise BadMove("Give it a name.", "name")
        if known.asks and not words.strip():
            raise BadMove(f"Enter {known.asks[:1].lower()}{known.asks[1:]}.", "words")
        kind, value = FORTE, GOOD
        if known.choice.startswith(UNCHAINED):
            name, value = technique_of(name)
            kind = TECHNIQUE
        elif known.choice == "foible":
            kind, value = FOIBLE, 0
        elif known.choice == SIDEKICK:
            kind = SIDEKICK
        elif known.choice.startswith(WITHIN):
            return (paid, *_within(sheet, known, name, words.strip()))
        if any(trait.name.casefold() == name.casefold() and trait.kind == kind for trait in sheet.traits):
            raise BadMove(f"There is {name} on the sheet already. Choose another name.", "name")
        note = words.strip() if known.asks == EXPLANATION else ""
        gained: tuple[Effect, ...] = (paid, Gain(sheet.id, kind, name, value, note=note, parent=known.trait))
        if known.asks == HOOK_TOO:
            gained += (Gain(sheet.id, HOOK, words.strip()[:120], OPEN, note=f"With {name}, by training"),)
        return gained


def _within(sheet: Sheet, known: Purchase, name: str, words: str) -> tuple[Effect, ...]:
    """A new line in a sidekick: a forte with a hook, or a technique chained to one of theirs."""
    host = sheet.trait(known.choice.removeprefix(WITHIN))
    if any(trait.name.casefold() == name.casefold() and trait.parent == known.trait for trait in sheet.traits):
        raise BadMove(f"There is {name} on the sheet already. Choose another name.", "name")
    if host and host.id != known.trait:
        name, kind = technique_of(name)
        return (Gain(sheet.id, SIDEKICK_TECHNIQUE, name, kind, note=host.name, parent=known.trait),)
    return (Gain(sheet.id, SIDEKICK_FORTE, name, GOOD, parent=known.trait),
            Gain(sheet.id, HOOK, words[:120], OPEN, note=f"With {name}, by training"))
