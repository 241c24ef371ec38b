"""How somebody stands in a scene: who surrendered, escaped or fell unconscious in a fight of it is so until it ends, at
every roll and in every fight of the scene; who died is dead for good (PN-11).

*Ruling*: nobody unconscious rolls. Who surrendered or escaped may still roll, and is out of the next fight of the scene
until the GM brings them back.
"""
from __future__ import annotations

from collections.abc import Iterable

from rules.engine import Procedure, S, Sheets
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.sheet import Effect, SetDead, Sheet, Spend
from rules.system import PoolKind
from rules.systems.pnc.combat import CombatStatus
from rules.wording import join

FIGHTING, DEAD = CombatStatus.FIGHTING.value, CombatStatus.DEAD.value
UNCONSCIOUS = CombatStatus.UNCONSCIOUS.value
IN_WORDS = {
    CombatStatus.SURRENDERED.value: "has surrendered", UNCONSCIOUS: "is unconscious",
    CombatStatus.ESCAPED.value: "has escaped",
}
POOLS = tuple(
    PoolKind(name, f"{name.capitalize()} in this scene", f"Whether someone {words}, until the scene ends.", "PN-11",
             sheets="none", of_scene=True, out=True)
    for name, words in IN_WORDS.items())


def standing_of(sheet: Sheet) -> str:
    """How somebody stands: `dead`, what a fight of this scene made of them, or `fighting`."""
    return DEAD if sheet.dead else next((name for name in IN_WORDS if sheet.pool(name)), FIGHTING)


def in_words(sheet: Sheet) -> str:
    """How somebody stands who is out of it until the scene ends, as a sentence; "" for all others."""
    words = IN_WORDS.get(standing_of(sheet))
    return f"{sheet.name} {words}, until the scene ends." if words else ""


def unable(sheet: Sheet) -> str:
    """Why somebody can't roll, as a sentence; "" for who can."""
    if sheet.dead:
        return f"{sheet.name} is dead."
    if standing_of(sheet) != UNCONSCIOUS:
        return ""
    return f"{in_words(sheet)} The GM can bring them round sooner, with “Recover again”."


class OfTheAwake(Procedure[S]):
    """What goes on beside a fight: whoever fell unconscious or died since it began rolls in it no more (PN-11). The GM
    does what is done `instead`, or brings them round."""

    instead: str

    def offered(self, state: S, sheets: Sheets, action: str = "") -> list[Offer]:
        return [offer for offer in super().offered(state, sheets, action)
                if not (offer.rolls and offer.by in sheets and unable(sheets[offer.by]))]

    def asks(self, state: S, sheets: Sheets) -> tuple[Ask, ...]:
        offers = self.offers(state, sheets)
        legal = {(offer.by, offer.action) for offer in offers}
        can = [(ask, not (ask.by in sheets and unable(sheets[ask.by])) or (ask.by, ask.action) in legal)
               for ask in super().asks(state, sheets)]
        out = [sheets[ask.by] for ask, able in can if not able]
        going_on = next((offer for offer in offers if offer.action == self.instead and not offer.by), None)
        gms = (Ask("", self.instead, f"{_begun(going_on.title)}: {in_words(out[0]) or unable(out[0])}", going_on.title),
               ) if out and going_on else ()
        return (*(ask for ask, able in can if able), *gms)


def _begun(title: str) -> str:
    return title[:1].lower() + title[1:]


def stands(sheet: Sheet, standing: str) -> tuple[Effect, ...]:
    """What makes a sheet say that its owner stands so."""
    effects: list[Effect] = [
        Spend(sheet.id, name, (name == standing) - sheet.pool(name)) for name in IN_WORDS
        if sheet.pool(name) != (name == standing)]
    if sheet.dead != (standing == DEAD):
        effects.append(SetDead(sheet.id, standing == DEAD))
    return tuple(effects)


def back(sheets: Iterable[Sheet], why: str) -> tuple[Step, ...]:
    """That all who were out of it until now no longer are, as a step; none where nobody was."""
    names = [f"{sheet.name} ({standing_of(sheet)})" for sheet in sheets if standing_of(sheet) in IN_WORDS]
    return (Step("PN-11", f"{why} {join(names)} can act again."),) if names else ()
