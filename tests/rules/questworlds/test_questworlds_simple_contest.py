"""Simple contests in the rules alone: whose view holds what, sentences with names, and what each contest rolls with."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.moves import Need
from rules.procedure import CampaignContext, PastContest, Perspective
from rules.sheet import Gain, Sheet, Spend, SpendShared, Trait
from rules.systems.questworlds.contest import AssuredContest
from rules.systems.questworlds.edition import FIRST
from rules.systems.questworlds.simple_contest import FlawContest, OpposedContest, SimpleContest
from rules.systems.questworlds.simple_contest.framing import warnings
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.values import BadMove
from tests.rules.questworlds import framing
from tests.rules.questworlds.framing import (
    FULL,
    ILSE,
    KIND,
    SHEETS,
    act,
    begun,
    framed,
    group,
    rolled,
    text,
)

NOBODY = CampaignContext()
PAIR = OpposedContest()


def between_two(*acts: tuple[str, str, dict[str, Any]], context: CampaignContext = NOBODY) -> State:
    """Ilse against Tam, after these acts."""
    contestants = [{"sheet": name, "player": True} for name in ("i", "t")]
    begins = PAIR.start({"contestants": contestants, "title": "The boat"}, SHEETS)
    assert not isinstance(begins, Need)
    state = PAIR.with_context(PAIR.evolve(PAIR.blank(), begins.events[0]), context)
    for by, action, given in acts:
        state, _ = on(state, by, action, **given)
    return state


def on(state: State, by: str, action: str, *dice: int, **given: Any) -> tuple[State, Any]:
    """The state after an act of a contest between two, and what the act led to."""
    turn = PAIR.act(state, SHEETS, by, action, given, dice)
    assert not isinstance(turn, Need), turn
    for event in turn.events:
        assert PAIR.read(PAIR.write(event)) == event
        state = PAIR.evolve(state, event)
    return state, turn


def test_qw_41_ones_own_secret_tactic_is_in_ones_own_view_and_in_nobody_elses() -> None:
    state = between_two(("i", "choose", {"tactic": "Quietly from behind", "ability": "a"}))
    own = PAIR.view(state, SHEETS, Perspective(frozenset("i"))).detail.rows[0]
    assert (own.tactic, own.ability) == ("Quietly from behind", "Knife 14")
    for viewer in (Perspective(), Perspective(frozenset("t")), Perspective(runs=True)):
        assert "Quietly" not in repr(PAIR.view(state, SHEETS, viewer))
        assert "Knife" not in repr(PAIR.view(state, SHEETS, viewer))


def test_qw_61_what_lasts_is_chosen_once(monkeypatch: Any) -> None:
    loved = Sheet("i", "Ilse", (*ILSE.traits, Trait("l", "benefit", "Loved", 2)))
    monkeypatch.setitem(framing.SHEETS, "i", loved)
    with pytest.raises(BadMove, match="chosen twice"):
        act(framed(begun(NOBODY)), "lasting", lines=["l", "l"])
    assert act(framed(begun(NOBODY)), "lasting", lines=["l"])[0].terms("i").score == 20


def test_names_and_signs_of_a_sentence_are_those_that_it_was_made_with(monkeypatch: Any) -> None:
    scout = Sheet("i", "Scout of the resistance", ILSE.traits)
    monkeypatch.setitem(framing.SHEETS, "i", scout)
    state, _ = act(begun(NOBODY, symbol="W"), "choose", "i", tactic="So", ability="a")
    state, _ = act(state, "oppose", name="Unit 7M of the player", resistance="1W")
    state, _ = act(state, "modify", whom="i", line="plot:20", reason="A good night")
    state, turn = rolled(state, 5, 19)
    assert text(turn, "QW-05").endswith("With +W the target number is 14W.")
    assert text(turn, "QW-10").endswith("Scout of the resistance: 5 against 14W, a success. "
                                        "Unit 7M of the player: 19 against 1W, a failure.")
    assert "Scout of the resistance wins by the better result." in text(turn, "QW-13")


def test_qw_11_bumps_are_said_once() -> None:
    state = framed(begun(NOBODY), resistance="-25", assured="rolled")
    _, turn = rolled(state, 20, 5)
    text = " ".join(step.text for step in turn.steps)
    assert text.count("bump") == 1 and "Masteries bump Ilse up twice, to a success." in text
    assert "The clerk is below 1, which counts as 2 masteries for Ilse." in text
    move = AssuredContest()
    given = {"ability": 14, "resistance": -25}
    assert sum("bump" in step.text for step in move.resolve(move.read(given), [20, 5]).steps) == 1


def lost(who: str = "i", dice: tuple[int, int] = (19, 3), **setup: Any) -> State:
    """An earlier contest at the clerk's, politely and with the knife."""
    state, _ = rolled(framed(begun(NOBODY, **setup)), *dice)
    if who != "i":
        state = replace(state, entrants=tuple(replace(entrant, id=who) for entrant in state.entrants),
                        outcomes=tuple(replace(outcome, who=who) for outcome in state.outcomes))
    return state


def warned(past: State, **setup: Any) -> bool:
    """Whether the same tactic is warned of after this contest."""
    context = CampaignContext(past=(PastContest(3, "The ledger", False, past),))
    facts = KIND.view(framed(begun(context, **setup)), SHEETS, Perspective()).facts
    return any("was tried against this obstacle" in fact for fact in facts)


def test_qw_25_a_tactic_is_warned_of_after_a_defeat_of_the_same_one_at_the_same_obstacle() -> None:
    assert warned(lost())
    assert not warned(lost(dice=(3, 19))), "it was no defeat"
    assert not warned(lost(dice=(3, 3))), "a tie is none"
    assert not warned(lost("t")), "someone else tried it"
    assert not warned(lost(obstacle="The dog")), "it was against something else"
    assert warned(lost(obstacle=""), obstacle=""), "the clerk was against both"
    assert warned(lost(title="The seal")), "another prize, the same obstacle"


def test_qw_25_of_a_group_everybody_is_warned_of_their_own_tactic() -> None:
    past, _ = act(group(NOBODY), "oppose", name="The clerk")
    past, _ = act(act(past, "set")[0], "roll", "i", dice=(19, 3))
    past, _ = act(past, "roll", "t", dice=(19, 3))
    context = CampaignContext(past=(PastContest(3, "The ledger", False, past),))
    now, _ = act(group(context), "oppose", name="The clerk")
    assert [rule for rule, _ in warnings(now)] == ["QW-25", "QW-25"], "both lost, and both do the same again"
    now, _ = act(group(context), "choose", "t", tactic="Politely", ability="s")
    now, _ = act(now, "oppose", name="The clerk")
    assert [rule for rule, _ in warnings(now)] == ["QW-25"], "what Ilse tried is new for Tam"


class Unread:
    """Earlier contests that nobody may look at."""

    def __iter__(self) -> Any:
        raise AssertionError("earlier contests were read")

    __len__ = __getitem__ = __iter__


def test_qw_25_earlier_contests_are_read_only_before_the_dice() -> None:
    state, _ = rolled(framed(), 3, 5)
    unread: Any = Unread()
    state = KIND.with_context(state, CampaignContext(pools=(("story_points", 1),), past=unread))
    KIND.view(state, SHEETS, Perspective())
    KIND.offers(state, SHEETS)
    assert act(state, "spend", "i")[0].outcomes
    blank = KIND.with_context(begun(NOBODY), CampaignContext(past=unread))
    KIND.view(act(blank, "oppose", name="The clerk")[0], SHEETS, Perspective())


def offered(state: State, action: str, by: str = "", kind: Any = KIND) -> Any:
    """The offer of this action, or None."""
    return next((offer for offer in kind.offers(state, SHEETS) if (offer.action, offer.by) == (action, by)), None)


def test_qw_41_each_of_two_players_rolls_their_own_die() -> None:
    state = between_two(("i", "choose", {"tactic": "So", "ability": "a"}),
                        ("t", "choose", {"tactic": "So", "ability": "g"}), ("", "set", {}))
    with pytest.raises(BadMove):
        PAIR.act(state, SHEETS, "i", "roll", {}, (5, 19))
    state, turn = on(state, "i", "roll", 5)
    assert [(die.face, die.role) for die in turn.dice] == [(5, "Ilse")] and not turn.rolls and not state.outcomes
    assert {offer.by for offer in PAIR.offers(state, SHEETS) if offer.action == "roll"} == {"t"}
    state, turn = on(state, "t", "roll", 19)
    assert [(outcome.who, outcome.outcome) for outcome in state.outcomes] == [("i", "victory"), ("t", "defeat")]
    assert [roll.dice for roll in turn.rolls] == [(5, 19)]


def test_qw_41_whom_nobody_plays_is_rolled_for_in_the_same_press() -> None:
    contestants = [{"sheet": "i", "player": True}, {"sheet": "t", "player": False}]
    state = PAIR.evolve(PAIR.blank(), PAIR.start({"contestants": contestants, "title": "The boat"}, SHEETS).events[0])
    for by, ability in (("i", "a"), ("t", "g")):
        state, _ = on(state, by, "choose", tactic="So", ability=ability)
    state, _ = on(state, "", "set")
    assert on(state, "i", "roll", 5, 19)[0].outcomes


def test_qw_27_two_against_each_other_have_second_goals_of_their_own() -> None:
    state = between_two(("i", "choose", {"tactic": "So", "ability": "a", "second_goal": "Nobody is hurt"}))
    assert "Nobody is hurt" not in repr(PAIR.view(state, SHEETS, Perspective(frozenset("t"))))
    state, turn = on(state, "t", "choose", tactic="So", ability="g")
    assert "A second goal of Ilse: Nobody is hurt." in text(turn, "QW-27")
    state, _ = on(state, "", "set")
    state, _ = on(state, "i", "roll", 9)
    state, turn = on(state, "t", "roll", 5)
    assert "Ilse chooses which" in text(turn, "QW-27") and state.goal_open("i")
    assert dict(offered(state, "choose_goal", "i", PAIR).fields[0].options)["second"] == "Nobody is hurt"
    assert "Nobody is hurt." in text(on(state, "i", "choose_goal", goal="second")[1], "QW-27")


def test_qw_70_an_ability_is_made_up_between_two_players_and_is_on_the_sheet_when_both_have_chosen() -> None:
    state = between_two()
    state, turn = on(state, "i", "choose", tactic="By ear", new="Listening", within="k")
    assert not turn.effects and turn.sealed, "a new line on the sheet would tell"
    _, turn = on(state, "t", "choose", tactic="So", new="Rowing")
    assert turn.effects == (Gain("t", "ability", "Rowing", 13), Gain("i", "breakout", "Listening", 1, parent="k"))


def test_qw_20_and_21_a_new_approach_drops_what_was_laid_on_the_old_one_with_a_word() -> None:
    state, _ = act(framed(begun(NOBODY)), "modify", whom="i", line="stretch:-6", reason="Far-fetched")
    state, _ = act(state, "modify", whom="i", line="situation:3", reason="A good night")
    state, _ = act(state, "hinder", trait="f", amount="-3", how="straight")
    same, _ = act(state, "choose", "i", tactic="politely.", ability="a")
    assert [modifier.kind for modifier in same.modifiers] == ["stretch", "situation", "hindrance"], "the same approach"
    state, turn = act(state, "choose", "i", tactic="With a bribe", ability="a")
    assert [modifier.kind for modifier in state.modifiers] == ["situation"]
    assert text(turn, "QW-21") == "A stretch (−6) and In debt (−3) no longer count: they were for the earlier approach."


FLAW = FlawContest()


def flaw_comes_up() -> State:
    """The GM finds that a flaw of Ilse's comes up in the scene."""
    turn = FLAW.start({"contestants": [{"sheet": "i", "player": True}], "title": "He takes the money"}, SHEETS)
    return FLAW.with_context(FLAW.evolve(FLAW.blank(), turn.events[0]), NOBODY)


def done(kind: Any, state: State, by: str, action: str, *dice: int, **given: Any) -> tuple[State, Any]:
    """The state after an act, and what it led to."""
    turn = kind.act(state, SHEETS, by, action, given, dice)
    for event in turn.events:
        state = kind.evolve(state, kind.read(kind.write(event)))
    return state, turn


def test_qw_24_a_flaw_is_compelled_at_any_time_in_a_scene_and_earns_its_point() -> None:
    state = flaw_comes_up()
    assert {offer.action for offer in FLAW.offers(state, SHEETS)} == {"compel", "resist", "call_off"}
    state, turn = done(FLAW, state, "", "compel", trait="f")
    assert state.ended == "submitted" and Spend("i", "xp", 1) in turn.effects
    with pytest.raises(BadMove, match="no flaw"):
        FLAW.start({"contestants": [{"sheet": "t", "player": True}]}, SHEETS)


def test_qw_24_a_flaw_is_acted_against_with_its_score_as_the_resistance() -> None:
    state, _ = done(FLAW, flaw_comes_up(), "i", "resist", flaw="f")
    assert (state.against("i").resistance, state.against("i").flaw) == (19, "f")
    state, _ = done(FLAW, state, "i", "choose", tactic="I think of my sister", ability="a")
    state, _ = done(FLAW, state, "", "set")
    state, turn = done(FLAW, state, "i", "roll", 5, 20)
    assert state.outcomes[0].outcome == "victory" and Spend("i", "xp", 1) in turn.effects
    against = framed(begun(NOBODY), flaw="d").against("i")
    assert (against.resistance, against.told) == (17, "the score of Her brother")


def test_qw_40_an_assured_victory_is_the_gms_to_announce() -> None:
    state, turn = act(framed(begun(NOBODY)), "oppose", name="The clerk", assured="rolled")
    assert not text(turn, "QW-40")
    player, gm = (KIND.view(state, SHEETS, Perspective(runs=runs)).detail.rows[0] for runs in (False, True))
    assert not player.notes and player.odds[0][1] < 1
    assert gm.odds[0][1] == 1 and "Only you know" in " ".join(gm.notes)
    assert KIND.forecast(act(state, "set")[0], SHEETS, "i", "roll", {})[0][1].outcomes[0][1] < 1
    assert "assured" not in text(act(framed(begun(NOBODY)), "oppose", name="Nothing", resistance="-25")[1], "QW-03")
    state, turn = act(state, "oppose", name="The clerk", assured="rolled", announced=True)
    assert text(turn, "QW-40") == "The victory is assured."
    assert "The victory is assured." in KIND.view(state, SHEETS, Perspective()).detail.rows[0].notes
    assert "The victory is assured" in text(rolled(state, 5, 4)[1], "QW-40"), "afterwards everyone knows"


@pytest.mark.parametrize("down", [False, True])
def test_qw_05_the_words_about_a_target_number_of_0_agree_with_the_outcome(down: bool) -> None:
    state = framed(ability="")
    for line in ("stretch:-6", *(("stretch:bump",) if down else ())):
        state, _ = act(state, "modify", whom="i", line=line, reason="Far off")
    warning = next(text for text in KIND.view(state, SHEETS, Perspective()).facts if "target number of 0" in text)
    word, better = ("fumble", "failure") if down else ("failure", "success")
    assert f"whatever the die shows is a {word}. A story point would make it a {better}." in warning
    state, turn = rolled(state, 3, 5)
    assert f"a {word} against" in text(turn, "QW-10") or "whatever the die shows" in text(turn, "QW-05")
    state, _ = act(state, "spend", "i")
    assert state.outcomes[0].ours == better
    poor, _ = act(framed(begun(NOBODY), ability=""), "modify", whom="i", line="stretch:-6", reason="Far off")
    assert "story point" not in " ".join(KIND.view(poor, SHEETS, Perspective()).facts)


def augmented(**setup: Any) -> State:
    """An augment that the GM wants rolled for, Tam's songs at 15."""
    state, _ = act(framed(begun(**setup)), "augment", "t", trait="g", whom="i", words="A song")
    return act(state, "answer", proposal="0", verdict="roll3")[0]


def test_qw_12_a_story_point_turns_an_augments_own_contest() -> None:
    state, turn = act(augmented(), "roll_augment", "t", dice=(17, 18))
    assert state.phase is Phase.OWN_POINT and not state.proposals[0].won and turn.rolls
    assert {offer.title for offer in KIND.offers(state, SHEETS)} == {
        "Spend a story point: it helps", "Let it stand: it does not help", "Call off the contest"}
    spent, turn = act(state, "spend", "t")
    assert spent.proposals[0].won and spent.terms("i").score == 17
    assert turn.effects == (SpendShared("story_points", -1),)
    assert turn.rolls[0].result["outcome"] == "victory" and turn.rolls[0].dice == (17, 18)
    stood, turn = act(state, "stand", "t")
    assert stood.proposals[0].won is False and not stood.modifiers and not turn.effects
    for context in (NOBODY, FULL):  # nothing to spend; a point would not turn it
        dice = (17, 18) if context is NOBODY else (20, 5)
        assert act(augmented(context=context), "roll_augment", "t", dice=dice)[0].proposals[0].won is False


def test_qw_12_a_story_point_turns_a_flaws_own_contest() -> None:
    state, _ = act(framed(), "hinder", dice=(3, 19), trait="f", amount="-6", how="rolled")
    assert state.phase is Phase.OWN_POINT and not state.modifiers
    assert {offer.title for offer in KIND.offers(state, SHEETS)} == {
        "Spend a story point: it does not hinder", "Let it stand: it hinders, −6", "Call off the contest"}
    spent, turn = act(state, "spend", "i")
    assert not spent.modifiers and "overcomes In debt" in text(turn, "QW-23")
    assert turn.rolls[0].result["outcome"] == "defeat" and turn.effects == (SpendShared("story_points", -1),)
    stood, _ = act(state, "stand", "i")
    assert stood.modifiers[0].amount == -6 and stood.phase is Phase.MODIFY


def test_qw_22_and_23_their_own_contests_are_against_the_base_and_a_tie_is_no_victory() -> None:
    for base, helps in ((14, True), (17, False)):
        state, turn = act(augmented(context=NOBODY, base=base), "roll_augment", "t", dice=(14, 15))
        assert state.proposals[0].won is helps and turn.rolls[0].given["resistance"] == base
        framed_, turn = act(framed(begun(NOBODY, base=base)), "hinder", dice=(14, 15), trait="f", how="rolled")
        assert bool(framed_.modifiers) is helps and turn.rolls[0].given["resistance"] == base
        assert turn.rolls[0].given["ability"] == 19
    for ties in ("tie", "player"):
        tied = augmented(context=NOBODY, tie=ties)
        state, helped = act(tied, "roll_augment", "t", dice=(5, 5))
        assert state.proposals[0].won is False
        state, hindered = act(framed(begun(NOBODY, tie=ties)), "hinder", dice=(5, 5), trait="f", how="rolled")
        assert not state.modifiers and state.overcome == ("f",), "a flaw that does not win is overcome"
        assert not any("it goes to" in step.text for step in (*helped.steps, *hindered.steps)), "to nobody"


def test_qw_13_a_tie_goes_to_the_player_in_the_contest_that_says_so() -> None:
    for ties, asked, came in ((False, True, "victory"), (True, False, "tie")):
        start = begun(NOBODY, tie="player" if ties else "tie")
        state, turn = rolled(framed(start, tie_to_player=asked), 5, 5)
        assert state.outcomes[0].outcome == came and turn.rolls[0].result["outcome"] == came
    assert offered(framed(begun(NOBODY, tie="player")), "oppose").now["tie_to_player"] is True


def test_qw_22_a_refused_augment_adds_nothing() -> None:
    state, _ = act(framed(), "augment", "t", trait="g", whom="i", words="A song")
    before = state.terms("i").score
    state, turn = act(state, "answer", proposal="0", verdict="refused")
    assert state.terms("i").score == before and not state.modifiers and not state.proposals[0].helps
    drawn = KIND.view(state, SHEETS, Perspective()).detail
    assert drawn.proposals[0][2] == "no help" and not drawn.rows[0].lines
    assert not any("Songs" in label for label, _ in drawn.rows[0].ifs)
    assert text(turn, "QW-22") == "Songs does not help here."


def test_qw_28_a_crowd_is_counted_once_when_its_form_is_opened_and_sent_again() -> None:
    state, _ = act(framed(), "crowd", them=3, us=1)
    for _ in range(2):
        now = dict(offered(state, "oppose").now)
        assert now["resistance"] == "14"
        state, _ = act(state, "oppose", **now)
        assert (state.against("i").resistance, state.against("i").crowd) == (20, 6)


def test_qw_77_every_npc_in_the_scene_is_a_resistance_with_each_ability(monkeypatch: Any) -> None:
    watch = Sheet("w", "The watch", (Trait("w1", "keyword", "Lanterns", 24), Trait("w2", "breakout", "Nets", 2,
                                                                                  parent="w1")), npc=True)
    monkeypatch.setitem(framing.SHEETS, "w", watch)
    state = framed(begun(NOBODY))
    assert dict(offered(state, "oppose").options["npc"]) == {
        "w1": "The watch: Lanterns · 4M", "w2": "The watch: Nets · 6M", "w": "The watch: 14, the base"}
    state, turn = act(state, "oppose", **{**offered(state, "oppose").now, "npc": "w2"})
    assert (state.against("i").name, state.against("i").resistance) == ("The watch", 26)
    assert text(turn, "QW-03") == "Against it: The watch at 6M, Nets."
    state, _ = act(state, "oppose", **{**offered(state, "oppose").now, "stake": "The boat"})
    assert (state.against("i").resistance, state.against("i").told) == (26, "Nets"), "it stays what it was"
    assert offered(framed(begun(NOBODY)), "oppose").options["npc"][0][0] != "t"


def test_qw_12_each_answer_says_what_it_leads_to() -> None:
    state, _ = rolled(framed(), 3, 5)
    assert offered(state, "spend", "i").title == "Spend a story point: victory, rank 2"
    assert offered(state, "stand", "i").title == "Let it stand: defeat, rank 1"


def test_simple_contests_count_with_the_numbers_of_their_edition() -> None:
    steps = replace(FIRST.modifiers, ladder=(0, 5, 10), stretch=(-5, -10), default_stretch=-10, augment=(2, 4))
    other = replace(FIRST, resolution=replace(FIRST.resolution, no_ability=5), modifiers=steps,
                    creation=replace(FIRST.creation, other=11))
    kind = SimpleContest(other)
    begins = kind.start({"contestants": [{"sheet": "i", "player": True}], "title": "The ledger"}, SHEETS)
    state = kind.with_context(kind.evolve(kind.blank(), begins.events[0]), NOBODY)
    state, turn = done(kind, state, "i", "choose", tactic="So")
    assert text(turn, "QW-06") == "No ability fits, which counts as 5."
    state, _ = done(kind, state, "", "oppose", name="The clerk")
    assert state.terms("i").score == 5
    lines = dict(offered(state, "modify", kind=kind).fields[1].options)
    assert [line for line in lines if line.startswith("stretch")] == ["stretch:-5", "stretch:-10", "stretch:bump"]
    state, _ = done(kind, state, "i", "choose", tactic="So", new="Listening")
    assert state.terms("i").score == 11
    state, _ = done(kind, state, "i", "augment", trait="k", whom="i", words="A map")
    state, _ = done(kind, state, "", "answer", proposal="0", verdict="assured4")
    assert state.terms("i").score == 15
