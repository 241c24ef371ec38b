"""A community with resources in the rules alone (QW-92 to QW-94)."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.moves import Need
from rules.procedure import ActResult, CampaignContext, Perspective
from rules.sheet import Gain, Spend, SpendShared
from rules.systems.questworlds.community import Community
from rules.values import BadMove
from tests.rules.questworlds.longing import ILSE, OTHO

WIN, LOSE = (5, 19), (20, 3)  # a success against a failure, a fumble against a success


class Town:
    """A community that is played by acts."""

    def __init__(self, points: int = 0) -> None:
        self.kind, self.sheets = Community(), {sheet.id: sheet for sheet in (ILSE, OTHO)}
        self.context = CampaignContext((("story_points", points),), session="one")
        self.plain = self.kind.blank()
        self.last = self._take(self.kind.start({"title": "Low Quay", "contestants": []}, self.sheets))

    @property
    def state(self) -> Any:
        return self.kind.with_context(self.plain, self.context)

    def act(self, who: str, action: str, *faces: int, **given: Any) -> ActResult[Any]:
        if given.get("resource"):
            given["resource"] = str(list(self.ranks()).index(given["resource"]))
        acted = self.kind.act(self.state, self.sheets, who, action, given, ())
        if isinstance(acted, Need):
            acted = self.kind.act(self.state, self.sheets, who, action, given, faces)
        self.last = self._take(acted)
        return self.last

    def _take(self, acted: Any) -> ActResult[Any]:
        assert isinstance(acted, ActResult)
        for event in acted.events:
            self.plain = self.kind.evolve(self.plain, self.kind.read(self.kind.write(event)))
        return acted

    def ranks(self) -> dict[str, int]:
        return {resource.name: resource.counts for resource in self.state.resources}

    def offered(self, by: str = "") -> set[str]:
        return {offer.action for offer in self.kind.offers(self.state, self.sheets) if offer.by == by}

    def ask(self, action: str, resource: str, *faces: int, against: str = "moderate", **more: Any) -> ActResult[Any]:
        self.act("i", action, resource=resource, words="Bread for the siege", ability="k", **more)
        self.act("", "face", against=against)
        return self.act("i", "roll", *faces)


@pytest.fixture
def town() -> Town:
    made = Town()
    made.act("", "resources", names="Wealth\nFleet\nMorale\nMagic\nArms")
    return made


def choices(town: Town, action: str) -> dict[str, str]:
    """The resources that Ilse may choose among, by name."""
    offer = next(way for way in town.kind.offers(town.state, town.sheets) if (way.action, way.by) == (action, "i"))
    return {town.state.chosen(key).name: words for key, words in (offer.options or {})["resource"]}


def gains(result: ActResult[Any]) -> list[tuple[str, int]]:
    return [(effect.kind, effect.value) for effect in result.effects if isinstance(effect, Gain)]


def test_qw_92_up_to_five_resources_get_m_9_6_3_and_0_in_their_order(town: Town) -> None:
    assert town.ranks() == {"Wealth": 4, "Fleet": 3, "Morale": 2, "Magic": 1, "Arms": 0}
    assert "Wealth +M, Fleet +9, Morale +6, Magic +3 and Arms +0" in town.last.steps[0].text
    for wrong in ("A\nB\nC\nD\nE\nF", "  \n", "Wealth\nwealth", "x" * 41):
        with pytest.raises(BadMove) as bad:
            town.act("", "resources", names=wrong)
        assert bad.value.field == "names"


def test_qw_92_a_questionnaire_assigns_the_ranks_by_its_scores(town: Town) -> None:
    town.act("", "ask", text="Who leads?", answers="A council: Morale 2, Arms 1\nThe rich: Wealth 3")
    town.act("", "ask", text="What is feared?", answers="The sea: Magic 2\nThe king: Arms 2, Morale")
    assert [ask.action for ask in town.kind.asks(town.state, town.sheets)] == ["vote", "vote"]
    town.act("i", "vote", answer="0.0")
    town.act("o", "vote", answer="0.1")
    town.act("i", "vote", answer="1.1")
    town.act("o", "vote", answer="1.1")
    assert "rank" not in town.offered(), "as many voices for two: the GM decides"
    town.act("", "decide", answer="0.0")
    result = town.act("", "rank")
    # Morale 3, Arms 3, then those with nothing, each in the order of the list.
    assert town.ranks() == {"Morale": 4, "Arms": 3, "Wealth": 2, "Fleet": 1, "Magic": 0}
    assert "Morale 3, Arms 3, Wealth 0" in result.steps[1].text and not town.state.questions


@pytest.mark.parametrize("wrong", ["One only: Wealth 1", "A: Wealth 1\nB: Gold 2", "A: Wealth 1\nno points at all",
                                   "A: Wealth 0\nB: Fleet 1", "A: Wealth 1\nFleet 1", "A: Wealth ²\nB: Fleet 1"])
def test_qw_92_answers_that_add_to_nothing_are_refused_at_their_field(town: Town, wrong: str) -> None:
    with pytest.raises(BadMove) as bad:
        town.act("", "ask", text="Who leads?", answers=wrong)
    assert bad.value.field == "answers"


def test_qw_93_a_won_plea_gives_the_rank_for_one_contest_and_takes_a_rank_off(town: Town) -> None:
    result = town.ask("draw", "Wealth", *WIN)
    assert gains(result) == [("support", 4)] and town.ranks()["Wealth"] == 3
    assert result.effects[0] == Gain("i", "support", "Wealth of Low Quay", 4, "Bread for the siege")
    assert any("it is at +9" in step.text for step in result.steps)
    assert gains(town.ask("draw", "Wealth", *WIN)) == [("support", 3)], "a depleted one gives its lower rank"
    assert town.ranks()["Wealth"] == 2
    town.act("", "restore", resource="Wealth")
    assert town.ranks()["Wealth"] == 4


def test_qw_93_a_lost_plea_costs_the_community_nothing_and_teaches(town: Town) -> None:
    result = town.ask("draw", "Wealth", *LOSE)
    assert not gains(result) and town.ranks()["Wealth"] == 4
    assert Spend("i", "xp", 1) in result.effects and town.state.learned[0].trait == "mapmaker"
    assert "nothing" not in town.offered("i") and "draw" in town.offered("i")


def test_qw_93_the_gm_answers_a_plea_with_a_resistance_or_refuses_it(town: Town) -> None:
    town.act("i", "draw", resource="Fleet", words="A boat", ability="k")
    assert town.offered("i") == {"withdraw"}, "no dice before the GM has answered"
    (asked,) = town.kind.asks(town.state, town.sheets)
    assert (asked.by, asked.action) == ("", "face")
    town.act("", "face", against="refuse")
    assert not town.state.requests and town.ranks()["Fleet"] == 3
    town.act("i", "draw", resource="Fleet", words="A boat", ability="k")
    town.act("", "face", against="high")
    assert town.state.request("i").resistance == 20
    town.act("i", "withdraw")
    assert not town.state.requests


def test_qw_93_the_chances_of_a_plea_are_known_before_it_is_made_and_before_the_dice(town: Town) -> None:
    given = {"resource": "0", "words": "Bread", "ability": "k"}
    ((against, before),) = town.kind.forecast(town.state, town.sheets, "i", "draw", given)
    assert "14, moderate" in against and sum((chance for _, chance, _ in before.outcomes), Fraction(0)) == 1
    town.act("i", "draw", **{**given, "resource": "Wealth"})
    town.act("", "face", against="moderate")
    now = dict(town.kind.forecast(town.state, town.sheets, "i", "roll", {}))
    assert now["As it is now"].outcomes == before.outcomes
    won = sum(1 for ours in range(1, 21) for theirs in range(1, 21)
              if _wins(town, ours, theirs))
    assert now["As it is now"].outcomes[0][1] == Fraction(won, 400)


def _wins(town: Town, ours: int, theirs: int) -> bool:
    result = town.kind.act(town.state, town.sheets, "i", "roll", {}, (ours, theirs))
    return isinstance(result, ActResult) and result.result["outcome"] == "victory"


def test_qw_93_a_story_point_bumps_a_plea_up_after_the_dice(town: Town) -> None:
    town.context = replace(town.context, pools=(("story_points", 1),))
    town.act("i", "draw", resource="Wealth", words="Bread", ability="k")
    town.act("", "face", against="moderate")
    assert not town.act("i", "roll", 18, 19).effects and town.offered("i") == {"spend", "stand"}
    result = town.act("i", "spend")
    assert SpendShared("story_points", -1) in result.effects and gains(result) == [("support", 4)]


def test_qw_94_a_resource_falls_below_0_and_is_a_penalty_where_its_use_is_required(town: Town) -> None:
    assert gains(town.act("", "require", whom="o", resource="Arms", words="The raid")) == [("support", 0)]
    assert town.ranks()["Arms"] == -1
    assert gains(town.act("", "require", whom="o", resource="Arms", words="The raid")) == [("support", -1)]
    assert town.ranks()["Arms"] == -2
    assert "Arms" not in choices(town, "draw") and choices(town, "bolster")["Arms"] == "Arms −6"
    for _ in range(6):
        town.act("", "move", resource="Arms", ranks="-1", words="Worse")
    assert town.ranks()["Arms"] == -5, "the ladder ends there"


def test_qw_94_bolstering_meets_the_rank_and_adds_one_until_it_is_used(town: Town) -> None:
    town.act("i", "bolster", resource="Wealth", words="The silver fleet", ability="k")
    (offer,) = [offer for offer in town.kind.offers(town.state, town.sheets) if offer.action == "face"]
    assert (offer.options or {})["against"][0] == ("+M", "By its rank: 14M")
    town.act("", "face", against="+M")
    assert town.state.request("i").resistance == 34
    town.act("i", "roll", 17, 20)
    assert town.ranks()["Wealth"] == 5, "+M can be bolstered to +M2"
    assert "Wealth" not in choices(town, "bolster")
    assert gains(town.ask("draw", "Wealth", *WIN)) == [("support", 5)]
    assert town.ranks()["Wealth"] == 4, "only what bolstered it is gone"


def test_qw_94_bolstering_takes_a_penalty_off_first(town: Town) -> None:
    town.act("", "move", resource="Magic", ranks="-3", words="The well is poisoned")
    assert town.ranks()["Magic"] == -2
    assert town.ask("bolster", "Magic", *WIN, against="−6").result["outcome"] == "victory"
    assert town.ranks()["Magic"] == 0 and not town.state.resource("Magic").bolstered


def test_qw_94_background_events_move_a_rank_until_the_gm_restores_it(town: Town) -> None:
    town.act("", "move", resource="Fleet", ranks="2", words="The spring trade")
    town.act("", "move", resource="Magic", ranks="-1", words="A bad omen")
    assert town.ranks()["Fleet"] == 5 and town.ranks()["Magic"] == 0
    result = town.act("", "restore", resource="")
    assert town.ranks() == {"Wealth": 4, "Fleet": 3, "Morale": 2, "Magic": 1, "Arms": 0}
    assert "Fleet is at +9 again" in result.steps[0].text and "restore" not in town.offered()


def test_qw_92_players_see_what_the_gm_lets_them(town: Town) -> None:
    town.act("", "veil", resource="Magic")
    result = town.act("", "move", resource="Magic", ranks="-3", words="A bad omen")
    assert result.sealed
    rows = {runs: {resource.name: resource for resource in town.kind.view(
        town.state, town.sheets, Perspective(runs=runs)).detail.resources} for runs in (False, True)}
    assert rows[False]["Magic"].now == "" and rows[True]["Magic"].now == "−6"
    assert rows[False]["Wealth"].now == "+M" and rows[True]["Magic"].penalty and not rows[False]["Magic"].penalty
    assert choices(town, "draw")["Magic"] == "Magic", "no number, and it is not left out for being low"
    asked = town.ask("draw", "Magic", *WIN)
    assert not gains(asked) and "nothing to give" in " ".join(step.text for step in asked.steps)


def test_qw_94_what_always_takes_a_resource_is_said(town: Town) -> None:
    town.act("", "takes", resource="Fleet", words="Sea raids")
    (row,) = [resource for resource in town.kind.view(town.state, town.sheets, Perspective()).detail.resources
              if resource.required]
    assert (row.name, row.required) == ("Fleet", "Sea raids")


def test_qw_92_nothing_is_left_to_do_once_the_group_has_left_it(town: Town) -> None:
    town.act("", "end")
    assert town.kind.is_over(town.state) and not town.kind.offers(town.state, town.sheets)


def reasons(town: Town, action: str, **given: Any) -> tuple[str, list[tuple[str, str]]]:
    """Why what Ilse would roll is what it is: the number, and each part."""
    offer = next(way for way in town.kind.offers(town.state, town.sheets) if (way.action, way.by) == (action, "i"))
    why = town.kind.why(town.state, town.sheets, offer, given)
    assert why
    return why.number, [(part.counts, part.label) for part in why.parts]


def test_qw_93_a_request_and_its_roll_say_why(town: Town) -> None:
    draws = reasons(town, "draw", resource="0", words="Bread", ability="k", lines=[])
    assert draws == ("17", [("17", "Mapmaker"), ("14", "Against Low Quay")])
    town.act("i", "draw", resource="Wealth", words="Bread for the siege", ability="k")
    town.act("", "face", against="high")
    assert reasons(town, "roll") == ("17", [("17", "Mapmaker"), ("20", "Against Low Quay")])
