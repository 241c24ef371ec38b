"""A card's drawn line: which step each entry of a contest is."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from campaigns.trail.contexts import EntryRow
from play.services import afterwords

TRIED, DICE, DECIDED, OUTCOME, LASTS = "Tried", "Dice", "Decided", "Outcome", "Lasts"


@dataclass(frozen=True)
class Step:
    """Entries side by side that are the same step: what it is called, and they themselves."""

    name: str
    rows: tuple[EntryRow, ...]


Payloads = Mapping[int, Mapping[str, Any]]


def steps(rows: Sequence[EntryRow], payloads: Payloads) -> tuple[Step, ...]:
    """These entries of a contest, oldest first, as the steps that there are; `payloads` by their numbers."""
    names, fell = [], False
    for row in rows:
        said = payloads.get(row.seq, {})
        names.append(_step(row, said, fell))
        fell = fell or bool(said.get("dice"))
    named = zip(names, rows, strict=True)
    return tuple(Step(name, tuple(row for _, row in group)) for name, group in groupby(named, key=lambda pair: pair[0]))


def _step(row: EntryRow, said: Mapping[str, Any], fell: bool) -> str:
    """Dice are dice; what goes onto a sheet lasts; what ends it, or tells what came of it, is the outcome; all else was
    tried before the dice, and decided after them."""
    changes = said.get("changes", ())
    if said.get("dice"):
        return DICE
    if any(change["of"] == "trait" for change in changes):
        return LASTS
    if row.kind == afterwords.KIND or any(_ends(change) for change in changes):
        return OUTCOME
    return DECIDED if fell else TRIED


def _ends(change: Mapping[str, Any]) -> bool:
    return bool(change["of"] == "contest" and (change["became"] or {}).get("over"))
