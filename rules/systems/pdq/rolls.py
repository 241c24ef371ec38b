"""PDQ's moves, the best ways about an obstacle, and who can stand against one."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.approaches import NOTHING, Approach
from rules.came import Came, Tells, plain
from rules.fields import Word, read_all
from rules.modifiers import Modifier, ModifierKind
from rules.sheet import Sheet, Trait
from rules.system import Opposes, RollRules, Settings, TakesModifiers
from rules.systems.pdq import odds_page
from rules.systems.pdq.attack import AttackMove
from rules.systems.pdq.chart import WORDS, rank_of, usable
from rules.systems.pdq.reckoning import Hard, as_lines, by_word, how_hard, terms, tried
from rules.systems.pdq.recovery import RecoveryMove
from rules.systems.pdq.test import TestMove
from rules.tables import Calculator, Table
from rules.values import Value
from rules.wording import join


class PdqRolls(RollRules, TakesModifiers, Opposes, Tells):
    moves = (TestMove(), AttackMove(), RecoveryMove())
    obstacle = tuple(field for field in TestMove.fields if field.word is Word.GM)
    nothing = "no quality fits"
    counted = ("One quality that fits, as it is hurt now, and what waits for the next roll. More qualities may join in "
               "the tray.")
    stretches = tuple(Modifier("downshift", by, f"a stretch, {by} down") for by in (1, 2))
    boosts = (Modifier("upshift", 1, "an upshift"),)
    modifiers = (
        ModifierKind("upshift", "Upshift", "One rank up for this roll; past Master one die more."),
        ModifierKind("downshift", "Downshift", "One rank down for this roll; below Poor it fails."),
        ModifierKind("badass", "Badass upshift", "From the GM, for a description that everyone enjoyed."),
    )

    def approaches(
        self, sheet: Sheet, obstacle: Mapping[str, Value], settings: Settings, waiting: Sequence[Modifier] = ()
    ) -> tuple[Approach, ...]:
        """Each quality, and none, with what is `waiting` (PQ-02, PQ-03)."""
        hard, shifts = how_hard(read_all(self.obstacle, obstacle)), by_word(as_lines(waiting))
        own = (*self.stretches, *self.boosts)
        counts = join([said.reason if said in own else shift.phrase
                       for said, shift in zip(waiting, shifts, strict=True)], "")
        ways = []
        for line in (*(trait for trait in sheet.traits if usable(trait)), None):
            names, ids = ((line.name,), (line.id,)) if line else ((), ())
            given = tried(terms([line] if line else [], shifts), hard)
            ways.append(Approach(
                line.name if line else NOTHING, "", TestMove.name, given, uses=ids, lines=names, counts=counts))
        return tuple(ways)

    def came(self, move: str, result: Mapping[str, Value]) -> Came | None:
        return plain(result, f"{result['total']} against {result['target']}" if "total" in result else "")

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        said = values.get("difficulty")
        word = said if isinstance(said, str) else ""
        target = said if isinstance(said, int) else WORDS[word or "average"].target
        return Hard(target, word, bool(values.get("simple")), bool(values.get("harm"))).words

    def opposing_fields(self, trait: Trait, sheet: Sheet, settings: Settings) -> Mapping[str, Value]:
        return {"difficulty": rank_of(trait).word, "whose": f"{trait.name} ({sheet.name})"[:100]}

    def tables(self, settings: Settings) -> tuple[Table, ...]:
        return odds_page.tables(settings)

    def calculators(self, settings: Settings) -> tuple[Calculator, ...]:
        return odds_page.calculators(settings)
