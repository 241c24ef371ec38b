"""What the older options make of a contest: one policy that it is built with, from those that it began with."""
from __future__ import annotations

from dataclasses import dataclass

from rules.moves import Step
from rules.procedure import Options
from rules.sheet import Effect, Trait
from rules.systems.questworlds.chained import Harm
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.older import options
from rules.systems.questworlds.older.by_degree import AUGMENTS, healed, resists
from rules.systems.questworlds.older.degrees import degree_of
from rules.systems.questworlds.older.long_tables import HarmByTable
from rules.systems.questworlds.older.states import DYING, NAMES
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.traits import ADVERSITY, BENEFIT, CONSEQUENCE, FORTUNE


@dataclass(frozen=True)
class Policy:
    """The older options of a contest, by name. With none of them everything is as the rules have it."""

    older: tuple[str, ...] = ()

    @property
    def degrees(self) -> bool:
        """Whether outcomes have a degree (QW-A1)."""
        return options.DEGREES in self.older

    def degree(self, clash: Clash) -> int:
        """The degree of an outcome; 0 where outcomes have none."""
        return degree_of(clash) if self.degrees else 0

    @property
    def points(self) -> bool:
        """Whether a group's outcome is counted in outcome points (QW-A2)."""
        return options.OUTCOME_POINTS in self.older

    @property
    def tables_of_scored(self) -> bool:
        """Whether a scored contest ends by its tables (QW-A3)."""
        return options.SCORED_TABLES in self.older

    @property
    def second_best(self) -> bool:
        """Whether the second best outcome is a group's in a long contest (QW-A4)."""
        return options.GROUP_OUTCOMES in self.older

    @property
    def tables_of_long(self) -> bool:
        """Whether chained and extended contests go by their tables (QW-A5)."""
        return options.LONG_TABLES in self.older

    def harm(self, by_value: bool, edition: Edition) -> Harm:
        """What a defeat in a chained contest comes to."""
        return HarmByTable(edition) if self.tables_of_long else Harm(edition, by_value)

    @property
    def by_degree(self) -> bool:
        """Whether healing and augments go by the degree (QW-A8)."""
        return options.BY_DEGREE in self.older

    def augment(self, clash: Clash, bonus: int) -> int:
        """What an augment's own contest adds, that was rolled for this bonus."""
        return AUGMENTS[degree_of(clash)] if self.by_degree else bonus if clash.lead > 0 else 0

    def resists(self, trait: Trait, edition: Edition) -> int:
        """What a line adds to the base where it is healed (QW-62)."""
        return resists(trait, self.by_degree, edition)

    def healed(self, line: Trait, outcome: str, degree: int, edition: Edition) -> tuple[list[Step], list[Effect]]:
        """What an attempt to heal makes of a line."""
        return healed(line, outcome, degree, self.by_degree, edition)

    def kind_of(self, kind: str) -> str:
        """The kind of line that a `consequence` or a `benefit` is: a state, where there are states (QW-A6, QW-A7)."""
        if kind == CONSEQUENCE and options.STATES in self.older:
            return ADVERSITY
        return FORTUNE if kind == BENEFIT and options.FORTUNES in self.older else kind

    def kinds(self) -> Options:
        """What may last, as the GM chooses."""
        states, fortunes = self.kind_of(CONSEQUENCE) == ADVERSITY, self.kind_of(BENEFIT) == FORTUNE
        return ((CONSEQUENCE, "A state of adversity" if states else "A consequence"),
                (BENEFIT, "A state of fortune" if fortunes else "A benefit"))

    def ranks(self, edition: Edition, symbol: str) -> Options:
        """How much of it: ranks, and the states that they are."""
        ladder, choices = edition.modifiers, []
        states = [kind for kind in (self.kind_of(CONSEQUENCE), self.kind_of(BENEFIT)) if kind in NAMES]
        for rank in range(1, ladder.highest_rank + 1):
            number = f"Rank {rank}: {signed(ladder.of_rank(rank), symbol)[1:]}"
            names = [NAMES[kind][rank - 1] for kind in states if rank <= DYING]
            if names:
                besides = f" ({number.lower()})" if len(names) == 1 else ""
                choices.append((str(rank), " or ".join(names).capitalize() + besides))
            elif len(states) < 2:
                choices.append((str(rank), number))
        return tuple(choices)
