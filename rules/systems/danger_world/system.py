"""Danger World as a game system: what a sheet is made of, which moves exist, what is prepared and held together."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.contests import Offer, Turn
from rules.fields import Choice, Whole
from rules.moves import Need
from rules.sheet import Budget, Sheet, Trait, TraitDraft
from rules.system import BankKind, Line, PoolKind, SceneEnd, System
from rules.systems.danger_world import builder, deeds, odds_page, recovery
from rules.systems.danger_world.aspects import SESSION_POINTS
from rules.systems.danger_world.character import MENTAL, PHYSICAL
from rules.systems.danger_world.check import CheckMove
from rules.systems.danger_world.damage import out_of_it
from rules.systems.danger_world.reading import (
    ACT,
    ASPECTS,
    BONUS,
    BOXES,
    DANGER,
    GENERAL,
    KEPT,
    LASTING,
    POINTS,
    SETBACK,
    STAT,
    THREAT,
    Branch,
    branches,
    dice,
    of_kind,
)
from rules.systems.danger_world.table import CheckAtTable
from rules.systems.danger_world.table.kind import AGREE, CHALLENGE, HINT, OWN_MOVE
from rules.systems.danger_world.track import LongTerm
from rules.systems.danger_world.trackdraw import Track, track
from rules.tables import Calculator, Table
from rules.values import BadMove, Value


@dataclass(frozen=True)
class StatRow:
    """A stat as it counts now; `was` is what it is unhurt, "" where that is the same."""

    id: str
    name: str
    now: str
    was: str
    damage: int


@dataclass(frozen=True)
class Picture:
    """What the game's part of a sheet draws."""

    track: Track
    halves: tuple[tuple[str, tuple[StatRow, ...]], ...]
    aspects: tuple[Branch, ...]
    standing: int | None  # gains less losses over the acts; None where there are none yet
    out: str

    @property
    def standing_words(self) -> str:
        """Gains less losses, with a sign."""
        number = self.standing or 0
        return f"+{number}" if number > 0 else f"−{-number}" if number else "even"


class DangerWorld(System):
    slug = "danger_world"
    name = "Danger World"
    edition = "danger world 1"
    pitch = "Handfuls of dice, sets and re-rolls, and a danger track that pays and hurts."
    trait_kinds = builder.KINDS
    pools = (PoolKind(POINTS, "Story points", "Spent before a roll, a bonus die each; they come anew each session.",
                      "DW-10"),)
    shared_pools = (
        PoolKind(GENERAL, "General pool", "Story points that players spent. The GM pays from it for dark sides.",
                 "DW-10"),
        PoolKind(KEPT, "Botches kept", "What the GM did not spend yet.", "DW-06"),
    )
    bank = (
        BankKind("challenge", "Challenge", "Challenges", "A guarded yard, a storm, a creature: its difficulty, and "
                 "keywords that may speak for or against an attempt.", CHALLENGE),
        BankKind("move", "Move", "Moves", "A move of your own: what a set of each height accomplishes.", (
            Choice(name="move", label="Use it as", default="own", options=(("own", "A move in words"),)), *OWN_MOVE)),
    )
    moves = (CheckMove(),)
    contests = (CheckAtTable(),)
    closing = (recovery.REST,)
    scene_ends = "When it closes, you say whether a rest follows."
    dials = (
        Whole(name="points", label="Story points for each session", default=SESSION_POINTS, least=0, most=20),
        AGREE,
        HINT,
    )

    def notation(self, kind: str, value: int) -> str:
        if kind in (STAT, BONUS, THREAT):
            return dice(value)
        if kind in ASPECTS:
            return {0: "not used yet", 1: "used once", 2: "used twice"}.get(value, f"used {value} times")
        if kind == SETBACK:
            return f"height {value}"
        if kind == ACT:
            return "gain" if value > 0 else "loss"
        if kind == LASTING and value in [each.value for each in LongTerm]:
            return LongTerm(value).name.replace("_", " ").capitalize()
        if kind == DANGER:
            return f"level {value}"
        if kind == BOXES:
            return f"{value} open"
        return "known"

    def compose(
        self, move: str, traits: Sequence[Trait], lines: Sequence[Line], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        raise BadMove("Make a check: its dice are rolled again in rounds.", "move")

    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        check = CheckMove().read(given)
        return f"Roll {dice(check.pool.all)} against {check.difficulty}"

    def headline(self, move: str) -> str:
        return "accomplished"

    def starting(self) -> tuple[TraitDraft, ...]:
        return builder.starting()

    def budget(self, traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> Budget:
        return builder.budget(traits, dials)

    def quick(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return builder.quick(line)

    def picture(self, sheet: Sheet, dials: Mapping[str, Any]) -> Picture:
        stats = {each.name.casefold(): each for each in of_kind(sheet, STAT)}
        acts = of_kind(sheet, ACT)
        return Picture(
            track(sheet),
            tuple((label, tuple(_row(stats[name]) for name in names if name in stats))
                  for label, names in (("Physical", PHYSICAL), ("Mental", MENTAL))),
            tuple(branches(sheet)), sum(each.value for each in acts) if acts else None, out_of_it(sheet),
        )

    def deeds(self, sheet: Sheet, dials: Mapping[str, Any]) -> tuple[Offer, ...]:
        return deeds.deeds(sheet)

    def do(
        self, sheet: Sheet, dials: Mapping[str, Any], action: str, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> Turn[Any] | Need:
        return deeds.do(sheet, dials, action, given, faces)

    def begin_session(self, sheets: Sequence[Sheet], dials: Mapping[str, Any]) -> SceneEnd:
        return recovery.begin_session(sheets, dials)

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SceneEnd:
        return recovery.close_scene(sheets, values)

    def tables(self, dials: Mapping[str, Any]) -> tuple[Table, ...]:
        return odds_page.tables()

    def calculators(self, dials: Mapping[str, Any]) -> tuple[Calculator, ...]:
        return odds_page.calculators()


def _row(stat: Trait) -> StatRow:
    return StatRow(stat.id, stat.name, dice(stat.now), dice(stat.value) if stat.damage else "", stat.damage)
