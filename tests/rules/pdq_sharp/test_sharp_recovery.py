"""What comes back when a scene ends, and what training buys (PS-33, PS-34, PS-47)."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.moves import Outcome
from rules.registry import system_of
from rules.sheet import Become, Damage, Gain, Raise, Sheet, Spend, Trait
from rules.system import GrowthRules
from rules.systems.pdq_sharp.recovery import RecoveryMove, close_scene, place, recover_now, scene_over
from rules.values import BadMove
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE, hurt, sheet_of

RAVEN = sheet_of("Jackdaw", JACKDAW, scene_hits=2)
GROWTH: GrowthRules = system_of("pdq_sharp").growth


def test_ps_33_failures_come_back_and_wounds_are_rolled() -> None:
    both = replace(hurt(RAVEN, bow=3), traits=tuple(
        replace(trait, damage=3, failures=1) if trait.id == "bow" else trait for trait in RAVEN.traits))
    change = close_scene([both])
    assert Damage("bow", -1) in change.effects
    assert [(new_allocation.sheet, new_allocation.type) for new_allocation in change.pending] == [("jackdaw", "roll")]
    assert not close_scene([hurt(RAVEN, failures=True, bow=2)]).pending


def test_ps_33_the_roll_is_2d6_and_healers_bring_their_modifier() -> None:
    move = RecoveryMove()
    quick = move.resolve(move.read({"fortes": ["expert"]}), [2, 3])
    assert isinstance(quick, Outcome) and quick.result["recovered"] == 9
    slow = move.resolve(move.read({"slow": True}), [])
    assert isinstance(slow, Outcome) and slow.result["recovered"] == 1
    assert move.odds(move.read({}), "recovered")[7] == Fraction(1, 6)
    assert move.odds(move.read({"slow": True}), "recovered") == {1: Fraction(1)}


def test_ps_33_ranks_go_back_where_the_player_likes() -> None:
    low = hurt(RAVEN, bow=2, fencing=1)
    assert place(low, "recovery", 2, {"bow": 1, "fencing": 1}) == (Damage("bow", -1), Damage("fencing", -1))
    assert place(low, "recovery", 9, {"bow": 2, "fencing": 1})
    for spread in ({"bow": 3}, {"bow": 1}, {"forester": 2}, {"bow": 3, "fencing": -1}):
        with pytest.raises(BadMove):
            place(low, "recovery", 2, spread)


def test_ps_34_who_is_mostly_dead_does_not_heal_by_rest() -> None:
    dead = replace(RAVEN, traits=(*hurt(RAVEN, bow=3).traits, Trait("d", "fallen", "Mostly dead", 1)))
    change = close_scene([dead])
    assert not change.pending and any(step.rule == "PS-34" for step in change.steps)
    with pytest.raises(BadMove):
        place(dead, "recovery", 1, {"bow": 1})


def test_ps_12_a_motivation_that_waits_for_another_already_is_left_as_it_is() -> None:
    waits = replace(RAVEN, traits=(*RAVEN.traits, Trait("b", "burned", "Ruin the Margrave", 2)))
    assert scene_over(waits) == ()
    assert [step.rule for step in close_scene([waits]).steps] == ["PS-33"]


def test_ps_12_a_burned_motivation_waits_for_another_when_the_scene_ends() -> None:
    burned = replace(RAVEN, traits=(*RAVEN.traits, Trait("b", "burned", "Ruin the Margrave", 1)))
    assert scene_over(burned) == (Raise("b", 1),)
    assert [step.rule for step in close_scene([burned]).steps] == ["PS-33", "PS-12"]
    again = recover_now([burned])
    assert not again.effects and [step.rule for step in again.steps] == ["PS-33"], "the scene goes on"


@pytest.mark.parametrize(("choice", "cost"), [
    ("raise:bow", 4), ("technique:fencing", 2), ("technique:bow", 4), ("technique:", 6), ("forte", 8), ("foible", 4),
])
def test_ps_47_prices(choice: str, cost: int) -> None:
    def offered(points: int) -> dict[str, int]:
        sheet = replace(RAVEN, pools=(("training_points", points),))
        return {purchase.choice: purchase.cost for purchase in GROWTH.purchases(sheet, {})}

    assert offered(cost)[choice] == cost and choice not in offered(cost - 1)


def test_ps_47_a_new_forte_comes_with_a_hook() -> None:
    sheet: Sheet = replace(RAVEN, pools=(("training_points", 8),))
    wanted = next(purchase for purchase in GROWTH.purchases(sheet, {}) if purchase.choice == "forte")
    effects = GROWTH.buy(sheet, wanted, "Sailing", {}, words="Shanghaied")  # type: ignore[call-arg]
    assert [effect.kind for effect in effects if isinstance(effect, Gain)] == ["forte", "hook"]
    assert Spend("jackdaw", "training_points", -8) in effects


def test_ps_05_training_buys_a_sidekick_and_betters_one() -> None:
    rider = replace(sheet_of("Serafine", SERAFINE), pools=(("training_points", 24),))
    offered = {purchase.choice: purchase for purchase in GROWTH.purchases(rider, {})}
    assert offered["raise:horse"].cost == 4 and offered["within:horse"].cost == 4
    effects = GROWTH.buy(rider, offered["within:horse"], "Location: Marsh", {}, words="A winter in the fens")
    assert Gain("serafine", "sidekick_technique", "Marsh", 2, note="Horse", parent="ember the mare") in effects
    effects = GROWTH.buy(rider, offered["within:ember the mare"], "Swimming", {}, words="She fell off a barge")
    assert [effect.kind for effect in effects if isinstance(effect, Gain)] == ["sidekick_forte", "hook"]
    effects = GROWTH.buy(rider, offered["sidekick"], "Otto the squire", {}, words="He was sent by an aunt")
    assert [effect.kind for effect in effects if isinstance(effect, Gain)] == ["sidekick", "hook"]
    assert Spend("serafine", "training_points", -8) in effects


def test_ps_48_a_hook_is_written_down_filled_in_and_used() -> None:
    sheet, game = replace(RAVEN, traits=(*RAVEN.traits, Trait("h", "hook", "Bow", 0))), system_of("pdq_sharp").sheet
    open_ones = {action.action for action in game.actions(sheet, {}) if not action.by}
    assert {"hook", "use_hook", "write_hook"} <= open_ones
    assert game.act(sheet, {}, "hook", {"name": "The twin", "from": ""}).effects == (
        Gain("jackdaw", "hook", "The twin", 0, note="The GM"),)
    written = game.act(sheet, {}, "write_hook", {"line": "h", "name": "A debt"})
    assert written.effects == (Become("h", "hook", "A debt"),)
    assert game.act(sheet, {}, "use_hook", {"line": "h"}).effects == (Raise("h", 1),)
    used = replace(RAVEN, traits=(*RAVEN.traits, Trait("h", "hook", "Bow", 1)))
    assert "use_hook" not in {action.action for action in game.actions(used, {})}
