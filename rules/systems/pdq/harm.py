"""What damage is: failure ranks, which are ground lost for now, or wounds (PQ-17, PQ-18)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.sheet import Sheet, Spend, Trait
from rules.systems.pdq.chart import can_lose, usable
from rules.wording import join

FAILURE, WOUND = "failure", "damage"  # as a conflict's setup and its events have it


def ranks(amount: int, harm: str = WOUND) -> str:
    """So much damage in words.

    >>> ranks(1), ranks(3, FAILURE)
    ('1 wound', '3 failure ranks')
    """
    noun = "failure rank" if harm == FAILURE else "wound"
    return f"{amount} {noun}{'' if amount == 1 else 's'}"


def in_words(wounds: int, failures: int) -> str:
    """Damage of both kinds: `2 wounds and 1 failure rank`; "" for none."""
    parts = [ranks(wounds)] if wounds else []
    return join([*parts, ranks(failures, FAILURE)] if failures else parts, empty="")


def on_trait(trait: Trait) -> str:
    """The damage on one quality, in words."""
    return in_words(trait.wounds, trait.failures)


def on_sheet(sheet: Sheet) -> str:
    """All damage on a sheet, in words."""
    return in_words(sum(trait.wounds for trait in sheet.traits), sum(trait.failures for trait in sheet.traits))


def easiest(sheet: Sheet, amount: int) -> dict[str, int]:
    """A spread that hurts least: from the highest quality down, and below Poor only once none has room left."""
    room = sorted(sheet.traits, key=lambda trait: -can_lose(trait))
    left, spread = amount, dict.fromkeys((trait.id for trait in room if can_lose(trait)), 0)
    for spared in (1, 0):
        for trait in room:
            more = min(left, max(0, can_lose(trait) - spared - spread.get(trait.id, 0)))
            left -= more
            if more:
                spread[trait.id] += more
    return {quality: lost for quality, lost in spread.items() if lost}


# What the rules tie to a scene, as notes on a sheet that the end of the scene clears: whatever happens in one reads
# them alike, be it a test, a conflict, or the next conflict.
HURT, CHIN, WEAK = "hurt", "chin", "weak"
CARRIED = "carried"  # how many qualities were below Poor when the last scene ended: they put nobody out in this one


def hurt_before(sheet: Sheet) -> bool:
    """Whether they have taken damage in this scene (PQ-14)."""
    return sheet.pool(HURT) > 0


def chin_used(sheet: Sheet) -> bool:
    """Whether they have taken it on the chin in this scene (PQ-15)."""
    return sheet.pool(CHIN) > 0


def weak_before(sheet: Sheet) -> bool:
    """Whether the GM has said in this scene that a weakness of theirs applies (PQ-14)."""
    return sheet.pool(WEAK) > 0


def noted(sheets: Mapping[str, Sheet], *who: str, what: str = HURT) -> tuple[Spend, ...]:
    """That this happened to these in the scene, noted once each."""
    return tuple(Spend(id_, what, 1) for id_ in dict.fromkeys(who) if id_ in sheets and not sheets[id_].pool(what))


def below_poor(sheet: Sheet) -> tuple[Trait, ...]:
    """The qualities that can't be used."""
    return tuple(trait for trait in sheet.traits if not usable(trait))


def out_of_action(sheet: Sheet) -> str:
    """Which qualities put a character out of action, as a person lists them; "" for who can act (PQ-16).

    Out of action is until the scene ends: what was below Poor as this one began puts nobody out.
    """
    low = below_poor(sheet)
    return join([trait.name for trait in low], empty="") if len(low) > sheet.pool(CARRIED) else ""


def unable(sheet: Sheet) -> str:
    """Why a character can't act now, as a sentence; "" for who can (PQ-16, PQ-17)."""
    if sheet.dead:
        return f"{sheet.name} is dead."
    low = out_of_action(sheet)
    if not low:
        return ""
    return (f"{sheet.name} is out of action until the scene ends: {low} fell below Poor. "
            "The GM can let them recover sooner, with “Recover again”.")
