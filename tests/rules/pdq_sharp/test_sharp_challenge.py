"""Challenges at the table, rule by rule (PS-10 to PS-17)."""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.moves import Need
from rules.procedure import ActResult, Perspective
from rules.registry import SYSTEMS, kind_of
from rules.sheet import Damage, Gain, Sheet, Transfer
from rules.systems.pdq_sharp.challenge import ChallengeAtTable, FlashyAtTable
from rules.systems.pdq_sharp.challenge.state import Phase, State
from rules.values import BadMove
from tests.rules.pdq_sharp.dueling import Bench, fencer
from tests.rules.pdq_sharp.people import JACKDAW, sheet_of

RAVEN = sheet_of("Jackdaw", JACKDAW, style_dice=2)


class Task(Bench):
    """A challenge at a table."""

    def __init__(self, *sheets: Sheet, entrants: int = 1, gm: int = 0, **setup: Any) -> None:
        self.system, self.chance, self.lines, self.marks = SYSTEMS["pdq_sharp"], Random(1), 0, 0
        self.kind = ChallengeAtTable() if entrants == 1 else FlashyAtTable()
        self.shared, self.events, self.texts = {"bowl": 0, "gm_style_dice": gm}, [], []
        self.plain: Any = State()
        self.sheets = {sheet.id: sheet for sheet in sheets}
        lines = [{"sheet": sheet.id} for sheet in sheets[:entrants]]
        begun = self.kind.start({"contestants": lines, **setup}, self.sheets)
        assert isinstance(begun, ActResult)
        self.keep(begun)


def roll(task: Task, *faces: int, who: str = "jackdaw", fortes: Sequence[str] = ("fencing",), **more: Any) -> Any:
    return task.do("roll", who, *faces, fortes=list(fortes), **more)


def test_ps_10_the_gm_sets_the_difficulty_and_equal_succeeds() -> None:
    task = Task(RAVEN)
    assert not task.can("roll", "jackdaw") and task.kind.asks(task.state, task.sheets)[0].action == "set"
    task.do("set", difficulty="expert", harm="none")
    rolled = roll(task, 3, 4)
    assert rolled.result["success"] and task.plain.outcome == "success"
    assert [offer.action for offer in task.offers()] == ["dismiss"]


def test_ps_10_all_fortes_that_bear_on_it_add_and_ps_13_a_foible_counts_as_poor() -> None:
    task = Task(RAVEN, difficulty=8)
    assert roll(task, 1, 3, fortes=["fencing", "bow", "vengeful"]).result["total"] == 8


def test_ps_11_techniques_and_style_dice_before_the_roll() -> None:
    task = Task(RAVEN, difficulty=16)
    rolled = roll(task, 1, 2, 6, 5, techniques=["sabre"], style=1, flat=["showy"])
    assert rolled.result["kept"] == [6, 5] and rolled.result["total"] == 16
    assert task.shared["bowl"] == 1 and task.sheets["jackdaw"].pool("style_dice") == 1


@pytest.mark.parametrize("given", [
    {"techniques": ["showy", "tumbling"]}, {"techniques": ["sabre"], "flat": ["sabre"]},
    {"techniques": ["trick shot"]}, {"burn": True}])
def test_ps_11_what_does_not_go_is_refused_in_words(given: dict[str, Any]) -> None:
    """Two idioms, one technique twice, one chained to another forte, a motivation that does not count."""
    with pytest.raises(BadMove):
        roll(Task(RAVEN, difficulty=8), fortes=["fencing"], **given)


def test_ps_12_a_burned_motivation_counts_double_and_is_marked() -> None:
    task = Task(RAVEN, difficulty=10)
    rolled = roll(task, 1, 1, fortes=["fencing", "ruin the margrave"], burn=True)
    assert rolled.result["total"] == 10
    assert [effect.name for effect in rolled.effects if isinstance(effect, Gain)] == ["Ruin the Margrave"]


@pytest.mark.parametrize(("harm", "ranks"), [("none", 0), ("failure", 3), ("wound", 3)])
def test_ps_14_failing_earns_a_training_point_and_may_hurt_by_the_difference(harm: str, ranks: int) -> None:
    task = Task(fencer("An", 1, cooking=2), difficulty=9, harm=harm)
    roll(task, 1, 3, who="an", fortes=["an.fencing"])
    assert task.sheets["an"].pool("training_points") == 1
    if not ranks:
        assert task.plain.phase is Phase.OVER
        return
    done = task.do("place", "an", spread={"an.cooking": 3})
    assert Damage("an.cooking", 3, failure=harm == "failure") in done.effects
    assert any(isinstance(effect, Gain) and effect.kind == "hook" for effect in done.effects)


def test_ps_14_whether_it_hurts_is_the_gms_word() -> None:
    for word, over in (("none", True), ("wound", False)):
        task = Task(fencer("An", 1), difficulty=9, harm="ask")
        roll(task, 1, 3, who="an", fortes=["an.fencing"])
        assert task.plain.phase is Phase.HURT
        task.do("rule_harm", harm=word)
        assert (task.plain.phase is Phase.OVER) == over


def test_ps_15_several_act_together_one_rolls_and_all_fortes_add() -> None:
    task = Task(RAVEN, fencer("Bo", 2), difficulty=12)
    task.do("help", "bo", fortes=["bo.fencing"])
    assert roll(task, 2, 2).result["total"] == 12


def test_ps_16_the_higher_wins_a_style_die_and_the_other_takes_a_failure_rank() -> None:
    task = Task(fencer("An", 2), fencer("Bo", 3, cooking=0), entrants=2)
    roll(task, 3, 5, who="an", fortes=["an.fencing"])
    roll(task, 3, 4, who="bo", fortes=["bo.fencing"])
    assert task.plain.outcome == "Bo wins" and task.sheets["bo"].pool("style_dice") == 1
    assert task.plain.hurt == ("an", 1, "failure") and task.shared["bowl"] == 0


def test_ps_16_a_tie_goes_to_a_pc_against_an_npc_and_to_nobody_between_pcs() -> None:
    for npc, outcome in ((True, "An wins"), (False, "tie")):
        task = Task(fencer("Bo", 1, npc=npc), fencer("An", 1), entrants=2)
        roll(task, 3, 4, who="bo", fortes=["bo.fencing"])
        roll(task, 3, 4, who="an", fortes=["an.fencing"])
        assert task.plain.outcome == outcome


def test_ps_17_it_waits_after_the_dice_tells_the_chance_and_both_moments() -> None:
    task = Task(RAVEN, difficulty=13)
    roll(task, 2, 5)  # 7 +4 = 11
    assert task.plain.phase is Phase.ELLIPSIS
    view = task.kind.view(task.state, task.sheets, Perspective(frozenset({"jackdaw"})))
    chances = {addition.id: addition.chance for addition in view.detail.additions}
    assert chances["sabre|die"] == Fraction(3, 6) and chances["sabre|flat"] == 0
    assert not task.kind.view(task.state, task.sheets, Perspective()).detail.additions
    task.do("add", "jackdaw", 3, what="sabre|die")
    assert task.said("11 becomes 12") and "sabre|die" not in dict(task.offer("add", "jackdaw").options["what"])  # type: ignore[index]
    result = task.do("add", "jackdaw", what="style|flat")
    assert task.plain.outcome == "success" and task.said("12 becomes 13") and task.said("a success")
    assert [effect.amount for effect in result.effects if isinstance(effect, Transfer)] == [1]


def test_ps_17_let_stand_it_is_a_failure() -> None:
    task = Task(RAVEN, difficulty=13)
    roll(task, 2, 5)
    task.do("stand", "jackdaw")
    assert task.plain.outcome == "failure" and task.sheets["jackdaw"].pool("training_points") == 1


def test_ps_17_in_a_flashy_challenge_whoever_is_behind_answers() -> None:
    task = Task(fencer("An", 1, 1), fencer("Grim", 1, npc=True), entrants=2, gm=1)
    roll(task, 3, 5, who="an", fortes=["an.fencing"])
    roll(task, 3, 4, who="grim", fortes=["grim.fencing"])
    assert task.can("add", "grim") and not task.can("add", "an")
    task.do("add", "grim", 6, what="style|die")
    assert task.can("add", "an") and task.shared == {"bowl": 1, "gm_style_dice": 0}


@pytest.mark.parametrize("dice", [0, 1, 2])
def test_ps_10_the_chances_before_the_dice_are_those_of_all_throws(dice: int) -> None:
    task = Task(RAVEN, difficulty=13)
    techniques = ["sabre", "among trees"][:dice]
    given = {"fortes": ["fencing"], "techniques": techniques}
    outcomes = task.kind.forecast(task.state, task.sheets, "jackdaw", "roll", given)[0][1].outcomes
    throws = list(product(range(1, 7), repeat=2 + dice))
    won = sum(sum(sorted(throw)[-2:]) + 4 >= 13 for throw in throws)
    assert outcomes[0][1] == Fraction(won, len(throws))


def test_what_a_challenge_came_to_is_resolved_anew_from_its_rolls() -> None:
    task = Task(RAVEN, difficulty=13)
    for answer in (roll(task, 2, 5), task.do("add", "jackdaw", 3, what="sabre|die"), task.do("stand", "jackdaw")):
        (made,) = answer.rolls
        kind = kind_of(made.move)
        outcome = kind.resolve(kind.read(made.given), made.dice)
        assert not isinstance(outcome, Need) and outcome.result == made.result


@pytest.mark.parametrize("npc", [True, False])
def test_ps_16_the_chances_of_a_flashy_challenge_before_its_dice_are_those_of_all_throws(npc: bool) -> None:
    task = Task(fencer("An", 1, 1), fencer("Grim", 2, npc=npc), entrants=2)
    given = {"fortes": ["an.fencing"], "style": 1}

    def chances() -> tuple[Fraction, Fraction, Fraction]:
        won, tie, lost = task.kind.forecast(task.state, task.sheets, "an", "roll", given)[0][1].outcomes
        return won[1], tie[1], lost[1]

    def counted(totals: Sequence[int]) -> tuple[Fraction, Fraction, Fraction]:
        mine = [sum(sorted(faces)[-2:]) + 2 for faces in product(range(1, 7), repeat=3)]
        pairs = [(a > b) - (a < b) or npc for a in mine for b in totals]
        return tuple(Fraction(pairs.count(way), len(pairs)) for way in (1, 0, -1))  # type: ignore[return-value]

    assert chances() == counted([sum(faces) + 4 for faces in product(range(1, 7), repeat=2)])
    (_, odds), = task.kind.forecast(task.state, task.sheets, "grim", "roll", {"fortes": ["grim.fencing"]})
    two = [sum(faces) for faces in product(range(1, 7), repeat=2)]
    won = sum(a + 4 > b + 2 for a, b in product(two, repeat=2))
    assert odds.outcomes[0][1] == Fraction(won, 6**4), "a tie is never an NPC’s"
    roll(task, 3, 5, who="grim", fortes=["grim.fencing"])
    assert chances() == counted([12]), "against what lies there by now"


def test_ps_17_letting_it_stand_says_what_it_leads_to_and_what_can_not_change_is_not_asked() -> None:
    task = Task(RAVEN, difficulty=11)
    roll(task, 1, 2)
    assert task.plain.phase is Phase.ELLIPSIS
    assert task.offer("stand", "jackdaw").title.startswith("Let it stand: failure, ")
    hopeless = Task(RAVEN, difficulty=40)
    roll(hopeless, 1, 2)
    assert hopeless.plain.phase is Phase.OVER, "no die and no technique makes 40 of it"
    costly = Task(RAVEN, difficulty=40, harm="failure")
    roll(costly, 1, 2)
    assert costly.plain.phase is Phase.ELLIPSIS, "each point more is a rank less to lose"
