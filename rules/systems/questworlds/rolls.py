"""QuestWorlds' moves, how a contest is put together from a sheet, and its odds."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.approaches import Approach
from rules.came import Came, Tells
from rules.fields import Text
from rules.modifiers import Modifier
from rules.prep import Stepped
from rules.sheet import Sheet, Trait
from rules.system import Opposes, RollRules, Settings
from rules.systems.questworlds import odds_page
from rules.systems.questworlds.approaches import AUGMENT, STRETCH, approaches
from rules.systems.questworlds.chained import ChainedContest
from rules.systems.questworlds.contest import AssuredContest, Contest
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.group import GroupContest
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.reckoning import stands_at
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.scored import ScoredContest
from rules.systems.questworlds.settings import stacks_by_value
from rules.tables import Calculator, Table
from rules.values import BadMove, Value


@dataclass(frozen=True, kw_only=True)
class ResistanceField(Text, Stepped):
    """A resistance as a GM writes it (QW-03); `options` are the difficulties that have names."""

    symbol: str = "M"
    edition: Edition = FIRST
    options: tuple[tuple[str, str], ...] = ()
    step: int = 3

    def harder(self, value: Value, steps: int) -> str:
        number, _ = resistance_of(str(value), symbol=self.symbol, edition=self.edition)
        if number + self.step * steps < self.edition.difficulty.least:
            raise BadMove("This is the least.")
        return notation(number + self.step * steps, self.symbol)

    def check(self, value: Value) -> str:
        text = super().check(value)
        try:
            resistance_of(text, symbol=self.symbol, edition=self.edition)
        except BadMove as bad:
            raise BadMove(bad.sentence) from None
        return text

VERDICTS = {"victory": "success", "defeat": "failure", "tie": "tie"}


class QuestWorldsRolls(RollRules, Opposes, Tells):
    """`symbol` is the sign of a mastery."""

    def __init__(self, symbol: str, edition: Edition = FIRST) -> None:
        self.symbol, self.edition = symbol, edition
        self.obstacle = (
            ResistanceField(
                name="resistance", label="Resistance", most=20, symbol=symbol, edition=edition,
                options=(("", "the base"), *((name, name) for name, rank in edition.difficulty.names if rank)),
                help=f"A score (17, 7{symbol}), a rank (+6) or a name (high). Leave blank for the base."),
        )
        self.moves = (Contest(edition), AssuredContest(edition), ScoredContest(edition), ExtendedContest(edition),
                      ChainedContest(edition), GroupContest(edition))
        steps = edition.modifiers
        self.stretches = tuple(Modifier(STRETCH, amount, f"a stretch {signed(amount, symbol)}")
                               for amount in sorted(steps.stretch, reverse=True))
        self.boosts = (Modifier(AUGMENT, steps.augment[0], f"an augment {signed(steps.augment[0], symbol)}"),)

    nothing = "no ability fits"
    counted = ("One ability that fits, with every consequence and benefit that touches it; ties as the campaign has "
               "them. Augments are offered with the roll: switch one on to see what it would do.")

    def came(self, move: str, result: Mapping[str, Value]) -> Came | None:
        verdict = VERDICTS.get(str(result.get("outcome")))
        rank = result.get("rank")
        return Came(verdict, f"by rank {rank}" if rank and verdict != "tie" else "") if verdict else None

    def approaches(
        self, sheet: Sheet, obstacle: Mapping[str, Value], settings: Settings, waiting: Sequence[Modifier] = ()
    ) -> tuple[Approach, ...]:
        return approaches(sheet, str(obstacle.get("resistance", "")), settings, self.symbol, self.edition, waiting)

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        return str(values.get("resistance") or "the base")

    def opposing_fields(self, trait: Trait, sheet: Sheet, settings: Settings) -> Mapping[str, Value]:
        return {"resistance": notation(self.opposing_strength(trait, sheet, settings), self.symbol)}

    def opposing_strength(self, trait: Trait, sheet: Sheet, settings: Settings) -> int:
        number, _ = stands_at(sheet, trait, int(settings["base"]), stacks_by_value(settings), self.edition)
        return number

    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        terms = Contest(self.edition).read(given)
        return f"Roll {notation(terms.score, self.symbol)} against {notation(terms.resistance, self.symbol)}"

    def tables(self, settings: Settings) -> tuple[Table, ...]:
        return odds_page.tables(settings, self.edition)

    def calculators(self, settings: Settings) -> tuple[Calculator, ...]:
        return odds_page.calculators(settings, self.edition)
