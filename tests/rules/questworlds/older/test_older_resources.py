"""A community with scores: its tables cell by cell, and its interval (QW-A9)."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.moves import Need
from rules.procedure import CampaignContext
from rules.sheet import Lose, Trait
from rules.systems.questworlds.community import Community, ScoredCommunity, tables
from rules.systems.questworlds.community.tables import ScoredResource, after_interval, bolstered, cemented
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.degrees import NAMES
from rules.systems.questworlds.traits import SUPPORT, adds
from rules.values import BadMove
from rules.wording import percent
from tests.rules.questworlds.longing import ILSE

COMPLETE = ("complete victory", "major victory", "minor victory", "marginal victory",
            "marginal defeat", "minor defeat", "major defeat", "complete defeat")


def degree(name: str) -> int:
    size = NAMES.index(name.split()[0])
    return -size if "defeat" in name else size


@pytest.mark.parametrize(("outcome", "penalty"), [*zip(COMPLETE, (0, -3, -3, -3, -6, -6, -6, -9), strict=True)])
def test_qw_a9_resource_depletion_table(outcome: str, penalty: int) -> None:
    assert tables.depleted(ScoredResource("Wealth", 18), degree(outcome)).total == penalty


@pytest.mark.parametrize(("outcome", "modifier"), [*zip(COMPLETE, (9, 6, 3, 0, 0, -3, -6, -9), strict=True)])
def test_qw_a9_resource_fluctuation_table(outcome: str, modifier: int) -> None:
    scored_resource = tables.fluctuated(ScoredResource("Wealth", 18), degree(outcome))
    assert (scored_resource.total, scored_resource.pc, scored_resource.background) == (modifier, 0, max(0, modifier))


@pytest.mark.parametrize(("degree_", "bonus"), [(1, 3), (2, 6), (3, 9), (4, 9)])
def test_qw_a9_bolstering_adds_the_benefit_of_the_victory(degree_: int, bonus: int) -> None:
    scored_resource = bolstered(ScoredResource("Wealth", 18), degree_)
    assert (scored_resource.total, scored_resource.pc) == (bonus, bonus)


def test_qw_a9_bolstering_takes_a_penalty_away_first() -> None:
    assert bolstered(ScoredResource("Wealth", 18, total=-9), 2) == ScoredResource("Wealth", 18, total=-3, pc=0)
    assert bolstered(ScoredResource("Wealth", 18, total=-3), 2) == ScoredResource("Wealth", 18, total=3, pc=3)


@pytest.mark.parametrize(("total", "pc", "score"), [
    (0, 0, 18), (2, 2, 18), (3, 3, 19), (6, 6, 20), (9, 9, 21), (15, 15, 21), (9, 0, 18),
    (-2, 0, 18), (-3, 0, 17), (-6, 0, 16), (-9, 0, 16), (-15, 0, 16)])
def test_qw_a9_scores_change_when_the_interval_ends(total: int, pc: int, score: int) -> None:
    assert after_interval(ScoredResource("Wealth", 18, total, pc)) == ScoredResource("Wealth", score)


def test_qw_a9_only_a_cemented_background_bonus_becomes_a_score() -> None:
    lucky = tables.fluctuated(ScoredResource("Wealth", 18), 4)
    assert after_interval(lucky).score == 18 and after_interval(cemented(lucky)).score == 21
    assert cemented(lucky).background == 0


def test_qw_a9_the_notation_table_begins_with_12m_9m_18_18_12() -> None:
    assert [notation(score) for score in tables.SCORES] == ["12M", "9M", "18", "18", "12"]


@pytest.mark.parametrize(("outcome", "modifier"), [*zip(COMPLETE, (20, 9, 6, 3, 0, 0, 0, -3), strict=True)])
def test_qw_a9_augment_table_as_a_line_on_the_sheet(outcome: str, modifier: int) -> None:
    assert adds(Trait("t", SUPPORT, "Wealth", tables.HELPS[degree(outcome)])) == modifier


class Played:
    def __init__(self, sheets: Any = (), points: int = 0, **more: Any) -> None:
        self.kind, self.sheets = ScoredCommunity(), {sheet.id: sheet for sheet in sheets}
        who = [{"sheet": sheet.id, "player": True} for sheet in sheets]
        begun: Any = self.kind.start({"title": "Low Quay", "contestants": who, **more}, self.sheets)
        self.state = self.kind.with_context(self.kind.evolve(self.kind.blank(), begun.events[0]), CampaignContext(
            (("story_points", points),), session="one"))

    def act(self, action: str, *faces: int, who: str = "", **given: Any) -> Any:
        turn = self.kind.act(self.state, self.sheets, who, action, given, faces)
        assert not isinstance(turn, Need)
        for event in turn.events:
            assert self.kind.read(self.kind.write(event)) == event
            self.state = self.kind.evolve(self.state, event)
        assert all(step.rule in ("QW-A9", "QW-A1") or step.rule.startswith("QW-") for step in turn.steps)
        return turn

    def offered(self, by: str = "") -> set[str]:
        return {offer.action for offer in self.kind.offers(self.state, self.sheets) if offer.by == by}

    def lobby(self, *faces: int) -> None:
        self.act("lobby", who="i", resource="1", words="Ships for the siege", ability="k")
        self.act("face", against="moderate")
        self.act("roll", *faces, who="i")

    @property
    def totals(self) -> list[int]:
        return [resource.total for resource in self.state.resources]


def test_qw_a9_an_interval_from_background_to_its_end() -> None:
    low = Played()
    assert low.state.average == (32 + 29 + 18 + 18 + 12) // 5 == 21
    turn = low.act("background", 3, 19, 3, 19, 2, 3, 20, 5, 19, 19)
    assert len(turn.rolls) == 5 and turn.steps[0].text == "Background events against the average, 1M."
    assert low.totals[3] == -6 and low.state.tested
    with pytest.raises(BadMove):
        low.act("background", *(1,) * 10)
    used = low.act("use", 19, 3, resource="4", resistance="14", words="A raid")
    assert low.totals[4] == -9 and used.steps[-1].text == "That takes −6: Arms 12 at −9."
    low.act("concede", resource="4")
    assert low.totals[4] == -15
    crisis = low.act("crisis", 20, 3, 2, 19)
    assert len(crisis.rolls) == 2 and crisis.outcome.result["defeats"] >= 1
    low.act("bolster", resource="3", degree="3")
    assert (low.totals[3], low.state.resources[3].pc) == (3, 3)
    low.act("plot", resource="2", by=-4, words="The fleet burns")
    assert low.state.resources[2].score == 14
    low.act("interval")
    assert low.totals == [0] * 5 and low.state.number == 2 and not low.state.tested
    assert [resource.score for resource in low.state.resources][2:] == [14, 19, 10]
    low.act("end")
    assert low.kind.is_over(low.state) and not low.kind.offers(low.state, {})


def test_qw_a9_lobbying_is_a_contest_and_what_it_grants_is_used_once() -> None:
    low = Played([ILSE], points=1)
    assert [ask.action for ask in low.kind.asks(low.state, low.sheets)] == []
    odds = low.kind.forecast(low.state, low.sheets, "i", "lobby", {
        "resource": "1", "words": "Ships", "ability": "k"})
    assert odds[0][0] == "Against 14, moderate, if the GM leaves it at that"
    low.lobby(18, 19)
    assert "spend" in low.offered("i") and [ask.action for ask in low.kind.asks(low.state, low.sheets)] == ["stand"]
    low.act("stand", who="i")
    assert not low.state.granted and low.totals == [0] * 5, "they were not convinced, and nothing is spent"
    assert [(lesson.who, lesson.kind, lesson.counts) for lesson in low.state.learned] == [("i", "defeat", True)]
    low.lobby(3, 19)
    assert [(granted.who, granted.resource) for granted in low.state.granted] == [("i", "Diplomacy")]
    now = next(offer for offer in low.kind.offers(low.state, low.sheets) if offer.action == "use").now
    assert now == {"resource": "1", "whom": "i", "words": "Ships for the siege"}
    used = low.act("use", 3, 19, resource="1", words="The siege", resistance="14", whom="i")
    assert not low.state.granted and low.totals[1] == -3 and not used.effects
    low.lobby(18, 19)
    low.act("spend", who="i")
    assert low.state.granted
    low.act("interval")
    assert not low.state.granted


@pytest.mark.parametrize(("faces", "rank"), [((20, 14), 3), ((19, 3), 2)])
def test_qw_a9_a_failed_use_counts_against_its_user_until_the_interval_ends(
    faces: tuple[int, int], rank: int
) -> None:
    low = Played([ILSE], names="Wealth, Fleet, Morale, Magic, Arms")
    failed = low.act("use", *faces, resource="3", words="A raid", resistance="14", whom="i")
    (line,) = failed.effects
    assert (line.sheet, line.kind, line.name) == ("i", "consequence", "Displeasure of Low Quay")
    assert adds(Trait("t", line.kind, line.name, line.value)) == low.totals[3] == tables.DEPLETION[
        failed.outcome.result["degree"]] and line.value == rank
    kept = Trait("t", line.kind, line.name, line.value)
    low.sheets["i"] = replace(ILSE, traits=(*ILSE.traits, kept, Trait("u", "consequence", "Hurt", 1)))
    assert low.act("interval").effects == (Lose("t"),)


def test_qw_a9_a_resource_augments_by_its_own_roll_and_a_required_one_stands_beside_another() -> None:
    low = Played([ILSE])
    required = low.act("augment", 3, 19, resource="1", words="The siege", resistance="14", whom="i")
    line = required.effects[0]
    assert (line.kind, line.name) == (SUPPORT, "Diplomacy of Low Quay") and "another augment may" in line.note
    assert low.totals[1] == tables.DEPLETION[required.outcome.result["degree"]]
    low.lobby(3, 19)
    assert "the one augment" in low.act(
        "augment", 3, 19, resource="1", words="The siege", resistance="14", whom="i").effects[0].note


def test_qw_a9_what_was_lobbied_for_helps_once_until_its_contest_is_over() -> None:
    low = Played([ILSE])
    low.lobby(3, 19)
    help = {"resource": "1", "words": "The siege", "resistance": "14", "whom": "i"}
    gain = low.act("augment", 3, 19, **help).effects[0]
    waits = Trait("waits", gain.kind, gain.name, gain.value, note=gain.note)
    low.sheets["i"] = replace(ILSE, traits=(*ILSE.traits, waits))
    with pytest.raises(BadMove, match="helps Ilse already") as refused:
        low.act("augment", 3, 19, **help)
    assert refused.value.field == "resource"
    low.act("augment", 3, 19, **{**help, "resource": "2"})
    low.sheets["i"] = ILSE
    low.act("augment", 3, 19, **help)


def test_qw_a9_the_chances_stand_before_each_roll() -> None:
    low = Played([ILSE])
    use = {"resource": "2", "words": "A raid", "resistance": "14", "whom": "i"}
    (against, odds), = low.kind.forecast(low.state, low.sheets, "", "augment", use)
    assert against == "Morale against 14" and sum(chance for _, chance, _ in odds.outcomes) == 1
    # A critical against a fumble, 1 in 20 each, takes nothing and adds a mastery.
    assert odds.table[:2] == (("", "Chance", "It loses", "Adds"),
                              ("Complete victory", percent(Fraction(1, 400)), "0", "+M"))
    assert len(low.kind.forecast(low.state, low.sheets, "", "background", {})) == 5
    low.act("concede", resource="2")
    assert [name for name, _ in low.kind.forecast(low.state, low.sheets, "", "crisis", {})] == ["Morale"]


def test_qw_a9_five_resources_each_with_a_name_of_its_own() -> None:
    for names in ("Wealth, Morale", "Wealth, wealth, Arms, Magic, Morale", ""):
        with pytest.raises(BadMove, match="Enter 5 resources"):
            Played(names=names)
    kind = ScoredCommunity()
    assert not kind.allowed_by({}) and kind.allowed_by({"community_scores": True})
    ranks = {"community": "ranks"}
    assert Community().allowed_by(ranks) and not Community().allowed_by({**ranks, "community_scores": True})
