"""Why a roll is what it is: each quality, hurt as it is now, each shift and whose word it is (PQ-02, PQ-03, PQ-05)."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from rules.sheet import Sheet, Trait
from rules.systems.pdq.chart import rank_of
from rules.systems.pdq.reckoning import Hard
from rules.systems.pdq.roll import Shift, Side, signed
from rules.why import LEFT_OUT, ON_THE_SHEET, Part, Why

BADASS = "Being badass"
NO_QUALITY = Part("+0", "No quality", "counts as Average")


def why(side: Side, used: Iterable[Part], hard: Hard | None, idle: Iterable[Part]) -> Why:
    """A side of a roll with the qualities that it uses, what shifts it, and how hard it is where that is known."""
    shifts = [Part(signed(shift.amount), shift.reason or (BADASS if shift.rule == "PQ-05" else "A shift"), _said(shift))
              for shift in side.shifts if shift.amount]
    against = [Part(str(hard.target), f"Against {hard.whose or hard.rank or 'the target'}",
                    f"{hard.said_by or 'the GM'} says so")] if hard else []
    return Why(side.notation, (*([*used] or [NO_QUALITY]), *shifts, *against), tuple(idle))


def quality(trait: Trait, whose: str = ON_THE_SHEET) -> Part:
    """A quality: its rank as it is now, and what it was before it was hurt."""
    rank, unhurt = rank_of(trait), rank_of(replace(trait, damage=0))
    hurt = f", from {unhurt.word} by {trait.damage} damage" if trait.damage else ""
    return Part(signed(rank.modifier), trait.name, f"{rank.word}{hurt}, {whose}", trait.id, lasts=bool(trait.damage))


def left_out(traits: Iterable[Trait], used: Collection[str], helps: Sheet | None = None) -> Iterator[Part]:
    """Qualities that could count and are not ticked; of somebody who could help where it is theirs."""
    whose = f", {helps.name} could help" if helps else ""
    for trait in traits:
        if trait.id not in used:
            yield Part(signed(rank_of(trait).modifier), trait.name, f"{LEFT_OUT}{whose}", trait.id)


def _said(shift: Shift) -> str:
    return f"{shift.short}, {shift.said_by or 'the GM'} says so"
