"""Long contests by the older tables: rising action and climax, groups, advantage points, states (QW-A3 to QW-A5)."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from rules.sheet import Gain, SetDead
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.long import ExtendedLong
from rules.systems.questworlds.long.ending import Told, group_degree
from rules.systems.questworlds.long.values import Judged, Resolved
from rules.systems.questworlds.older import long_tables
from rules.systems.questworlds.older.degrees import DegreeClash, in_words
from rules.systems.questworlds.older.long_tables import climax, extended, in_chain, rising, unharmed
from rules.systems.questworlds.older.states import NAMES
from rules.systems.questworlds.roll import Result, Side
from rules.values import BadMove
from tests.rules.questworlds.longing import Table, chained, group

CRITICAL, SUCCESS, FAILURE, FUMBLE = reversed(Result)
ADVERSITY = ("", *NAMES["adversity"][:4], "dead")
FORTUNE = ("", *NAMES["fortune"])


@pytest.mark.parametrize(("difference", "loser", "winner", "level"), [
    (1, "hurt", "hurt", "marginal"), (2, "hurt", "fresh", "marginal"), (3, "impaired", "pumped", "minor"),
    (4, "impaired", "pumped", "minor"), (5, "injured", "invigorated", "major"), (6, "injured", "invigorated", "major"),
    (7, "dying", "heroic", "complete"), (8, "dead", "heroic", "complete"), (9, "dead", "heroic", "complete")])
def test_qw_a3_rising_action_contest_table(difference: int, loser: str, winner: str, level: str) -> None:
    row = rising(difference)
    assert row is not None and row == rising(-difference)
    assert ADVERSITY[row.loser] == loser and in_words(row.degree) == f"{level} victory"
    assert (FORTUNE[row.winner] if row.winner > 0 else ADVERSITY[-row.winner]) == winner
    assert rising(0) is None and rising(12) == rising(9)


@pytest.mark.parametrize(("points", "state"), [
    (0, ""), (1, ""), (2, "hurt"), (3, "hurt"), (4, "impaired"), (5, "impaired"), (6, "injured"), (7, "injured"),
    (8, "dying"), (9, "dead"), (11, "dead")])
def test_qw_a3_climactic_state_of_adversity_table(points: int, state: str) -> None:
    assert ADVERSITY[climax(points)] == state


@pytest.mark.parametrize("against", range(1, 9))
def test_qw_a3_who_loses_at_a_climax_has_what_both_ways_of_the_source_say(against: int) -> None:
    row = rising(against)
    assert row is not None and climax(against + 1) == row.loser


def played(*rounds: tuple[int, int], **setup: Any) -> Table:
    """Ilse's 17 against the captain's 17, to the end."""
    table = Table(scored_tables=True, **setup)
    for dice in rounds:
        table.round(*dice)
    assert table.state.won_by is not None
    return table


@pytest.mark.parametrize(("arc", "lines"), [
    ("rising", [("fortune", 3)]), ("climax", [("fortune", 3), ("adversity", 1)])])
def test_qw_a3_a_winner_gains_and_at_a_climax_may_suffer_too(arc: str, lines: list[tuple[str, int]]) -> None:
    # 2 and 2 for Ilse's better results, 2 against her, then 3: 7 to 2.
    table = played((3, 18), (3, 18), (18, 3), (17, 18), states=True, fortune=True)
    assert table.points() == (7, 2)
    result = table.act("", "outcomes", arc=arc, whom=["i"])
    assert [(effect.kind, effect.value) for effect in result.effects if isinstance(effect, Gain)] == lines
    assert table.state.ruled.outcomes == (("i", 3),) and "Ilse: 7 to 2, a major victory" in result.steps[0].text
    assert result.steps[0].rule == "QW-A3" and "outcomes" not in table.offered("")


@pytest.mark.parametrize(("arc", "state"), [("rising", 3), ("climax", 3)])
def test_qw_a3_a_loser_suffers_by_the_table(arc: str, state: int) -> None:
    table = played((18, 3), (18, 3), (18, 3), states=True)
    result = table.act("", "outcomes", arc=arc, whom=["i"])
    assert result.effects == (Gain("i", "adversity", "The bridge", state, "From: The bridge"),)
    assert table.state.ruled.outcomes == (("i", -3),)


def test_qw_a3_the_dead_are_marked_so_and_without_states_consequences_stand_in() -> None:
    lost = played((20, 17), (20, 17), fortune=True)
    assert lost.points() == (0, 8)
    assert lost.act("", "outcomes", arc="rising", whom=["i"]).effects == (SetDead("i"),)
    plain = played((18, 3), (18, 3), (18, 3))
    assert plain.act("", "outcomes", arc="rising", whom=["i"]).effects[0].kind == "consequence"  # type: ignore[union-attr]
    spared = played((18, 3), (18, 3), (18, 3))
    assert spared.act("", "outcomes", arc="rising", whom=[]).effects == ()


def test_qw_a7_in_a_long_contest_the_best_that_was_used_is_compared() -> None:
    table = played((3, 18), (3, 18), (3, 18), opponents="Clerk 11", fortune=True)
    result = table.act("", "outcomes", arc="rising", whom=["i"])
    assert result.effects == ()
    assert any(step.rule == "QW-A7" and "clearly inferior" in step.text for step in result.steps)
    with pytest.raises(BadMove, match="clearly inferior"):
        table.act("", "give", whom="i", kind="benefit", rank="1", name="Proud")


@pytest.mark.parametrize(("won", "degrees", "group_s"), [
    (True, (3, 2, 1), "minor victory"), (False, (-3, -2, -2, -1), "minor defeat"), (True, (4,), "complete victory"),
    (False, (-1,), "marginal defeat"), (True, (3, -2), "major victory"), (False, (-4, 2), "complete defeat")])
def test_qw_a4_second_best_of_the_winners_second_worst_of_the_losers(
    won: bool, degrees: tuple[int, ...], group_s: str
) -> None:
    table = group(group_outcomes=True)
    state = table.state
    ilse = state.entrant("i")
    beaten = replace(state, contestants=tuple(
        replace(contestant, status="beaten") if contestant.part.side == (1 if won else 0) else contestant
        for contestant in state.contestants))
    told = [Told(ilse, Judged(degree, (), "")) for degree in degrees]
    degree = group_degree(beaten, told)
    assert degree is not None and in_words(degree) == group_s


def test_qw_a4_a_group_of_two_is_told_its_outcome() -> None:
    table = group(group_outcomes=True, scored_tables=True, states=True, fortune=True)
    # Ilse faces the captain, Otho the clerk.
    bouts = {bout.ours: bout.number for bout in table.state.bouts}
    table.round(17, 18, bout=bouts["i"])
    table.act("o", "round", 3, 18, bout=str(bouts["o"]), ability="s")
    table.round(17, 18, bout=bouts["i"])
    table.act("o", "round", 3, 18, bout=str(bouts["o"]), ability="s")
    table.act("o", "round", 18, 3, bout=str(bouts["o"]), ability="s")
    table.act("o", "round", 3, 18, bout=str(bouts["o"]), ability="s")
    result = table.act("", "outcomes", arc="rising", whom=["i", "o"])
    degrees = dict(table.state.ruled.outcomes)
    assert table.state.ruled.group == sorted(degrees.values())[0] and result.steps[0].rule == "QW-A4"
    assert "The second best of the winners counts" in result.steps[-1].text
    assert "for the players" in table.view(runs=True).detail.outcome


@pytest.mark.parametrize(("final", "level", "loser", "winner"), [
    (0, "marginal", "hurt", "fresh"), (-10, "marginal", "hurt", "fresh"), (-11, "minor", "impaired", "pumped"),
    (-20, "minor", "impaired", "pumped"), (-21, "major", "injured", "invigorated"),
    (-30, "major", "injured", "invigorated"), (-31, "complete", "dying", "heroic"),
    (-60, "complete", "dying", "heroic")])
def test_qw_a5_extended_contest_table(final: int, level: str, loser: str, winner: str) -> None:
    row = extended(final)
    assert row is not None and extended(1) is None
    assert (in_words(-row.degree), ADVERSITY[row.loser], FORTUNE[row.winner]) == (f"{level} defeat", loser, winner)


def test_qw_a5_an_extended_contest_ends_by_its_table() -> None:
    table = Table(ExtendedLong(), opponents="Captain Vey 14", long_tables=True, states=True, fortune=True)
    bout = table.state.bouts[0]
    state = table.state
    beaten = state.with_("i", ap=-24, start=17, armed=True, status="beaten", using=None)
    beaten = beaten.with_bout(bout.number, closed=True, rounds=(resolved(),))
    turn: Any = table.kind.act(beaten, table.sheets, "", "outcomes", {"whom": ["i"]})
    assert [(effect.kind, effect.value) for effect in turn.effects] == [("adversity", 3)]
    assert turn.steps[0].text == "Ilse: Ilse ended at −24, a major defeat." and turn.steps[0].rule == "QW-A5"
    won = state.with_(bout.theirs, ap=-12, status="beaten").with_bout(bout.number, closed=True, rounds=(resolved(),))
    turn = table.kind.act(won, table.sheets, "", "outcomes", {"whom": ["i"]})
    assert [(effect.kind, effect.value) for effect in turn.effects] == [("fortune", 2)]


def resolved() -> Any:
    return Resolved("exchange", 0, "i", "~0", ("Ilse", "Captain Vey"), ("Mapmaker", ""), ("normal", "normal"), (3, 18),
                    ("success", "failure"), "victory", 2)


# By the results: what the worse side is in, when it was nothing, hurt, or injured before in this contest.
CHAIN = {0: ("hurt", "hurt", "hurt"), 1: ("hurt", "injured", "dying"), 2: ("injured", "injured", "dying"),
         3: ("dying", "dying", "dying")}


@pytest.mark.parametrize("theirs", [CRITICAL, SUCCESS, FAILURE, FUMBLE])
@pytest.mark.parametrize("ours", [CRITICAL, SUCCESS, FAILURE, FUMBLE])
def test_qw_a5_each_cell_of_the_chained_contest_table(ours: Result, theirs: Result) -> None:
    clash = DegreeClash(Side(10), Side(10), (7, 3))
    clash.__dict__["results"] = (ours, theirs)
    assert unharmed(clash) == (ours is theirs is FUMBLE)
    for had, expected in zip(((), (1,), (1, 3)), CHAIN[clash.levels], strict=True):
        assert ADVERSITY[in_chain(clash.levels, had)] == expected
    level = DegreeClash(Side(10), Side(10), (5, 5))
    level.__dict__["results"] = (ours, ours)
    assert unharmed(level)


def test_qw_a5_states_of_a_chained_contest_land_at_once_add_up_and_end_it() -> None:
    table = chained(long_tables=True, states=True)
    table.round(18, 3)
    ilse = table.sheets["i"].traits[-1]
    assert (ilse.kind, ilse.value) == ("adversity", 1) and table.state.penalty("i") == -3
    table.round(18, 3)
    assert table.state.penalty("i") == -12
    assert any(step.rule == "QW-A5" and "Ilse is injured" in step.text for step in table.last.steps)
    table.round(18, 3)
    assert table.state.entrant("i").status == "beaten" and table.state.won_by == 1
    assert [trait.value for trait in table.sheets["i"].traits if trait.kind == "adversity"] == [1, 3, 4]
    result = chained(long_tables=True, group_outcomes=True)
    result.round(20, 17)
    result.act("", "outcomes")
    assert in_words(result.state.ruled.group) == "complete defeat"


def test_qw_a5_the_chance_to_win_a_chained_contest_by_the_table_is_that_of_a_plain_count() -> None:
    terms = Terms(4, (), 4, ())

    @cache
    def slow(one: tuple[int, ...], other: tuple[int, ...]) -> Fraction:
        if 4 in one or 4 in other:
            return Fraction(4 in other)
        less = [-sum(3 * rank for rank in ranks) for ranks in (one, other)]
        if 4 + less[0] < 0 or 4 + less[1] < 0:
            return Fraction(4 + less[0] >= 0)
        now = Terms(4, (less[0],), 4, (less[1],))
        won, whole_ = Fraction(0), 0
        for ours in range(1, 21):
            for theirs in range(1, 21):
                clash = now.clash((ours, theirs))
                if unharmed(clash):
                    continue
                whole_ += 1
                had = other if clash.lead > 0 else one
                more = (*had, in_chain(clash.levels, had))
                won += slow(one, more) if clash.lead > 0 else slow(more, other)
        return won / whole_

    assert long_tables.to_win(terms, (), ()) == slow((), ()) == Fraction(1, 2)
    assert long_tables.to_win(terms, (1,), ()) == slow((1,), ())
    table = chained(long_tables=True)
    assert "%" in str(table.view("i").detail.choosing[0].tactics)
