"""PDQ#’s moves, the best ways about an obstacle, and who can stand against one (PS-10, PS-11)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.approaches import NOTHING, Approach
from rules.came import Came, Tells, plain
from rules.modifiers import Modifier
from rules.sheet import Sheet, Trait
from rules.system import Opposes, RollRules, Settings
from rules.systems.pdq_sharp import odds_page
from rules.systems.pdq_sharp.challenge.framing import FAILING
from rules.systems.pdq_sharp.challenge.state import FAILING_COSTS, NONE
from rules.systems.pdq_sharp.challenge_roll import ChallengeMove, FlashyMove
from rules.systems.pdq_sharp.chart import MODIFIERS, POOR, TARGETS, WORDS, difficulty_field
from rules.systems.pdq_sharp.duel.turn import DuelTurnMove
from rules.systems.pdq_sharp.kinds import IDIOM
from rules.systems.pdq_sharp.reading import STYLE, is_forte, techniques, usable
from rules.systems.pdq_sharp.reckoning import many_dice, terms
from rules.systems.pdq_sharp.recovery import RecoveryMove
from rules.tables import Calculator, Table
from rules.values import Value
from rules.wording import join


class PdqSharpRolls(RollRules, Opposes, Tells):
    moves = (ChallengeMove(), FlashyMove(), DuelTurnMove(), RecoveryMove())
    obstacle = (difficulty_field(), FAILING)
    nothing = "no forte fits"
    counted = ("One forte that fits, as it is hurt now, with one idiom that goes with it: a style is the player’s to "
               "choose. Other techniques hang on place, foe, tool or maneuver; style dice are spent with the roll.")
    boosts = (Modifier("techniques", 0, "all techniques"), Modifier("style", 1, "a style die"))

    def came(self, move: str, result: Mapping[str, Value]) -> Came | None:
        return plain(result, f"{result['total']} against {result['target']}" if "total" in result else "")

    def approaches(
        self, sheet: Sheet, obstacle: Mapping[str, Value], settings: Settings, waiting: Sequence[Modifier] = ()
    ) -> tuple[Approach, ...]:
        """Each forte, with one idiom that goes with it, and none of them (PS-04, PS-11); with what is `waiting`."""
        asked, ways, hard = {more.kind for more in waiting}, [], obstacle["difficulty"]
        style = int("style" in asked and sheet.pool(STYLE) > 0)
        for forte in (*(trait for trait in sheet.traits if usable(trait)), None):
            fitting = techniques(sheet, [forte.id]) if forte else []
            used = [trait for trait in fitting if trait.value == IDIOM][:1]
            used += [trait for trait in fitting if trait.value != IDIOM] if "techniques" in asked else []
            counted = terms(sheet, fortes=[forte.id] if forte else [], techniques=[trait.id for trait in used],
                            style=style, purse=sheet.pool(STYLE))
            given: dict[str, Value] = {
                "difficulty": hard, "fortes": list(counted.ranks), "bonus_dice": counted.bonus_dice,
                "flat": counted.flat}
            lines = ([forte] if forte else []) + used
            more = [trait.name for trait in used] + ["a style die"] * style
            ways.append(Approach(
                forte.name if forte else NOTHING, "", ChallengeMove.name, given, "success",
                (True,), (forte.id,) if forte else (), tuple(trait.name for trait in lines),
                f"{join(more)}, {many_dice(len(more))} more" if more else ""))
        return tuple(ways)

    def tables(self, settings: Settings) -> tuple[Table, ...]:
        return odds_page.tables()

    def calculators(self, settings: Settings) -> tuple[Calculator, ...]:
        return odds_page.calculators()

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        said = values.get("difficulty")
        costs = FAILING_COSTS.get(str(values.get("harm", NONE)), "")
        words = f"{said} {TARGETS[said]}" if isinstance(said, str) else str(said)
        return f"{words}, failing {costs}" if costs else words

    def may_oppose(self, trait: Trait) -> bool:
        """Fortes; no technique, no threat level, no size of a squad, nothing that is zeroed out."""
        return is_forte(trait) and trait.now >= POOR

    def opposing_fields(self, trait: Trait, sheet: Sheet, settings: Settings) -> Mapping[str, Value]:
        word = WORDS[max(min(WORDS), min(max(WORDS), trait.now))]
        return {"difficulty": TARGETS[word] if word in MODIFIERS else 7}
