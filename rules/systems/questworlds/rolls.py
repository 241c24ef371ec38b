"""QuestWorlds' moves, how a contest is put together from a sheet, and its odds."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.fields import Text
from rules.sheet import Sheet, Trait
from rules.system import Modifier, Opposes, RollRules, Settings
from rules.systems.questworlds import odds_page
from rules.systems.questworlds.chained import ChainedContest
from rules.systems.questworlds.contest import AssuredContest, Contest
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.scored import ScoredContest
from rules.systems.questworlds.traits import score_of
from rules.tables import Calculator, Table
from rules.values import BadMove, Value


class QuestWorldsRolls(RollRules, Opposes):
    """`symbol` is the sign of a mastery."""

    def __init__(self, symbol: str, edition: Edition = FIRST) -> None:
        self.symbol, self.edition = symbol, edition
        self.obstacle = (
            Text(name="resistance", label="Resistance", most=20,
                 help=f"A score (17, 7{symbol}), a rank (+6) or a name (high). Left open it is the base."),
        )
        self.moves = (Contest(edition), AssuredContest(edition), ScoredContest(edition), ExtendedContest(edition),
                      ChainedContest(edition))

    def compose(
        self, move: str, traits: Sequence[Trait], modifiers: Sequence[Modifier], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        if len(traits) > 1:
            raise BadMove("Choose one ability.", "traits")
        return {
            **values,
            **({"ability": traits[0].value} if traits else {}),
            "modifiers": [each.amount for each in modifiers],
        }

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        return str(values.get("resistance") or "the base")

    def opposing_fields(self, trait: Trait, sheet: Sheet) -> Mapping[str, Value]:
        score = score_of(trait, sheet) or self.edition.difficulty.base
        return {"resistance": notation(max(self.edition.difficulty.least, score), self.symbol)}

    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        terms = Contest(self.edition).read(given)
        return f"Roll {notation(terms.score, self.symbol)} against {notation(terms.resistance, self.symbol)}"

    def tables(self, settings: Settings) -> tuple[Table, ...]:
        return odds_page.tables(settings, self.edition)

    def calculators(self, settings: Settings) -> tuple[Calculator, ...]:
        return odds_page.calculators(settings, self.edition)
