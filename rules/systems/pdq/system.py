"""PDQ as a game system: what a sheet is made of, which moves exist, what things cost."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.fields import Choice, Flag, Whole
from rules.sheet import Budget, BudgetLine, Trait, TraitDraft
from rules.system import Line, ModifierKind, PoolKind, System, TraitKind
from rules.systems.pdq.chart import WORDS, Rank
from rules.systems.pdq.roll import signed
from rules.systems.pdq.test import TestMove
from rules.values import BadMove, Value

STRENGTH, WEAKNESS = "strength", "weakness"


class Pdq(System):
    slug = "pdq"
    name = "PDQ"
    edition = "pdq 1.0"
    pitch = "Qualities with ranks, two dice, and wounds that lower what you are good at."
    trait_kinds = (
        TraitKind(STRENGTH, "Strength", "Strengths", "What the character is good at.",
                  tuple((int(rank), rank.notation) for rank in Rank if rank > Rank.AVERAGE), int(Rank.GOOD)),
        TraitKind(WEAKNESS, "Weakness", "Weaknesses", "What goes badly, or can be used against the character.",
                  ((int(Rank.POOR), Rank.POOR.notation),), int(Rank.POOR)),
    )
    pools = (PoolKind("xp", "Experience", "Four points raise a rank or learn a good quality.", "PQ-19"),)
    modifiers = (
        ModifierKind("upshift", "Upshift", "One rank up for this roll; past Master one die more."),
        ModifierKind("downshift", "Downshift", "One rank down for this roll; below Poor it fails."),
    )
    moves = (TestMove(),)
    tray = ("pdq.test",)
    dials = (
        Whole(name="strength_ranks", label="Ranks of strengths", default=4, least=1, most=30),
        Whole(name="weakness_ranks", label="Poor weaknesses", default=1, least=0, most=10),
        Choice(name="defence", label="Defence", default="roll",
               options=(("roll", "The defender rolls"), ("stand", "The defender stands on a target number"))),
        Choice(name="ties", label="Equal initiative", default="together",
               options=(("together", "Act at the same moment"), ("roll", "Roll a die for it"))),
        Flag(name="weapons", label="Weapons add 2 damage", default=False),
        Choice(name="killing", label="Killing", default="free",
               options=(("free", "A free action against one who was out before"), ("asked", "Asked at the start"))),
        Flag(name="ranges", label="Range and movement in yards", default=False),
    )

    def notation(self, kind: str, value: int) -> str:
        if value < Rank.POOR:
            return "Out"
        return Rank(min(value, Rank.MASTER)).notation

    def compose(
        self, move: str, traits: Sequence[Trait], lines: Sequence[Line], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        for trait in traits:
            if trait.now < Rank.POOR:
                raise BadMove(f"{trait.name} is below Poor and can't be used. Choose another quality.", "traits")
        ranks = [Rank(trait.now).word for trait in traits]
        count = {kind: sum(line.amount for line in lines if line.kind == kind) for kind in ("upshift", "downshift")}
        return {**values, "qualities": ranks, "upshifts": count["upshift"], "downshifts": count["downshift"]}

    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        task = TestMove().read(given)
        if not TestMove._rolls(task):
            return "Settle it without a roll"
        return f"Roll {task.side.dice}d6 {signed(task.side.modifier)} against {task.target}"

    def budget(self, traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> Budget:
        raised = sum(trait.value for trait in traits if trait.kind == STRENGTH)
        weak = sum(1 for trait in traits if trait.kind == WEAKNESS)
        return Budget((
            BudgetLine("Ranks of strengths", raised, dials["strength_ranks"]),
            BudgetLine("Weaknesses", weak, dials["weakness_ranks"]),
        ))

    def quick(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        name, *rest = [part.strip() for part in line.split(",")]
        drafts = []
        for part in rest:
            quality, _, word = part.rpartition(" ")
            if word.lower() not in WORDS or not quality:
                raise BadMove(f"End “{part}” with a rank: {', '.join(WORDS)}.", "line")
            rank = WORDS[word.lower()]
            drafts.append(TraitDraft(WEAKNESS if rank < 0 else STRENGTH, quality, int(rank)))
        return name, tuple(drafts)
