"""PDQ's moves, and how the roll tray puts one together."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.came import Came, Tells, plain
from rules.fields import Word
from rules.sheet import Effect, Sheet, Trait
from rules.system import Modifier, ModifierKind, Opposes, RollRules, Settings, TakesModifiers
from rules.systems.pdq import odds_page
from rules.systems.pdq.attack import AttackMove
from rules.systems.pdq.chart import WORDS
from rules.systems.pdq.harm import noted
from rules.systems.pdq.reckoning import by_word, terms, written
from rules.systems.pdq.recovery import RecoveryMove
from rules.systems.pdq.roll import signed
from rules.systems.pdq.test import TestMove
from rules.systems.pdq.traits import rank_of, usable
from rules.tables import Calculator, Table
from rules.tray import Teams
from rules.values import BadMove, Value

OF_AN_OBSTACLE = {"simple": "simple", "harm": "failing hurts"}  # what the GM may say of one, beside how hard it is


class PdqRolls(RollRules, TakesModifiers, Opposes, Teams, Tells):
    moves = (TestMove(), AttackMove(), RecoveryMove())
    tray = (TestMove.name,)
    obstacle = tuple(field for field in TestMove.fields if field.word is Word.GM)
    nothing = "no quality fits"
    counted = ("One quality that fits, as it is hurt now, and what waits for the next roll. More qualities may join in "
               "the tray.")
    stretches = tuple(Modifier("downshift", by, f"a stretch, {by} down") for by in (1, 2))
    boosts = (Modifier("upshift", 1, "an upshift"),)
    modifiers = (
        ModifierKind("upshift", "Upshift", "One rank up for this roll; past Master one die more."),
        ModifierKind("downshift", "Downshift", "One rank down for this roll; below Poor it fails."),
        ModifierKind("badass", "Being badass", "An upshift from the GM for a description that everyone enjoyed."),
    )

    def compose(
        self, move: str, traits: Sequence[Trait], modifiers: Sequence[Modifier], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        for trait in traits:
            if not usable(trait):
                raise BadMove(f"{trait.name} is below Poor and can’t be used. Choose another quality.", "traits")
        rest, lead = dict(values), None
        if move == RecoveryMove.name:
            return {**rest, "qualities": written(terms(traits))["qualities"]}
        if named := rest.pop("lead", None):
            ids = [trait.id for trait in traits]
            if named not in ids:
                raise BadMove("Let one of the chosen qualities lead.", "lead")
            lead = ids.index(str(named))
        side = written(terms(traits, by_word([_line(modifier) for modifier in modifiers]), lead))
        if move == AttackMove.name:
            return {"defender": {}, **rest, "attacker": side}
        return {**rest, **side}

    def came(self, move: str, result: Mapping[str, Value]) -> Came | None:
        return plain(result, f"{result['total']} against {result['target']}" if "total" in result else "")

    def consequences(self, move: str, sheet: Sheet, result: Mapping[str, Value], why: str) -> tuple[Effect, ...]:
        """Damage, which is noted as taken in this scene (PQ-07, PQ-14)."""
        taken = super().consequences(move, sheet, result, why)
        return (*taken, *noted({sheet.id: sheet}, sheet.id)) if taken else ()

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        said = values.get("difficulty")
        hard = f"{said} {WORDS[said].target}" if isinstance(said, str) else str(said)
        return ", ".join([hard, *(words for name, words in OF_AN_OBSTACLE.items() if values.get(name))])

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

    def opposing_fields(self, trait: Trait, sheet: Sheet) -> Mapping[str, Value]:
        return {"difficulty": rank_of(trait).word, "whose": f"{trait.name} ({sheet.name})"[:100]}

    def team_fields(self, names: Sequence[str]) -> Mapping[str, Value]:
        return {"team": [name[:100] for name in names[:20]]}

    def tables(self, settings: Settings) -> tuple[Table, ...]:
        return odds_page.tables(settings)

    def calculators(self, settings: Settings) -> tuple[Calculator, ...]:
        return odds_page.calculators(settings)


def _line(modifier: Modifier) -> dict[str, Value]:
    reason, said_by = modifier.reason, modifier.said_by
    return {"kind": modifier.kind, "amount": modifier.amount, "reason": reason, "said_by": said_by}


def _attack_button(given: Mapping[str, Value]) -> str:
    move = AttackMove().read(given)
    if move.attacker.fails:
        return "Fail without a roll"
    if move.static_defence:
        return f"Roll {move.attacker.notation} against {move.standing}"
    return f"Roll {move.attacker.notation} against {move.defender.notation if move.defender.dice else 'no reaction'}"
