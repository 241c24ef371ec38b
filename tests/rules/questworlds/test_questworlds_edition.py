"""The numbers of the edition that is played, and that another one is only another value."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.moves import Need
from rules.sheet import Sheet, Spend, Trait, TraitDraft
from rules.systems.questworlds import builder, edition, from_text, growth, odds_page, older, session, sheet_kinds
from rules.systems.questworlds.contest import AssuredContest, Contest
from rules.systems.questworlds.crowds import heads
from rules.systems.questworlds.edition import (
    EDITIONS,
    FIRST,
    BidRule,
    Creation,
    Difficulty,
    Edition,
    GrowthRule,
    Modifiers,
    Resolution,
    ScoredRule,
    SidekickRule,
    StoryPointRule,
    edition_named,
)
from rules.systems.questworlds.experience import FLAW, Occasion, count
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.lasting_review import LastingReview
from rules.systems.questworlds.notation import of_rank, rank_of
from rules.systems.questworlds.plot_edit import PlotEdit
from rules.systems.questworlds.resistance import BaseField, Progression, resistance, resistance_of
from rules.systems.questworlds.scored import ScoredContest
from rules.systems.questworlds.system import QuestWorlds
from rules.systems.questworlds.traits import adds, together
from rules.values import BadMove

# Nobody plays by these numbers: each differs from those of the first edition, so that none can be read from elsewhere.
OTHER = Edition(
    "questworlds other", "Other",
    Resolution(fumble_on=19, no_ability=5, negative_mastery_helps=False),
    Modifiers(ladder=(0, 5, 10, 15, 20), stretch=(-5, -10), at_once=(("bodies", 4), ("words", 1))),
    Difficulty(base=10, least=1, least_base=5, highest_base=60, rises=(5, 10), names=(("base", 0), ("hard", 2))),
    Creation(8, 2, 21, 9, 15, 14, 10, 5, 11, 90, SidekickRule((15, 10, 9), 11, 7)),
    GrowthRule(4, 9, (15, 10), (10, 5), 11, 2, 5, 6, 2, (5, 10)),
    StoryPointRule(2, 6, (("small", 2), ("large", 4))),
    ScoredRule(7, 2, 3, 5, 2, 3),
    BidRule(4),
)
SETTINGS: dict[str, Any] = QuestWorlds().read_settings({})


def test_the_edition_that_campaigns_have() -> None:
    assert list(EDITIONS) == ["questworlds 0.51"] == [QuestWorlds.edition]
    assert edition_named("questworlds 0.51") is FIRST
    with pytest.raises(BadMove, match="no edition"):
        edition_named("questworlds 9")


def test_qw_02_to_qw_90_the_numbers_of_the_first_edition() -> None:
    assert FIRST.modifiers == Modifiers(
        (0, 3, 6, 9, 20, 40), -6, (-6, -3, -9), True, (3, 6, -3, -6), (3, 6, 9, 20), (0, 3, 6, 9, 20, -3, -6, -9),
        (3, 6), (3, 6), (("bodies", 6), ("words", 2)))
    assert FIRST.resolution == Resolution("ladder_of_results", 20, 6, True, 1)
    difficulty = FIRST.difficulty
    assert (difficulty.base, difficulty.least, difficulty.least_base, difficulty.highest_base) == (14, 6, 6, 80)
    assert difficulty.rises == (3, 6, 9) and difficulty.assured_below == 1
    assert FIRST.creation == Creation(12, 3, 20, 10, 17, 17, 13, 1, 4, 100, SidekickRule((16, 13, 13), 15, 10))
    assert FIRST.growth == GrowthRule(5, 10, (9, 6), (6, 3), 13, 1, 3, 5, 3, (3, 6, 9))
    assert FIRST.story_points == StoryPointRule(1, 5, (("marginal", 1), ("minor", 2), ("major", 3)))
    assert FIRST.scored == ScoredRule(5, 1, 2, 2, 1, 2) and FIRST.bids == BidRule(3, "critical_result")


def test_what_a_campaign_has_where_nothing_is_said() -> None:
    assert {
        "real_dice": False, "ask_first": False, "face_odds": False, "reminders": "day", "safety_names": False,
        "long": "scored", "tactics": "open", "edges": "no", "community": "ranks",
        "symbol": "M", "base": 14, "keywords": "umbrella", "tie": "tie", "advance": 10, "growth": "xp",
        "refresh": "session", "points": 1, "thresholds": "", "stacking": "rank",
        **dict.fromkeys(older.OPTIONS, False)} == SETTINGS


def test_a_campaign_plays_by_the_edition_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edition, "EDITIONS", {FIRST.key: FIRST, OTHER.key: OTHER})
    game = QuestWorlds()
    assert game.in_edition(FIRST.key) is game
    other: Any = game.in_edition(OTHER.key).with_settings({"symbol": "W"})
    assert (other.edition, other.symbol) == ("questworlds other", "W")
    assert other.read_settings({})["base"] == 10 and other.read_settings({})["advance"] == 9
    assert other.sheet.trait_kind("ability").default == 10 and other.sheet.notation("benefit", 2) == "+10"
    assert other.rolls.moves[0].read({"resistance": 10}).score == 5
    assert [procedure.edition for procedure in other.procedures if hasattr(procedure, "edition")] == [OTHER] * 11
    with pytest.raises(BadMove):
        game.in_edition("questworlds 9")


def test_another_edition_steps_by_its_own_ladder() -> None:
    assert [of_rank(rank, OTHER) for rank in range(-4, 5)] == [-20, -15, -10, -5, 0, 5, 10, 15, 20]
    assert rank_of(9, OTHER) is None and rank_of(-15, OTHER) == -3
    with pytest.raises(BadMove, match="from −4 to \\+4"):
        of_rank(5, OTHER)
    cut, pending = Trait("c", "consequence", "A cut", 2), Trait("b", "benefit", "Luck", 5)
    assert (adds(cut, OTHER), adds(pending, OTHER)) == (-10, 20)
    assert together((cut, pending), edition=OTHER) == 15 and together((cut, pending), True, OTHER) == 10
    assert heads(5, 1, edition=OTHER).engaged == 4


def test_another_edition_has_its_own_resistances() -> None:
    assert (resistance(edition=OTHER), resistance("hard", edition=OTHER), resistance(-3, 5, OTHER)) == (10, 20, 1)
    assert resistance_of("hard", edition=OTHER) == (20, "hard, the base +10")
    assert resistance_of("+15", edition=OTHER) == (25, "the base +15")
    for wrong in ("high", "+6"):
        with pytest.raises(BadMove):
            resistance_of(wrong, edition=OTHER)
    assert Progression(10, edition=OTHER).next_season(5).base == 15
    with pytest.raises(BadMove, match="rises by 5 or 10"):
        Progression(10, edition=OTHER).next_season(3)
    with pytest.raises(BadMove, match="which is 60"):
        BaseField(name="base", label="Base", edition=OTHER).check(61)
    review = LastingReview(OTHER)
    assert [field.default for field in review.fields if field.name == "base"] == [10]
    start: Any = review.start({"contestants": [{"sheet": "i"}], "season": "10", "base": 20},
                              {"i": Sheet("i", "Ilse")})
    assert start.effects[0].value == 30


def test_another_edition_counts_its_own_rolls() -> None:
    assert Contest(OTHER).read({"resistance": 10}).score == 5
    won: Any = Contest(OTHER).resolve(Contest(OTHER).read({"ability": 15, "resistance": 12}), [9, 19])
    assert won.result["resistance"]["result"] == "fumble"
    plain: Any = Contest().resolve(Contest().read({"ability": 15, "resistance": 12}), [9, 19])
    assert plain.result["resistance"]["result"] == "failure"
    sunk = {"ability": 15, "resistance": -30}
    lifted: Any = AssuredContest().resolve(AssuredContest().read(sunk), [9, 9])
    other: Any = AssuredContest(OTHER).resolve(AssuredContest(OTHER).read(sunk), [9, 9])
    assert lifted.result["player"]["result"] == "critical" and other.result["player"]["result"] == "success"
    scored = ScoredContest(OTHER)
    both = {"ability": 17, "resistance": 14}
    risky: Any = scored.resolve(scored.read({**both, "rounds": [{"tactic": "risky"}]}), [3, 16])
    assert risky.result == {"score": [4, 0], "over": False, "outcome": None,
                            "rounds": [{"outcome": "victory", "rank": 2, "points": [4, 0]}]}
    assert isinstance(scored.resolve(scored.read({**both, "score": [5, 0], "rounds": [{}]}), []), Need)
    bids = ExtendedContest(OTHER)
    assert bids.read({"ability": 17, "resistance": 14, "exchanges": [{"by": "player"}]}).exchanges[0].bid == 4


def test_another_edition_makes_its_own_characters() -> None:
    kinds = {kind.name: kind for kind in sheet_kinds.kinds("M", edition=OTHER)}
    assert (kinds["ability"].default, kinds["characteristic"].default, kinds["keyword"].first) == (10, 14, 15)
    assert (kinds["breakout"].default, kinds["characteristic_breakout"].default) == (5, 11)
    assert (kinds["sidekick_ability"].first, kinds["sidekick_ability"].default) == (15, 9)
    assert [value for value, _ in kinds["benefit"].values] == [1, 2, 3, 4]
    drafts = [TraitDraft("keyword", "Sailor", 16), TraitDraft("characteristic", "Dogged", 14),
              *(TraitDraft("ability", f"Knack {number}", 10) for number in range(6)),
              *(TraitDraft("flaw", f"Flaw {number}", 0) for number in range(3)),
              TraitDraft("ability", "Nets", 25), TraitDraft("sidekick", "Wren", 0),
              *(TraitDraft("sidekick_ability", f"Wren {number}", 10, within="Wren") for number in range(3))]
    budget = builder.budget(drafts, SETTINGS, OTHER)
    assert [(line.label, line.spent, line.whole) for line in budget.lines] == [
        ("Abilities", 10, 8), ("Points", 16, 21), ("Flaws", 3, 2), ("The sidekick’s points", -4, 11)]
    assert "9 points are the most on one: 4M here." in [fault.sentence for fault in budget.faults]
    assert from_text.from_prose("A [[sailor]], [sly].", OTHER)[1][1].value == 10
    assert from_text.quick("2 squads of 5 guards, good", edition=OTHER)[1][0].value == 15


def test_another_edition_grows_by_its_own_numbers() -> None:
    hester = Sheet("h", "Hester", (Trait("a", "ability", "Nets", 15), Trait("k", "keyword", "Sailor", 25),
                                   Trait("f", "flaw", "Proud", 25), Trait("g", "flaw", "Vain", 15)), (("xp", 9),))
    settings = {**SETTINGS, "advance": 9}
    offer = next(offer for offer in growth.offers(hester, settings, OTHER) if offer.action == "advance")
    first = next(field for field in offer.fields if field.name == "first")
    assert first.options[:3] == (  # type: ignore[attr-defined]
        ("raise_more", "+15, or +10 on a keyword"), ("raise", "+10, or +5 on a keyword"),
        ("break_out", "A new ability at 11, or a breakout at +2"))
    assert "flaw" not in {field.name for field in offer.fields}, "two flaws are all there may be"
    done = growth.do(hester, settings, "advance", {"first": "raise_more", "first_on": "a", "second": "new",
                                                "second_name": "Knots"}, OTHER)
    assert [getattr(effect, "by", getattr(effect, "value", 0)) for effect in done.effects] == [-9, 15, 11]
    occasions = [Occasion(FLAW, f"flaw {number}") for number in range(6)]
    assert sum(counted.counts for counted in count(occasions, OTHER)) == 4
    assert [game.experience_rule and game.experience_rule.most for game in (QuestWorlds(), QuestWorlds(edition=OTHER))
            ] == [5, 4], "what the page of occasions counts up to"


def test_another_edition_prices_its_own_plot_edits() -> None:
    assert session.cost_of("large", OTHER) == 4
    with pytest.raises(BadMove):
        session.cost_of("major", OTHER)
    edit = PlotEdit(OTHER)
    begun: Any = edit.start({"contestants": [{"sheet": "i"}], "title": "It rains", "level": "large"},
                            {"i": Sheet("i", "Ilse")})
    assert edit.fold([edit.write(event) for event in begun.events]).cost == 4


def test_another_edition_has_its_own_odds() -> None:
    table = odds_page.tables({**SETTINGS, "base": 10}, OTHER)[0]
    assert table.columns[0] == "1" and table.columns[-1] == "10M"
    fumble = replace(FIRST, resolution=replace(FIRST.resolution, fumble_on=1))
    move = Contest(fumble).read({"ability": 10, "resistance": 10})
    assert Contest(fumble).odds(move, "player.result")["fumble"] == Fraction(1, 20)


@pytest.mark.parametrize("cost", [5, 10])
def test_qw_83_a_milestone_is_worth_what_an_advance_costs(cost: int) -> None:
    settings, sheet = {**SETTINGS, "growth": "milestone", "advance": cost}, Sheet("h", "Hester", (), (("xp", 0),))
    given = growth.do(sheet, settings, "milestone", {"reason": "The siege is over"})
    assert given.effects == (Spend("h", "xp", cost),)
    after = replace(sheet, pools=(("xp", cost),))
    assert "advance" not in {offer.action for offer in growth.offers(sheet, settings)}
    assert "advance" in {offer.action for offer in growth.offers(after, settings)}


def test_qw_71_only_the_first_marked_keyword_is_the_defining_one() -> None:
    drafts = from_text.from_prose("A [proud] [[smuggler]] of the [[river folk]], once a [[priest]].")[1]
    assert [(draft.kind, draft.name, draft.value) for draft in drafts] == [
        ("ability", "proud", 13), ("keyword", "smuggler", 17), ("keyword", "river folk", 13), ("keyword", "priest", 13)]
