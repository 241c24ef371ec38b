"""A PDQ sheet: qualities with ranks, and experience."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.procedure import ActResult, Offer
from rules.sheet import Budget, Sheet, Trait, TraitDraft
from rules.system import PoolKind, Settings, SheetRules, TraitKind
from rules.systems.pdq import builder, harm, sheet_actions
from rules.systems.pdq.cast import CAST
from rules.systems.pdq.chart import STRENGTH, WEAKNESS, Rank, capacity
from rules.values import Value


class PdqSheet(SheetRules):
    ready_made = CAST
    lasting = sheet_actions.HARM
    trait_kinds = (
        TraitKind(STRENGTH, "Strength", "Strengths", "Strong points of the character.",
                  tuple((int(rank), rank.notation) for rank in Rank if rank > Rank.AVERAGE), int(Rank.GOOD)),
        TraitKind(WEAKNESS, "Weakness", "Weaknesses", "What goes badly, or can be used against the character.",
                  ((int(Rank.POOR), Rank.POOR.notation),), int(Rank.POOR), trouble=True),
    )
    pools = (
        PoolKind("xp", "Experience", "Four points raise a rank or learn a good quality.", "PQ-19", sheets="played"),
        PoolKind(harm.HURT, "Hurt in this scene", "Whether they took damage in this scene.", "PQ-14", sheets="none",
                 of_scene=True),
        PoolKind(harm.CHIN, "Taken on the chin", "Whether they did so in this scene.", "PQ-15", sheets="none",
                 of_scene=True),
        PoolKind(harm.WEAK, "Weakness known in this scene", "Whether the GM has said that one applies.", "PQ-14",
                 sheets="none", of_scene=True),
        PoolKind(harm.CARRIED, "Below Poor from before", "How many qualities were below Poor as this scene began.",
                 "PQ-16", sheets="none"),
    )

    def notation(self, kind: str, value: int) -> str:
        if value < Rank.POOR:
            return "Out"
        return Rank(min(value, Rank.MASTER)).notation

    def unable(self, sheet: Sheet) -> str:
        return harm.unable(sheet)

    def actions(self, sheet: Sheet, settings: Settings) -> tuple[Offer, ...]:
        return sheet_actions.offers(sheet)

    def act(self, sheet: Sheet, settings: Settings, action: str, given: Mapping[str, Value],
            faces: Sequence[int] = ()) -> ActResult[Any]:
        return sheet_actions.act(sheet, action, given, faces)

    def harm_in_words(self, trait: Trait) -> str:
        return harm.on_trait(trait)

    def budget(self, traits: Sequence[TraitDraft], settings: Settings) -> Budget:
        return builder.budget(traits, settings)

    def in_brief(self, sheet: Sheet) -> tuple[str, ...]:
        return (f"takes {capacity(sheet)} damage",)

    def from_line(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return builder.quick(line)
