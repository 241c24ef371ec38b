"""A PDQ# sheet: core elements, fortes, techniques, style dice and training points."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.followers import TakesFollowers
from rules.moves import Need
from rules.procedure import ActResult, Offer
from rules.sheet import Budget, Sheet, Trait, TraitDraft
from rules.system import PoolKind, Settings, SheetRules
from rules.systems.pdq_sharp import builder, harm, sheet_actions
from rules.systems.pdq_sharp.cast import CAST
from rules.systems.pdq_sharp.chart import GOOD, notation_of
from rules.systems.pdq_sharp.kinds import FORTE, FORTES, KINDS, SQUAD, SWASHBUCKLING, TEMPORARY, THREAT
from rules.systems.pdq_sharp.reading import HITS, MISFORTUNES, SPLURGES, STYLE, TRAINING, how_fallen, is_forte
from rules.systems.pdq_sharp.settings import agreed
from rules.values import Value
from rules.ways_back import BringsBack, WayBack

STYLE_DICE = "pdq_sharp.style_dice"  # the procedure in which somebody is raised


@dataclass(frozen=True, slots=True)
class Penumbra:
    """What the table agreed on for fortes of a sheet, as (forte, what it covers)."""

    rows: tuple[tuple[str, str], ...]


class PdqSharpSheet(SheetRules, TakesFollowers, BringsBack):
    trait_kinds = KINDS
    ready_made = CAST
    lasting = sheet_actions.HARM
    good_at_help = ("What they astound with first, then up to four fortes, with commas between: Fencing, Locks, "
                    "Repartee.")
    pools = (
        PoolKind(STYLE, "Style dice", "Spent to be impressive, to catch a second wind, to create the world, or given "
                 "to others. They go when the session ends.", "PS-40"),
        PoolKind(TRAINING, "Training points", "One for each failed roll. They buy ranks, fortes, foibles and "
                 "techniques.", "PS-47", sheets="played"),
        PoolKind(HITS, "Hits of this scene", "How often they were hit in this scene.", "PS-30", sheets="none",
                 of_scene=True),
        PoolKind(MISFORTUNES, "Vexing misfortunes", "How many they had in this session.", "PS-41", sheets="none"),
        PoolKind(SPLURGES, "Purchases at the edge", "How many in this session pushed their means.", "PS-05",
                 sheets="none"),
    )

    def notation(self, kind: str, value: int) -> str:
        if kind in (*FORTES, TEMPORARY):
            return notation_of(value)
        if kind == SQUAD:
            return "nobody left" if value <= 0 else "a minion" if value == 1 else f"{value} minions"
        return dict(self.trait_kind(kind).values).get(value, "")

    def in_brief(self, sheet: Sheet) -> tuple[str, ...]:
        ranks = tuple(self.notation(trait.kind, trait.now) for trait in sheet.traits if trait.kind in (THREAT, SQUAD))
        dice = sheet.pool(STYLE)
        return (*ranks, f"{dice} style {'die' if dice == 1 else 'dice'}") if dice else ranks

    follower_action = sheet_actions.FOLLOWERS

    def as_follower(self, npc: Sheet) -> Mapping[str, Value]:
        return sheet_actions.as_follower(npc)

    def ways_back(self, sheet: Sheet) -> tuple[WayBack, ...]:
        own = "raise" if sheet.pool(STYLE) else ""
        return (WayBack("Get up with style dice", STYLE_DICE, own, sheet.id),) if how_fallen(sheet) else ()

    def mending(self, sheet: Sheet, healer: Sheet) -> tuple[WayBack, ...]:
        if sheet.id == healer.id or sheet.dead or not (how_fallen(sheet) and healer.pool(STYLE)):
            return ()
        return (WayBack(f"Raise {sheet.name} with style dice", STYLE_DICE, "raise", healer.id),)

    def unable(self, sheet: Sheet) -> str:
        if sheet.dead:
            return f"{sheet.name} is dead."
        how = how_fallen(sheet)
        return f"{sheet.name} is {how}: style dice bring their fortes back to Poor." if how else ""

    def harm_in_words(self, trait: Trait) -> str:
        return harm.in_words(trait)

    def detail(self, sheet: Sheet, settings: Settings) -> Penumbra:
        told = ((trait.name, agreed(settings, trait.name)) for trait in sheet.traits if is_forte(trait))
        return Penumbra(tuple(row for row in told if row[1]))

    def good_at(self, said: Sequence[str]) -> tuple[TraitDraft, ...]:
        return tuple(TraitDraft(FORTE if place else SWASHBUCKLING, forte, GOOD) for place, forte in enumerate(said))

    def budget(self, traits: Sequence[TraitDraft], settings: Settings) -> Budget:
        return builder.budget(traits, settings)

    def actions(self, sheet: Sheet, settings: Settings) -> tuple[Offer, ...]:
        return sheet_actions.offers(sheet)

    def act(
        self, sheet: Sheet, settings: Settings, action: str, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> ActResult[Any] | Need:
        return sheet_actions.act(sheet, settings, action, given, faces)

    def from_line(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return builder.quick(line)
