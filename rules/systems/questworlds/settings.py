"""What a campaign of QuestWorlds can set, how a number of it is written, and as what a contest keeps it."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.fields import Choice, Field, Flag, Text, Whole
from rules.settings import asked, setting
from rules.systems.questworlds import older
from rules.systems.questworlds.abilities import Thresholds, thresholds
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.resistance import BaseField
from rules.systems.questworlds.session import REFRESHES, SESSION
from rules.values import BadMove, Value

FORMS = (("scored", "Scored: to five points"), ("extended", "Extended: advantage points are bid"),
         ("chained", "Chained: each defeat hurts at once"),
         ("all", "Any of them, as the GM chooses"))


class MasterySign(Text):
    """One or two letters or signs, none of which a number is written with."""

    def check(self, value: Value) -> str:
        sign = super().check(value)
        if not sign or any(letter.isdigit() or letter in "+-− " for letter in sign):
            raise BadMove("Enter a letter or a sign, no digit.")
        return sign


def is_package(settings: Mapping[str, Any]) -> bool:
    """Whether what stands in a keyword is an ability by itself, and no breakout (QW-73)."""
    return settings.get("keywords") == "package"


def counts_experience(settings: Mapping[str, Any]) -> bool:
    """Whether characters grow by what they learn, and not by milestones."""
    return settings.get("growth") != "milestone"


def stacks_by_value(settings: Mapping[str, Any]) -> bool:
    """Whether several consequences and benefits add up by what each is worth (QW-61)."""
    return settings.get("stacking") == "value"


def ties_to_player(settings: Mapping[str, Any]) -> bool:
    """Whether a tie is the player's (QW-14)."""
    return settings.get("tie") == "player"


def uses_that_ask(settings: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """The scores that certain uses take, as (name, score) (QW-30)."""
    return tuple((use.name, use.least) for use in thresholds(settings["thresholds"], settings["symbol"]))


def _base(symbol: str, edition: Edition) -> Field:
    base, rises = edition.difficulty.base, edition.difficulty.rises
    return BaseField(
        name="base", label="Base resistance", default=base, symbol=symbol, edition=edition,
        help=f"As {base} or as 1{symbol}. Raise it by {', '.join(map(str, rises[:-1]))} or {rises[-1]} for a new "
             "season. The Ledger keeps each step.")


def _thresholds(symbol: str) -> Field:
    return Thresholds(
        name="thresholds", label="Named difficulty scores", symbol=symbol,
        help=f"Scores that certain uses take, as names with numbers: apprentice 15, journeyman 5{symbol}. "
             "Leave blank if no use asks for one.")


def _older(name: str, label: str, help: str) -> Any:
    return setting(Flag(name=name, label=label, help=help), kept_as="older", by=older.turned_on)


@dataclass(frozen=True)
class Settings:
    """All of them, in the order in which the campaign's page asks."""

    symbol: str = setting(MasterySign(name="symbol", label="Mastery symbol", default="M", most=2))
    base: int = setting(_base("M", FIRST))
    keywords: str = setting(Choice(
        name="keywords", label="Keywords", default="umbrella",
        options=(("umbrella", "An umbrella: breakouts are bonuses on it"), ("package", "A package: a shorthand"))),
        kept_as="packages", by=is_package)
    tie: str = setting(Choice(
        name="tie", label="A tie", default="tie",
        options=(("tie", "Is a tie"), ("player", "Goes to the player’s side"))),
        kept_as="tie_to_player", by=ties_to_player)
    long: str = setting(Choice(
        name="long", label="Long contests", default="scored", options=FORMS,
        help="Pick one kind for the campaign. If unsure, choose scored."))
    tactics: str = setting(Choice(
        name="tactics", label="Tactics of a scored contest", default="open",
        options=(("open", "The GM’s side says first"), ("secret", "Both sides choose, then show"))),
        kept_as="secret", by=lambda values: values["tactics"] == "secret")
    community: str = setting(Choice(
        name="community", label="The group’s community", default="ranks",
        options=(("no", "Not used"), ("ranks", "Resources with ranks"))))
    edges: str = setting(Choice(
        name="edges", label="Edges and handicaps", default="no",
        options=(("no", "Not used"), ("yes", "Used in extended contests"))),
        by=lambda values: values["edges"] == "yes")
    advance: int = setting(Whole(
        name="advance", label="Experience for an advance", default=FIRST.growth.advance, least=1, most=50))
    growth: str = setting(Choice(
        name="growth", label="Growth", default="xp",
        options=(("xp", "By experience"), ("milestone", "By milestones"))),
        kept_as="counts", by=counts_experience)
    refresh: str = setting(Choice(
        name="refresh", label="Story points come back", default=SESSION, options=REFRESHES))
    points: int = setting(Whole(
        name="points", label="Story points for each character", default=FIRST.story_points.each, least=0,
        most=FIRST.story_points.most_each,
        help="The pool when it is fresh: more where heroes hardly ever lose, 0 where the campaign has none."))
    thresholds: str = setting(_thresholds("M"), by=uses_that_ask)
    stacking: str = setting(Choice(
        name="stacking", label="Several consequences and benefits", default="rank",
        options=(("rank", "Add up by rank"), ("value", "Add up by value"))),
        kept_as="by_value", by=stacks_by_value)
    degrees: bool = _older(
        older.DEGREES, "Degrees of victory", "A victory or a defeat is marginal, minor, major or complete; with a "
        "stretch a victory is minor at best.")
    outcome_points: bool = _older(
        older.OUTCOME_POINTS, "Outcome points in group contests", "The sides of a group simple contest are compared by "
        "points, and story points may boost the outcome.")
    scored_tables: bool = _older(
        older.SCORED_TABLES, "Tables for scored contests", "Rising action or climax says what each suffers or gains.")
    group_outcomes: bool = _older(
        older.GROUP_OUTCOMES, "Outcomes of groups in long contests", "The second best outcome of the winners is the "
        "group’s, or the second worst of the losers.")
    long_tables: bool = _older(
        older.LONG_TABLES, "Tables for extended and chained contests", "The last total of points, or the results of a "
        "round, say what state someone is in.")
    states: bool = _older(
        older.STATES, "States of adversity", "Hurt, impaired, injured or dying in the place of a consequence. They add "
        "up, and lapse with time.")
    fortune: bool = _older(
        older.FORTUNES, "States of fortune", "Fresh, pumped, invigorated or heroic in the place of a benefit.")
    by_degree: bool = _older(
        older.BY_DEGREE, "Healing and augments by degree", "The degree says how much is healed, or how much an augment "
        "adds. Turns degrees of victory on.")
    community_scores: bool = _older(
        older.COMMUNITY_SCORES, "A community with scores", "Resources that are rolled with, wear out, and change from "
        "one interval to the next.")


def setting_fields(
    symbol: str = "M", edition: Edition = FIRST, by: type | tuple[str, ...] | None = None
) -> tuple[Field, ...]:
    """How a campaign of this edition asks for them, its masteries written with this sign; with `by` for some alone."""
    points, own = edition.story_points, {"base": _base(symbol, edition), "thresholds": _thresholds(symbol)}
    numbers: dict[str, dict[str, Any]] = {
        "advance": {"default": edition.growth.advance},
        "points": {"default": points.each, "most": points.most_each}}
    return tuple(own.get(field.name) or replace(field, **numbers.get(field.name, {})) for field in asked(Settings, by))
