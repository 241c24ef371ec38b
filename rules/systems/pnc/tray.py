"""PnC's moves, how a standard roll is put together from a sheet, and its odds."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.approaches import Approach
from rules.came import Came, Tells, plain
from rules.modifiers import Modifier
from rules.sheet import Sheet, Trait
from rules.system import Opposes, RollRules, Settings
from rules.systems.pnc import odds_page
from rules.systems.pnc.approaches import approaches
from rules.systems.pnc.competition import Competition
from rules.systems.pnc.dice import reading
from rules.systems.pnc.factors import HOW_HARD
from rules.systems.pnc.initiative import Initiative
from rules.systems.pnc.ladder import Rung, word_of
from rules.systems.pnc.reckoning import alone
from rules.systems.pnc.standard_roll import AttackRoll, StandardRoll
from rules.tables import Calculator, Table
from rules.values import Value


class PncRolls(RollRules, Opposes, Tells):
    obstacle = (HOW_HARD,)
    nothing = "no feature fits"
    counted = ("One feature that fits, and every wound. More features, circumstances and mulligans are weighed with "
               "the roll.")
    stretches = tuple(Modifier("circumstance", rung, f"a stretch, {word_of(rung)}") for rung in (-1, -2))
    boosts = (Modifier("circumstance", 1, "something easy"),)
    moves = (StandardRoll(), AttackRoll(), Competition(), Initiative())

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        return str(values.get("rung") or Rung.AVERAGE.word)

    def opposing_fields(self, trait: Trait, sheet: Sheet, settings: Settings) -> Mapping[str, Value]:
        """What is easy for them is as hard for whoever is against them; their wounds count too (PN-05)."""
        net = self.opposing_strength(trait, sheet, settings)
        return {"rung": word_of(-net)} if net else {}

    def opposing_strength(self, trait: Trait, sheet: Sheet, settings: Settings) -> int:
        return sum(weight.counts for weight in alone(sheet, trait, open_ended=True).weights)

    def approaches(
        self, sheet: Sheet, obstacle: Mapping[str, Value], settings: Settings, waiting: Sequence[Modifier] = ()
    ) -> tuple[Approach, ...]:
        return approaches(sheet, obstacle, settings, waiting)

    def came(self, move: str, result: Mapping[str, Value]) -> Came | None:
        degree = result.get("degree")
        return plain(result, reading(degree) if isinstance(degree, int) else "")

    def tables(self, settings: Settings) -> tuple[Table, ...]:
        return odds_page.tables(settings)

    def calculators(self, settings: Settings) -> tuple[Calculator, ...]:
        return odds_page.calculators(settings)
