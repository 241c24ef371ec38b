"""A Danger World sheet: stats, aspects, the danger track, and what can be done with them at any time."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.moves import Need
from rules.procedure import ActResult, Offer
from rules.sheet import Budget, Sheet, Trait, TraitDraft
from rules.system import PoolKind, Settings, SheetRules
from rules.systems.danger_world import builder, sheet_actions
from rules.systems.danger_world.cast import CAST
from rules.systems.danger_world.character import MENTAL, PHYSICAL
from rules.systems.danger_world.damage import out_of_it
from rules.systems.danger_world.reading import (
    ACT,
    ASPECTS,
    BONUS,
    BOXES,
    DANGER,
    LASTING,
    POINTS,
    SETBACK,
    STAT,
    THREAT,
    Branch,
    branches,
    dice,
    level_of,
    of_kind,
)
from rules.systems.danger_world.track import LongTerm
from rules.systems.danger_world.track_view import Track, track
from rules.values import Value


@dataclass(frozen=True)
class StatRow:
    """A stat as it counts now; `was` is what it is unhurt, "" where that is the same."""

    id: str
    name: str
    now: str
    was: str
    damage: int


@dataclass(frozen=True)
class SheetDetail:
    """What the game's part of a sheet shows."""

    track: Track
    halves: tuple[tuple[str, tuple[StatRow, ...]], ...]
    aspects: tuple[Branch, ...]
    standing: int | None  # gains less losses over the acts; None where there are none yet

    @property
    def standing_words(self) -> str:
        """Gains less losses, with a sign."""
        number = self.standing or 0
        return f"+{number}" if number > 0 else f"−{-number}" if number else "even"


class DangerWorldSheet(SheetRules):
    trait_kinds = builder.KINDS
    ready_made = CAST
    lasting = sheet_actions.HIT
    good_at_help = ("Stats among agility, endurance, speed, strength, perception, reasoning, charisma and cool, and "
                    "aspects in your own words, with commas between: speed, cool, Born on the roofs.")
    pools = (PoolKind(POINTS, "Story points", "Spent before a roll, one bonus die each. They refresh each session.",
                      "DW-10"),)

    def notation(self, kind: str, value: int) -> str:
        if kind in (STAT, BONUS, THREAT):
            return dice(value)
        if kind in ASPECTS:
            return {0: "not used yet", 1: "used once", 2: "used twice"}.get(value, f"used {value} times")
        if kind == SETBACK:
            return f"height {value}"
        if kind == ACT:
            return "gain" if value > 0 else "loss"
        if kind == LASTING and value in [long_term.value for long_term in LongTerm]:
            return LongTerm(value).name.replace("_", " ").capitalize()
        if kind == DANGER:
            return f"level {value}"
        if kind == BOXES:
            return f"{value} clear" if value else "filled"
        return "known"

    def unable(self, sheet: Sheet) -> str:
        return out_of_it(sheet)

    def starting_lines(self) -> tuple[TraitDraft, ...]:
        return builder.starting()

    def good_at(self, said: Sequence[str]) -> tuple[TraitDraft, ...]:
        return builder.good_at(said)

    def budget(self, traits: Sequence[TraitDraft], settings: Settings) -> Budget:
        return builder.budget(traits, settings)

    def in_brief(self, sheet: Sheet) -> tuple[str, ...]:
        stats = sorted((trait for trait in of_kind(sheet, STAT) if trait.now > 1), key=lambda trait: -trait.now)
        known = (f"{stat.name} {dice(stat.now)}" for stat in stats[:3])
        aspects = (trait.name for trait in sheet.traits if trait.kind in ASPECTS)
        return (f"danger level {level_of(sheet)}", *known, *aspects)

    def from_line(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return builder.quick(line)

    def detail(self, sheet: Sheet, settings: Settings) -> SheetDetail:
        stats = {trait.name.casefold(): trait for trait in of_kind(sheet, STAT)}
        acts = of_kind(sheet, ACT)
        return SheetDetail(
            track(sheet),
            tuple((label, tuple(_row(stats[name]) for name in names if name in stats))
                  for label, names in (("Physical", PHYSICAL), ("Mental", MENTAL))),
            tuple(branches(sheet)), sum(act.value for act in acts) if acts else None,
        )

    def actions(self, sheet: Sheet, settings: Settings) -> tuple[Offer, ...]:
        return sheet_actions.offers(sheet)

    def act(
        self, sheet: Sheet, settings: Settings, action: str, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> ActResult[Any] | Need:
        return sheet_actions.act(sheet, settings, action, given, faces)


def _row(stat: Trait) -> StatRow:
    return StatRow(stat.id, stat.name, dice(stat.now), dice(stat.value) if stat.damage else "", stat.damage)
