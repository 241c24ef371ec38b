"""QuestWorlds as a game system: what a sheet is made of, how a contest is framed, what the dials set."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rules.contests import ContestKind, Offer, Turn
from rules.fields import Choice, Field, Text, Whole, read_all
from rules.moves import Need, Step
from rules.sheet import Budget, Refill, Sheet, Trait, TraitDraft
from rules.system import Line, PoolKind, SceneEnd, System
from rules.systems.questworlds import bank, builder, growth, odds_page, sheet_kinds, story_points
from rules.systems.questworlds.abilities import Thresholds
from rules.systems.questworlds.contest import AssuredContest, Contest
from rules.systems.questworlds.downtime import Downtime
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.framed import Framed, Group, Versus
from rules.systems.questworlds.notation import notation, of_rank, signed
from rules.systems.questworlds.plot import PlotEdit
from rules.systems.questworlds.resistance import BASE, BaseField
from rules.systems.questworlds.scored import ScoredContest
from rules.systems.questworlds.traits import (
    BONUSES,
    CONSEQUENCE,
    FLAWS,
    LASTING,
    SIDEKICK,
    is_package,
    lasting,
    score_of,
)
from rules.systems.questworlds.walk import Walk
from rules.tables import Calculator, Table
from rules.values import BadMove, Value


class MasterySign(Text):
    """One or two letters or signs, none of which a number is written with."""

    def check(self, value: Value) -> str:
        sign = super().check(value)
        if not sign or any(each.isdigit() or each in "+-− " for each in sign):
            raise BadMove("Give a letter or a sign, no digit.")
        return sign


def _dials(symbol: str) -> tuple[Field, ...]:
    return (
        MasterySign(name="symbol", label="Sign of a mastery", default="M", most=2),
        BaseField(
            name="base",
            label="Base resistance",
            default=BASE,
            symbol=symbol,
            help=f"As {BASE} or as 1{symbol}. Raise it by 3, 6 or 9 for a new season. The chronicle keeps each step.",
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
            options=(("tie", "Is a tie"), ("player", "Goes to the player's side")),
        ),
        Whole(name="advance", label="Experience for an advance", default=10, least=1, most=50),
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
            default=1,
            least=1,
            most=story_points.MOST_EACH,
            help="The pool when it is fresh: more where heroes hardly ever lose.",
        ),
        Thresholds(
            name="thresholds",
            label="Thresholds",
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
    name = "QuestWorlds"
    edition = "questworlds 0.51"
    pitch = "Abilities in your own words, and one question for every contest: what do you want, and how?"
    pools: tuple[PoolKind, ...] = (
        PoolKind("xp", "Experience", "A defeat teaches, and so does a flaw that gets in the way.", "QW-80", "played"),
    )
    shared_pools = (
        PoolKind("story_points", "Story points", "A bump up after the dice, or an edit of the plot.", "QW-90"),
    )
    moves = (Contest(), AssuredContest(), ScoredContest(), ExtendedContest())
    contests: tuple[ContestKind[Any, Any], ...] = (Framed(), Versus(), Group(), PlotEdit(), Walk(), Downtime())
    watched = ("base",)
    scene_ends = "Nothing heals by itself: what lasts fades when the GM says so."

    def __init__(self, symbol: str = "M", package: bool = False, milestones: bool = False) -> None:
        self.symbol, self.package = symbol, package
        if milestones:  # the pool carries what a milestone is worth, and nobody counts it (QW-83)
            self.pools = tuple(replace(each, sheets="none") for each in self.pools)
        self.trait_kinds = sheet_kinds.kinds(symbol, package)
        self.dials = _dials(symbol)
        self.bank = bank.kinds(symbol)

    def under(self, dials: Mapping[str, Value]) -> System:
        return _with(str(dials.get("symbol", "M")), is_package(dials), dials.get("growth") == "milestone")

    def read_dials(self, given: Mapping[str, Value]) -> dict[str, Any]:
        try:
            return read_all(self.dials, given)
        except BadMove:
            # The sign may change together with the base that is written in it.
            sign = given.get("symbol")
            if not isinstance(sign, str) or sign == self.symbol:
                raise
            return read_all(_dials(sign.strip()), given)

    def notation(self, kind: str, value: int) -> str:
        if kind in LASTING:
            sign = -1 if kind == CONSEQUENCE else 1
            return signed(sign * of_rank(min(5, abs(value))), self.symbol)
        if kind == SIDEKICK:
            return ""
        if kind in FLAWS and not value:
            return "not scored yet"
        if kind in BONUSES and self.package:
            return f"its keyword {signed(value, self.symbol)}"
        return signed(value, self.symbol) if kind in BONUSES else notation(value, self.symbol)

    def shown(self, trait: Trait, sheet: Sheet) -> str:
        score = score_of(trait, sheet)
        if trait.kind in BONUSES and score is not None:
            alone = notation(score, self.symbol)
            # In a package an ability stands by itself: what its keyword has is nothing to it in play (QW-73).
            return alone if self.package else f"{signed(trait.value, self.symbol)} = {alone}"
        return self.notation(trait.kind, trait.now)

    def compose(
        self, move: str, traits: Sequence[Trait], lines: Sequence[Line], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        if len(traits) > 1:
            raise BadMove("Choose one ability.", "traits")
        return {
            **values,
            **({"ability": traits[0].value} if traits else {}),
            "modifiers": [each.amount for each in lines],
        }

    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        terms = Contest().read(given)
        return f"Roll {notation(terms.score, self.symbol)} against {notation(terms.resistance, self.symbol)}"

    def budget(self, traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> Budget:
        return builder.budget(traits, dials)

    def finished(self, traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> tuple[TraitDraft, ...]:
        return builder.finished(traits, dials)

    def quick(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return builder.quick(line, self.symbol)

    reads_prose = True
    completes = ("sidekick", "promote")

    def from_prose(self, text: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return builder.from_prose(text)

    def shared_start(self, pool: str, players: int, dials: Mapping[str, Any]) -> int:
        return story_points.full(players, dials["points"])

    def begin_session(self, sheets: Sequence[Sheet], dials: Mapping[str, Any]) -> SceneEnd:
        if dials["refresh"] != story_points.SESSION:
            return SceneEnd()
        return SceneEnd((Step("QW-90", story_points.back(dials["points"])),), (Refill("story_points"),))

    def deeds(self, sheet: Sheet, dials: Mapping[str, Any]) -> tuple[Offer, ...]:
        return growth.offers(sheet, dials)

    def do(
        self, sheet: Sheet, dials: Mapping[str, Any], action: str, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> Turn[Any] | Need:
        return growth.do(sheet, dials, action, given)

    def picture(self, sheet: Sheet, dials: Mapping[str, Any]) -> Any:
        offered = growth.offers(sheet, dials)
        return {"xp": sheet.pool("xp"), "cost": dials["advance"], "by_xp": dials["growth"] == "xp",
                "ready": any(each.action == "advance" for each in offered), "deeds": any(each.by for each in offered),
                "hurts": tuple(each.name for each in lasting(sheet) if each.kind == CONSEQUENCE)}

    def tables(self, dials: Mapping[str, Any]) -> tuple[Table, ...]:
        return odds_page.tables(dials)

    def calculators(self, dials: Mapping[str, Any]) -> tuple[Calculator, ...]:
        return odds_page.calculators(dials)


@lru_cache(maxsize=32)
def _with(symbol: str, package: bool, milestones: bool) -> QuestWorlds:
    return QuestWorlds(symbol, package, milestones)
