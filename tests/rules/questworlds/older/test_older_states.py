"""States of adversity and of fortune, healing and augments by degree (QW-A6 to QW-A8), by the source's tables."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.sheet import Gain, Lose, Raise, Sheet, Trait
from rules.systems.questworlds.lasting_review import LastingReview
from rules.systems.questworlds.long import ScoredLong
from rules.systems.questworlds.older.by_degree import AUGMENTS, WORSE, healed, resists
from rules.systems.questworlds.older.degrees import NAMES
from rules.systems.questworlds.older.states import DYING, rested, unable, worth
from rules.systems.questworlds.session import QuestWorldsSession
from rules.systems.questworlds.sheet import QuestWorldsSheet
from rules.systems.questworlds.traits import adds, bumps_down, together
from rules.values import BadMove
from tests.rules.questworlds import framing
from tests.rules.questworlds.framing import ILSE, SETTINGS, act, begun, framed, rolled, text


def state_line(id_: str, kind: str, value: int, name: str = "Shaken") -> Trait:
    return Trait(id_, kind, name, value)


def with_lines(monkeypatch: pytest.MonkeyPatch, *lines: Trait) -> Sheet:
    sheet = replace(ILSE, traits=(*ILSE.traits, *lines))
    monkeypatch.setitem(framing.SHEETS, "i", sheet)
    return sheet


@pytest.mark.parametrize(("degree", "value", "words", "penalty", "down"), [
    ("marginal", 1, "hurt, −3", -3, 0), ("minor", 2, "impaired, −6", -6, 0), ("major", 3, "injured, −9", -9, 0),
    ("complete", 4, "dying, no action", 0, 1)])
def test_qw_a6_consequences_of_defeat_table(degree: str, value: int, words: str, penalty: int, down: int) -> None:
    line = state_line("x", "adversity", value)
    assert NAMES[value] == degree and worth("adversity", value) == words
    assert (adds(line), bumps_down(line)) == (penalty, down)


@pytest.mark.parametrize(("degree", "value", "words", "bonus", "down"), [
    ("marginal", 1, "fresh, +3", 3, 0), ("minor", 2, "pumped, +6", 6, 0), ("major", 3, "invigorated, +9", 9, 0),
    ("complete", 4, "heroic, one bump up", 0, -1)])
def test_qw_a7_benefits_of_victory_table(degree: str, value: int, words: str, bonus: int, down: int) -> None:
    line = state_line("x", "fortune", value)
    assert NAMES[value] == degree and worth("fortune", value) == words
    assert (adds(line), bumps_down(line)) == (bonus, down)
    assert QuestWorldsSheet("M", False, False).notation("fortune", value) == words


def test_qw_a6_qw_a7_states_add_up_by_what_each_adds() -> None:
    lines = [state_line(str(place), kind, value) for place, (kind, value) in enumerate(
        [("adversity", 1), ("adversity", 1), ("adversity", 2), ("adversity", 3), ("fortune", 2)])]
    assert together(lines) == -3 - 3 - 6 - 9 + 6
    assert together([*lines, Trait("c", "consequence", "A limp", 2), Trait("b", "benefit", "Loved", 3)]) == -15 + 3


@pytest.mark.parametrize(("outcome_degree", "dice", "kind", "suggests"), [
    (1, (13, 12), "benefit", "1"), (3, (14, 19), "benefit", "3"), (4, (14, 20), "benefit", "4"),
    (-1, (12, 13), "consequence", "1"), (-2, (15, 3), "consequence", "2"), (-4, (20, 14), "consequence", "4")])
def test_qw_a6_qw_a7_a_degree_suggests_its_state(outcome_degree: int, dice: tuple[int, int], kind: str,
                                                 suggests: str) -> None:
    on = begun(context=framing.CampaignContext(), degrees=True, states=True, fortune=True)
    state, _ = rolled(framed(on, resistance="14"), *dice)
    assert state.outcomes[0].degree == outcome_degree
    offer = next(offer for offer in framing.KIND.offers(state, framing.SHEETS) if offer.action == "give")
    assert offer.now is not None and (offer.now["kind"], offer.now["rank"]) == (kind, suggests)
    state, turn = act(state, "give", whom="i", kind=kind, rank=suggests, name="So it goes")
    assert turn.effects == (Gain("i", "adversity" if kind == "consequence" else "fortune", "So it goes", int(suggests),
                                 "From: The ledger"),)
    assert "So it goes" in text(turn, "QW-A6" if kind == "consequence" else "QW-A7")


def test_qw_a6_there_is_nothing_past_dying_to_give() -> None:
    state, _ = rolled(framed(begun(states=True, context=framing.CampaignContext()), resistance="14"), 20, 14)
    with pytest.raises(BadMove, match="last of these states is “dying”"):
        act(state, "give", whom="i", kind="consequence", rank="5", name="Dead")


@pytest.mark.parametrize(("score", "resistance", "worthy"), [(14, 9, True), (14, 8, False), (23, 17, False)])
def test_qw_a7_a_clearly_inferior_opponent_gives_none(score: int, resistance: int, worthy: bool) -> None:
    ability = "a" if score == 14 else "b"
    on = begun(context=framing.CampaignContext(), fortune=True)
    state, _ = rolled(framed(on, ability, resistance=str(resistance)), 3, 19)
    given: dict[str, Any] = {"whom": "i", "kind": "benefit", "rank": "1", "name": "Sure of herself"}
    if worthy:
        assert act(state, "give", **given)[1].effects
    else:
        with pytest.raises(BadMove, match="clearly inferior"):
            act(state, "give", **given)
        assert act(state, "give", **{**given, "kind": "consequence"})[1].effects


def test_qw_a7_heroic_bumps_a_roll_up_and_the_contract_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with_lines(monkeypatch, state_line("h", "fortune", 4, "Unstoppable"), state_line("x", "adversity", 1))
    state, turn = act(framed(begun(fortune=True), resistance="14"), "lasting", lines=["h", "x"])
    assert text(turn, "QW-61").endswith("comes to −3 and one bump up.")
    terms = state.terms("i")
    assert (terms.score, terms.down) == (11, (-1, 0)) and terms.given()["bumps_up"] == 1
    _, turn = rolled(state, 15, 3)
    assert "A state of fortune bumps Ilse up once, to a success." in text(turn, "QW-A7")


def test_qw_a7_freshness_that_counted_goes_with_a_defeat(monkeypatch: pytest.MonkeyPatch) -> None:
    with_lines(monkeypatch, *(state_line(id_, "fortune", value) for id_, value in (("f1", 1), ("f2", 1), ("f3", 2))))
    state, _ = act(framed(begun(context=framing.CampaignContext()), resistance="14M"), "lasting", lines=["f1", "f3"])
    _, turn = rolled(state, 20, 3)
    assert [effect for effect in turn.effects if isinstance(effect, Lose)] == [Lose("f1")]
    _, won = rolled(state, 2, 19)
    assert not [effect for effect in won.effects if isinstance(effect, Lose)]


@pytest.mark.parametrize(("days", "left"), [
    (1, "hurt impaired impaired injured pumped invigorated heroic"), (7, "impaired injured invigorated heroic"),
    (30, "heroic"), (90, "")])
def test_qw_a6_qw_a7_states_lapse_with_time(days: int, left: str) -> None:
    lines = [("adversity", 1), ("adversity", 1), ("adversity", 2), ("adversity", 2), ("adversity", 3),
             ("fortune", 1), ("fortune", 2), ("fortune", 3), ("fortune", 4)]
    sheet = Sheet("s", "Ilse", tuple(state_line(str(place), *line) for place, line in enumerate(lines)))
    steps, lost = rested(sheet, days)
    gone = {lose.trait for lose in lost}
    names = " ".join(worth(trait.kind, trait.value).split(",")[0] for trait in sheet.traits if trait.id not in gone)
    assert names == left and len(steps) == len(lost)


def test_qw_a6_qw_a7_who_is_hurt_or_fresh_is_so_no_longer_when_the_session_ends() -> None:
    sheet = Sheet("s", "Ilse", (state_line("a", "adversity", 1), state_line("b", "adversity", 2),
                                state_line("c", "fortune", 1), Trait("d", "consequence", "A limp", 1)))
    change = QuestWorldsSession().end([sheet], {}, SETTINGS)
    assert change.effects == (Lose("a"), Lose("c")) and [step.rule for step in change.steps] == ["QW-A6", "QW-A7"]


def test_qw_a6_time_passes_for_all_in_a_review() -> None:
    review = LastingReview()
    sheets = {"s": Sheet("s", "Ilse", (state_line("a", "adversity", 1), state_line("b", "adversity", 3)))}
    started: Any = review.start({"contestants": [{"sheet": "s", "player": True}], "season": "0"}, sheets)
    state = review.evolve(review.blank(), started.events[0])
    turn: Any = review.act(state, sheets, "", "rest", {"days": "1"})
    assert turn.effects == (Lose("a"),) and turn.steps[0].rule == "QW-A6"
    plain = {"s": Sheet("s", "Ilse", (state_line("b", "adversity", 3),))}
    with pytest.raises(BadMove, match="takes nothing away"):
        review.act(state, plain, "", "rest", {"days": "7"})


@pytest.mark.parametrize(("value", "may_act"), [(3, True), (4, False), (5, False), (6, True), (7, False)])
def test_qw_a6_whoever_is_dying_does_nothing(monkeypatch: pytest.MonkeyPatch, value: int, may_act: bool) -> None:
    sheet = with_lines(monkeypatch, state_line("x", "adversity", value))
    assert (not unable(sheet)) == may_act == (not QuestWorldsSheet("M", False, False).unable(sheet))
    state = framed(begun(states=True), resistance="14")
    if may_act:
        assert act(state, "set")[0].frame_stands
    else:
        with pytest.raises(BadMove, match=r"can’t act|nothing more can be done"):
            act(state, "set")
        with pytest.raises(BadMove):
            ScoredLong().may_start({}, framing.FULL, {"i": sheet})


@pytest.mark.parametrize(("dice", "after"), [((3, 19), 6), ((19, 3), 7)])
def test_qw_a6_a_contest_of_wherewithal_meets_the_base_and_allows_one_final_action(
    monkeypatch: pytest.MonkeyPatch, dice: tuple[int, int], after: int
) -> None:
    with_lines(monkeypatch, state_line("x", "adversity", 5, "Bleeding out"))
    state = framed(begun(states=True, context=framing.CampaignContext()), rouses="x")
    against = state.against("i")
    assert against is not None and (against.resistance, against.rouses) == (14, "x")
    _, turn = rolled(state, *dice)
    assert Raise("x", after - 5) in turn.effects and text(turn, "QW-A6")


def test_qw_a6_the_final_action_is_one_bump_down_and_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    with_lines(monkeypatch, state_line("x", "adversity", 6, "Bleeding out"))
    state, turn = act(framed(begun(context=framing.CampaignContext()), resistance="14"), "lasting", lines=["x"])
    assert text(turn, "QW-60").endswith("one bump down.") and state.terms("i").down == (1, 0)
    _, turn = rolled(state, 3, 19)
    assert Raise("x", 1) in turn.effects and text(turn, "QW-A6") == "That was the final action of Ilse."


@pytest.mark.parametrize(("value", "name", "adds_to_base"), [
    (1, "moderate", 0), (2, "raised", 3), (3, "high", 6), (DYING, "very high", 9)])
def test_qw_a8_healing_resistances_table(value: int, name: str, adds_to_base: int) -> None:
    from rules.systems.questworlds.edition import FIRST

    line = state_line("x", "adversity", value)
    assert resists(line, by_table=True) == adds_to_base
    assert FIRST.modifiers.of_rank(dict(FIRST.difficulty.names)[name]) == adds_to_base
    assert resists(line, by_table=False) == (9 if value == DYING else 3 * value)


# Rows: the state; columns: complete, major, minor, marginal victory, tie, marginal, minor, major, complete defeat.
HEALED = {1: (0, 0, 0, 0, 1, 1, 1, 2, 3), 2: (0, 0, 0, 1, 2, 2, 2, 3, 4), 3: (0, 0, 1, 2, 3, 3, 3, 4, 4)}


@pytest.mark.parametrize(("value", "degree", "now"), [
    (value, degree, now) for value, row in HEALED.items()
    for degree, now in zip((4, 3, 2, 1, 0, -1, -2, -3, -4), row, strict=True)])
def test_qw_a8_outcomes_of_healing(value: int, degree: int, now: int) -> None:
    outcome = "victory" if degree > 0 else "defeat" if degree else "tie"
    steps, effects = healed(state_line("x", "adversity", value), outcome, degree, by_table=True)
    expected = [Lose("x")] if now == 0 else [Raise("x", now - value)] if now != value else []
    assert effects == expected and steps[0].rule == "QW-A8"


@pytest.mark.parametrize(("outcome", "degree", "now"), [
    ("victory", 4, 2), ("victory", 3, 3), ("victory", 1, 3), ("victory", 0, 3), ("tie", 0, 5), ("defeat", -1, 5)])
@pytest.mark.parametrize("by_table", [False, True])
def test_qw_a6_saving_the_dying_leaves_them_injured(outcome: str, degree: int, now: int, by_table: bool) -> None:
    steps, effects = healed(state_line("x", "adversity", DYING), outcome, degree, by_table)
    assert effects == [Raise("x", now - DYING)] and steps[0].rule == "QW-A6"


def test_qw_a8_only_a_major_and_a_complete_defeat_make_it_worse() -> None:
    assert WORSE == {-3: 1, -4: 2}


@pytest.mark.parametrize(("degree", "modifier"), [
    ("complete victory", 20), ("major victory", 9), ("minor victory", 6), ("marginal victory", 3), ("tie", 0),
    ("marginal defeat", 0), ("minor defeat", 0), ("major defeat", 0), ("complete defeat", -3)])
def test_qw_a8_augment_table(degree: str, modifier: int) -> None:
    size = NAMES.index(degree.split()[0])
    assert AUGMENTS[-size if "defeat" in degree else size] == modifier


@pytest.mark.parametrize(("dice", "amount"), [((15, 20), 20), ((15, 19), 9), ((3, 19), 6), ((13, 12), 3),
                                              ((3, 3), 0), ((19, 3), 0), ((20, 14), -3)])
def test_qw_a8_an_augment_adds_what_its_degree_says(dice: tuple[int, int], amount: int) -> None:
    state = framed(begun(by_degree=True, context=framing.CampaignContext()), resistance="14")
    assert state.policy.degrees
    state, _ = act(state, "augment", "t", trait="g", whom="i", words="A song")
    state, _ = act(state, "answer", proposal="0", verdict="roll3")
    state, turn = act(state, "roll_augment", "t", dice=dice)
    assert [line.amount for line in state.lines("i")] == ([amount] if amount else [])
    assert text(turn, "QW-A8").endswith(f"comes to {'+M' if amount == 20 else f'{amount:+d}'.replace('-', '−')}.")


def test_qw_a8_a_story_point_in_an_augments_contest_says_what_it_makes_of_it() -> None:
    state = framed(begun(by_degree=True), resistance="14")
    state, _ = act(state, "augment", "i", trait="k", whom="i", words="Maps")
    state, _ = act(state, "answer", proposal="0", verdict="roll3")
    state, _ = act(state, "roll_augment", "i", dice=(3, 19))
    offers = {offer.action: offer.title for offer in framing.KIND.offers(state, framing.SHEETS)}
    assert offers["spend"] == "Spend a story point: +9" and offers["stand"] == "Let it stand: +6"
