"""PDQ as a game system: what a sheet is made of, which moves exist, what things cost."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.fields import Choice, Flag, Whole
from rules.sheet import Budget, Effect, Sheet, Trait, TraitDraft
from rules.system import Growth, Line, ModifierKind, Owed, PoolKind, SceneEnd, System, TraitKind
from rules.systems.pdq import builder, growth, odds_page, scene
from rules.systems.pdq.attack import AttackMove
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.conflict import Conflict
from rules.systems.pdq.recovery import RecoveryMove
from rules.systems.pdq.roll import signed
from rules.systems.pdq.test import TestMove
from rules.systems.pdq.traits import STRENGTH, WEAKNESS, rank_of, usable
from rules.tables import Calculator, Table
from rules.values import BadMove, Value


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
        ModifierKind("badass", "Being badass", "An upshift from the GM for a description that everyone enjoyed."),
    )
    moves = (TestMove(), AttackMove(), RecoveryMove())
    contests = (Conflict(),)
    tray = ("pdq.test",)
    closing = (scene.DANGER,)
    recovery = RecoveryMove.name
    dials = (
        Whole(name="strength_ranks", label="Ranks of strengths", default=4, least=1, most=30,
              help="What a new character spreads over strengths: Good costs one, Expert two, Master three."),
        Whole(name="weakness_ranks", label="Weaknesses", default=1, least=0, most=10,
              help="How many poor qualities a new character has."),
        Choice(name="defence", label="Defence", default="roll",
               help="Standing is quicker: the attacker's dice alone decide.",
               options=(("roll", "The defender rolls"), ("stand", "The defender stands on a target number"))),
        Choice(name="ties", label="Equal initiative", default="together",
               help="What happens when two are equally quick.",
               options=(("together", "Act at the same moment"), ("roll", "Roll a die for it"))),
        Flag(name="weapons", label="Weapons add 2 damage", default=False,
             help="An attacker says so with each attack; the GM may undo it."),
        Choice(name="killing", label="Killing", default="free",
               help="Whether those who are out can be killed later, or everybody says at the start what they mean.",
               options=(("free", "A free action against one who was out before"), ("asked", "Asked at the start"))),
        Flag(name="ranges", label="Range and movement in yards", default=False,
             help="For groups that like to know who can reach whom."),
    )

    def notation(self, kind: str, value: int) -> str:
        if value < Rank.POOR:
            return "Out"
        return Rank(min(value, Rank.MASTER)).notation

    def compose(
        self, move: str, traits: Sequence[Trait], lines: Sequence[Line], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        for trait in traits:
            if not usable(trait):
                raise BadMove(f"{trait.name} is below Poor and can't be used. Choose another quality.", "traits")
        rest = dict(values)
        ranks = [rank_of(trait).word for trait in traits]
        if move == RecoveryMove.name:
            return {**rest, "qualities": ranks}
        # A line with a reason keeps it for the explanation; of the others only the number matters.
        told = [line for line in lines if line.reason or line.kind == "badass"]
        bare = {kind: sum(line.amount for line in lines if line.kind == kind and line not in told)
                for kind in ("upshift", "downshift")}
        side: dict[str, Value] = {
            "qualities": ranks, "upshifts": bare["upshift"], "downshifts": bare["downshift"],
        }
        if told:
            side["lines"] = [{"kind": line.kind, "amount": line.amount, "reason": line.reason} for line in told]
        if lead := rest.pop("lead", None):
            named = [trait.id for trait in traits]
            if lead not in named:
                raise BadMove("Let one of the chosen qualities lead.", "lead")
            side["lead"] = named.index(str(lead))
        if move == AttackMove.name:
            return {"defender": {}, **rest, "attacker": side}
        return {**rest, **side}

    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        if move == RecoveryMove.name:
            added = RecoveryMove().read(given).modifier
            return f"Roll 1d6 {signed(added)} to recover" if added else "Roll 1d6 to recover"
        if move == AttackMove.name:
            return _attack_button(given)
        task = TestMove().read(given)
        if task.automatic:
            return "Succeed without a roll" if task.automatic == "success" else "Fail without a roll"
        return f"Roll {task.side.notation} against {task.target}"

    def budget(self, traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> Budget:
        return builder.budget(traits, dials)

    def quick(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return builder.quick(line)

    def versus(self, trait: Trait, whose: str) -> Mapping[str, Value]:
        return {"difficulty": rank_of(trait).word, "whose": f"{trait.name} ({whose})"[:100]}

    def teaming(self, names: Sequence[str]) -> Mapping[str, Value]:
        return {"team": [name[:100] for name in names[:20]]}

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SceneEnd:
        return scene.close_scene(sheets, scene.danger_of(values))

    def recovered(self, sheet: Sheet, values: Mapping[str, Value]) -> Owed | None:
        return scene.recovered(sheet, values)

    def place(self, sheet: Sheet, sort: str, amount: int, spread: Mapping[str, int]) -> tuple[Effect, ...]:
        return scene.place(sheet, sort, amount, spread)

    def tables(self, dials: Mapping[str, Any]) -> tuple[Table, ...]:
        return odds_page.tables(dials)

    def calculators(self, dials: Mapping[str, Any]) -> tuple[Calculator, ...]:
        return odds_page.calculators(dials)

    def growth(self, sheet: Sheet, dials: Mapping[str, Any]) -> tuple[Growth, ...]:
        return growth.growth(sheet)

    def grow(self, sheet: Sheet, choice: Growth, name: str, dials: Mapping[str, Any]) -> tuple[Effect, ...]:
        return growth.grow(sheet, choice, name)


def _attack_button(given: Mapping[str, Value]) -> str:
    move = AttackMove().read(given)
    if move.attacker.fails:
        return "Fail without a roll"
    if move.static_defence:
        return f"Roll {move.attacker.notation} against {move.standing}"
    return f"Roll {move.attacker.notation} against {move.defender.notation if move.defender.dice else 'no reaction'}"
