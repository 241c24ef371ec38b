"""Danger World's moves and their odds. A check is rolled on a page of its own: its dice are rolled again in rounds."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.approaches import Approach
from rules.came import Came, Tells
from rules.modifiers import Modifier
from rules.procedure import CampaignContext
from rules.sheet import Sheet
from rules.system import RollRules, Settings, WaitsOnObstacles
from rules.systems.danger_world import odds_page
from rules.systems.danger_world.approaches import approaches, as_it_stands
from rules.systems.danger_world.check import CheckMove
from rules.systems.danger_world.table.challenges import CHALLENGE
from rules.tables import Calculator, Table
from rules.values import Value


class DangerWorldRolls(RollRules, Tells, WaitsOnObstacles):
    obstacle = CHALLENGE
    counted = ("Two stats that fit, or the two best where nothing is said; less a die for each stunned box, with "
               "threat dice for bashed ones. Story points, aspects and danger dice are chosen with the roll.")
    always_fits = True
    boosts = (Modifier("bonus", 0, "all bonus dice"), Modifier("points", 1, "a story point"))
    moves = (CheckMove(),)

    def approaches(
        self, sheet: Sheet, obstacle: Mapping[str, Value], settings: Settings, waiting: Sequence[Modifier] = ()
    ) -> tuple[Approach, ...]:
        return approaches(sheet, obstacle, waiting)

    def as_it_stands(self, name: str, context: CampaignContext) -> Mapping[str, Value]:
        return as_it_stands(name, context)

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        return f"difficulty {values.get('difficulty', 3)}"

    def came(self, move: str, result: Mapping[str, Value]) -> Came | None:
        if "accomplished" not in result:
            return None
        return Came("success" if result["accomplished"] else "failure",
                    f"with height {result['set']}" if result["set"] else "without a set")

    def tables(self, settings: Settings) -> tuple[Table, ...]:
        return odds_page.tables()

    def calculators(self, settings: Settings) -> tuple[Calculator, ...]:
        return odds_page.calculators()
