"""QuestWorlds as a game system: what a sheet is made of, how a contest is framed, what the dials set."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rules.contests import ContestKind, Offer, Turn
from rules.fields import Choice, Field, Text, Whole, read_all
from rules.moves import Need, Step
from rules.sheet import Budget, Refill, Sheet, Trait, TraitDraft
from rules.system import Line, PoolKind, SceneEnd, System, TraitKind
from rules.systems.questworlds import bank, builder, growth, odds_page, story_points
from rules.systems.questworlds.contest import AssuredContest, Contest
from rules.systems.questworlds.downtime import Downtime
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.framed import Framed, Group, Versus
from rules.systems.questworlds.notation import ScoreField, notation, of_rank, signed
from rules.systems.questworlds.plot import PlotEdit
from rules.systems.questworlds.resistance import BASE, BaseField
from rules.systems.questworlds.scored import ScoredContest
from rules.systems.questworlds.traits import BONUSES, CONSEQUENCE, FLAW, LASTING, SIDEKICK, score_of
from rules.systems.questworlds.walk import Walk
from rules.tables import Calculator, Table
from rules.values import BadMove, Value

MOST = 120


class MasterySign(Text):
    """One or two letters or signs, none of which a number is written with."""

    def check(self, value: Value) -> str:
        sign = super().check(value)
        if not sign or any(each.isdigit() or each in "+-− " for each in sign):
            raise BadMove("Give a letter or a sign, no digit.")
        return sign


def _kinds(symbol: str) -> tuple[TraitKind, ...]:
    scores = tuple((score, notation(score, symbol)) for score in range(1, MOST + 1))
    bonuses = tuple((bonus, signed(bonus, symbol)) for bonus in range(1, 61))
    ranks = tuple((rank, f"rank {rank}") for rank in range(1, 6))
    typed = ScoreField(name="value", label="Score", symbol=symbol)

    def scored(name: str, label: str, plural: str, help: str, default: int = 13, *, lines: int = 1) -> TraitKind:
        return TraitKind(name, label, plural, help, scores, default, typed=typed, lines=lines, values_are="Score")

    keyword = ("keyword",)
    return (
        scored(
            "characteristic",
            "Distinguishing characteristic",
            "Distinguishing characteristic",
            "How they act, in a word or two: haughty, sardonic, naive.",
            17,
        ),
        scored("keyword", "Keyword", "Keywords", "An occupation, a culture, a faith: all that goes with it.", 17),
        TraitKind(
            "breakout",
            "Breakout",
            "Breakouts",
            "What they do better than the rest of a keyword.",
            bonuses,
            1,
            typed=typed,
            values_are="Bonus",
            within=keyword,
            lines=1,
        ),
        scored("ability", "Ability", "Abilities", "Anything in your own words that solves a problem.", lines=4),
        scored(
            "relationship",
            "Relationship",
            "Relationships",
            "Ally, patron, contact, dependent, adversary: say in the note which, and who is lost with it.",
        ),
        scored(
            "retainer",
            "Retainer",
            "Retainers",
            "Helpers without a name. They can be replaced with a good reason.",
            lines=0,
        ),
        TraitKind(
            SIDEKICK,
            "Sidekick",
            "Sidekick",
            "A follower with a name and three abilities of its own.",
            ((0, "a follower"),),
            0,
            lines=0,
        ),
        TraitKind(
            "sidekick_ability",
            "Ability of a sidekick",
            "Abilities of the sidekick",
            "They start at 16, 13 and 13, with 15 points to spend.",
            scores,
            13,
            typed=typed,
            values_are="Score",
            within=(SIDEKICK,),
            lines=0,
        ),
        TraitKind(
            "characteristic_breakout",
            "Characteristic as a breakout",
            "Characteristic as a breakout",
            "In the place of the one above: it starts at +4 in a keyword.",
            bonuses,
            4,
            typed=typed,
            values_are="Bonus",
            within=keyword,
            lines=0,
        ),
        TraitKind(
            FLAW,
            "Flaw",
            "Flaws",
            "Up to three. The first counts as much as your best ability.",
            ((0, "by rule"), *scores),
            0,
            typed=ScoreField(name="value", label="Score", symbol=symbol, default=0),
            values_are="Score",
            within=keyword,
            lines=1,
        ),
        TraitKind(
            CONSEQUENCE,
            "Consequence",
            "Consequences",
            "What earlier contests left behind.",
            ranks,
            1,
            condition=True,
            played=True,
        ),
        TraitKind(
            "benefit", "Benefit", "Benefits", "What earlier contests won.", ranks, 1, condition=True, played=True
        ),
    )


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
    pools = (PoolKind("xp", "Experience", "A defeat teaches, and so does a flaw that gets in the way.", "QW-80"),)
    shared_pools = (
        PoolKind("story_points", "Story points", "A bump up after the dice, or an edit of the plot.", "QW-90"),
    )
    moves = (Contest(), AssuredContest(), ScoredContest(), ExtendedContest())
    contests: tuple[ContestKind[Any, Any], ...] = (Framed(), Versus(), Group(), PlotEdit(), Walk(), Downtime())
    watched = ("base",)
    scene_ends = "Nothing heals by itself: what lasts fades when the GM says so."

    def __init__(self, symbol: str = "M") -> None:
        self.symbol = symbol
        self.trait_kinds = _kinds(symbol)
        self.dials = _dials(symbol)
        self.bank = bank.kinds(symbol)

    def under(self, dials: Mapping[str, Value]) -> System:
        return _with(str(dials.get("symbol", "M")))

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
        if kind == FLAW and not value:
            return "not scored yet"
        return signed(value, self.symbol) if kind in BONUSES else notation(value, self.symbol)

    def shown(self, trait: Trait, sheet: Sheet) -> str:
        score = score_of(trait, sheet)
        if trait.kind in BONUSES and score is not None:
            return f"{signed(trait.value, self.symbol)} = {notation(score, self.symbol)}"
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
        return builder.quick(line)

    reads_prose = True

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
        return {"xp": sheet.pool("xp"), "cost": dials["advance"], "by_xp": dials["growth"] == "xp"}

    def tables(self, dials: Mapping[str, Any]) -> tuple[Table, ...]:
        return odds_page.tables(dials)

    def calculators(self, dials: Mapping[str, Any]) -> tuple[Calculator, ...]:
        return odds_page.calculators(dials)


@lru_cache(maxsize=32)
def _with(symbol: str) -> QuestWorlds:
    return QuestWorlds(symbol)
