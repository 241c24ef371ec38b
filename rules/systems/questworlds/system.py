"""QuestWorlds as a game system: its parts, what is prepared, and what a campaign can set."""
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.common_settings import COMMON
from rules.engine import Procedure
from rules.fields import Choice, Field, Text, Whole, read_all
from rules.system import System
from rules.systems.questworlds import bank, older, story_points
from rules.systems.questworlds.abilities import Thresholds
from rules.systems.questworlds.cast import SAMPLE
from rules.systems.questworlds.community import Community, ScoredCommunity
from rules.systems.questworlds.downtime import Downtime
from rules.systems.questworlds.edition import FIRST, Edition, edition_named
from rules.systems.questworlds.growth.creation import QuestWorldsGrowth
from rules.systems.questworlds.lasting_review import LastingReview
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.long.opening import FORMS
from rules.systems.questworlds.plot_edit import PlotEdit
from rules.systems.questworlds.resistance import BaseField
from rules.systems.questworlds.rolls import QuestWorldsRolls
from rules.systems.questworlds.session import QuestWorldsSession
from rules.systems.questworlds.session_zero import QUESTIONS
from rules.systems.questworlds.sheet import QuestWorldsSheet
from rules.systems.questworlds.simple_contest import FlawContest, GroupContest, OpposedContest, SimpleContest
from rules.systems.questworlds.starters import starters
from rules.systems.questworlds.traits import is_package
from rules.values import BadMove, Value


class MasterySign(Text):
    """One or two letters or signs, none of which a number is written with."""

    def check(self, value: Value) -> str:
        sign = super().check(value)
        if not sign or any(each.isdigit() or each in "+-− " for each in sign):
            raise BadMove("Enter a letter or a sign, no digit.")
        return sign


def _settings(symbol: str, edition: Edition) -> tuple[Field, ...]:
    return (
        *_settings_of_contests(symbol, edition), *_settings_of_growth(edition), *_settings_of_use(symbol),
        *older.SETTINGS,
    )


def _settings_of_contests(symbol: str, edition: Edition) -> tuple[Field, ...]:
    base, rises = edition.difficulty.base, edition.difficulty.rises
    return (
        MasterySign(name="symbol", label="Mastery symbol", default="M", most=2),
        BaseField(
            name="base",
            label="Base resistance",
            default=base,
            symbol=symbol,
            edition=edition,
            help=f"As {base} or as 1{symbol}. Raise it by {', '.join(map(str, rises[:-1]))} or {rises[-1]} for a new "
            "season. The Ledger keeps each step.",
        ),
        Choice(
            name="keywords",
            label="Keywords",
            default="umbrella",
            options=(("umbrella", "An umbrella: breakouts are bonuses on it"), ("package", "A package: a shorthand")),
        ),
        Choice(
            name="tie",
            label="A tie",
            default="tie",
            options=(("tie", "Is a tie"), ("player", "Goes to the player’s side")),
        ),
        Choice(name="long", label="Long contests", default="scored", options=FORMS,
               help="Pick one kind for the campaign. If unsure, choose scored."),
        Choice(name="tactics", label="Tactics of a scored contest", default="open",
               options=(("open", "The GM’s side says first"), ("secret", "Both sides choose, then show"))),
        Choice(name="community", label="The group’s community", default="ranks",
               options=(("no", "Not used"), ("ranks", "Resources with ranks"))),
        Choice(name="edges", label="Edges and handicaps", default="no",
               options=(("no", "Not used"), ("yes", "Used in extended contests"))),
    )


def _settings_of_growth(edition: Edition) -> tuple[Field, ...]:
    points = edition.story_points
    return (
        Whole(name="advance", label="Experience for an advance", default=edition.growth.advance, least=1, most=50),
        Choice(
            name="growth",
            label="Growth",
            default="xp",
            options=(("xp", "By experience"), ("milestone", "By milestones")),
        ),
        Choice(
            name="refresh",
            label="Story points come back",
            default="session",
            options=story_points.REFRESHES,
        ),
        Whole(
            name="points",
            label="Story points for each character",
            default=points.each,
            least=0,
            most=points.most_each,
            help="The pool when it is fresh: more where heroes hardly ever lose, 0 where the campaign has none.",
        ),
    )


def _settings_of_use(symbol: str) -> tuple[Field, ...]:
    return (
        Thresholds(
            name="thresholds",
            label="Named difficulty scores",
            symbol=symbol,
            help=f"Scores that certain uses take, as names with numbers: apprentice 15, journeyman 5{symbol}. "
            "Empty where no use asks for one.",
        ),
        Choice(
            name="stacking",
            label="Several consequences and benefits",
            default="rank",
            options=(("rank", "Add up by rank"), ("value", "Add up by value")),
        ),
    )


class QuestWorlds(System):
    slug = "questworlds"
    sample = SAMPLE
    name = "QuestWorlds"
    edition = FIRST.key
    pitch = "Abilities in your own words, and one question for every contest: what do you want, and how?"
    session_zero = QUESTIONS
    growth = QuestWorldsGrowth()

    def __init__(
        self, symbol: str = "M", package: bool = False, milestones: bool = False, edition: Edition = FIRST,
        points: bool = True,
    ) -> None:
        self.symbol, self.numbers, self.edition = symbol, edition, edition.key
        self.procedures: tuple[Procedure[Any], ...] = (
            SimpleContest(edition), OpposedContest(edition), GroupContest(edition), FlawContest(edition),
            ScoredLong(edition), ChainedLong(edition), ExtendedLong(edition),
            PlotEdit(edition, points), LastingReview(edition), Downtime(), ScoredCommunity(edition),
            Community(edition))
        self.sheet = QuestWorldsSheet(symbol, package, milestones, edition)
        self.rolls = QuestWorldsRolls(symbol, edition)
        self.session = QuestWorldsSession(points)
        self.setting_fields = _settings(symbol, edition)
        self.prep_items, self.starters = bank.kinds(symbol), starters(symbol)

    def in_edition(self, edition: str) -> System:
        return self if edition == self.edition else QuestWorlds(edition=edition_named(edition))

    def with_settings(self, settings: Mapping[str, Value]) -> System:
        return _with(
            str(settings.get("symbol", "M")), is_package(settings), settings.get("growth") == "milestone", self.numbers,
            settings.get("points") != 0)

    def read_settings(self, given: Mapping[str, Value]) -> dict[str, Any]:
        try:
            return super().read_settings(given)
        except BadMove:
            # The sign may change together with the base that is written in it.
            sign = given.get("symbol")
            if not isinstance(sign, str) or sign == self.symbol:
                raise
            return read_all((*_settings(sign.strip(), self.numbers), *COMMON), given)


@lru_cache(maxsize=32)
def _with(symbol: str, package: bool, milestones: bool, edition: Edition, points: bool) -> QuestWorlds:
    return QuestWorlds(symbol, package, milestones, edition, points)
