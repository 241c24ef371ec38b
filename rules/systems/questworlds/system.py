"""QuestWorlds as a game system: its parts, what is prepared, and what a campaign can set."""
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.common_settings import COMMON
from rules.engine import Procedure
from rules.fields import read_all
from rules.system import System
from rules.systems.questworlds import bank
from rules.systems.questworlds.cast import SAMPLE
from rules.systems.questworlds.community import Community, ScoredCommunity
from rules.systems.questworlds.downtime import Downtime
from rules.systems.questworlds.edition import FIRST, Edition, edition_named
from rules.systems.questworlds.growth.creation import QuestWorldsGrowth
from rules.systems.questworlds.lasting_review import LastingReview
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.plot_edit import PlotEdit
from rules.systems.questworlds.rolls import QuestWorldsRolls
from rules.systems.questworlds.session import QuestWorldsSession
from rules.systems.questworlds.session_zero import QUESTIONS
from rules.systems.questworlds.settings import counts_experience, is_package, setting_fields
from rules.systems.questworlds.sheet import QuestWorldsSheet
from rules.systems.questworlds.simple_contest import FlawContest, GroupContest, OpposedContest, SimpleContest
from rules.systems.questworlds.starters import starters
from rules.values import BadMove, Value


class QuestWorlds(System):
    slug = "questworlds"
    sample = SAMPLE
    name = "QuestWorlds"
    edition = FIRST.key
    pitch = "Abilities in your own words, and one question for every contest: what do you want, and how?"
    session_zero = QUESTIONS

    def __init__(
        self, symbol: str = "M", package: bool = False, milestones: bool = False, edition: Edition = FIRST,
        points: bool = True,
    ) -> None:
        self.symbol, self.numbers, self.edition = symbol, edition, edition.key
        self.procedures: tuple[Procedure[Any], ...] = (
            *(kind(edition, symbol) for kind in (
                SimpleContest, OpposedContest, GroupContest, FlawContest, ScoredLong, ChainedLong, ExtendedLong)),
            PlotEdit(edition, points), LastingReview(edition, symbol), Downtime(), ScoredCommunity(edition, symbol),
            Community(edition, symbol))
        self.sheet = QuestWorldsSheet(symbol, package, milestones, edition)
        self.rolls = QuestWorldsRolls(symbol, edition)
        self.session, self.growth = QuestWorldsSession(points), QuestWorldsGrowth(edition)
        self.setting_fields = setting_fields(symbol, edition)
        self.prep_items, self.starters = bank.kinds(symbol), starters(symbol)

    def in_edition(self, edition: str) -> System:
        return self if edition == self.edition else QuestWorlds(edition=edition_named(edition))

    def with_settings(self, settings: Mapping[str, Value]) -> System:
        return _with(
            str(settings.get("symbol", "M")), is_package(settings), not counts_experience(settings), self.numbers,
            settings.get("points") != 0)

    def read_settings(self, given: Mapping[str, Value]) -> dict[str, Any]:
        try:
            return super().read_settings(given)
        except BadMove:
            # The sign may change together with the base that is written in it.
            sign = given.get("symbol")
            if not isinstance(sign, str) or sign == self.symbol:
                raise
            return read_all((*setting_fields(sign.strip(), self.numbers), *COMMON), given)


@lru_cache(maxsize=32)
def _with(symbol: str, package: bool, milestones: bool, edition: Edition, points: bool) -> QuestWorlds:
    return QuestWorlds(symbol, package, milestones, edition, points)
