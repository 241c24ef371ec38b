"""Damage in PDQ#: where it goes, what it leaves, and who is out (PS-30 to PS-32)."""
from __future__ import annotations

from dataclasses import replace

import pytest

from rules.sheet import Damage, Gain, Sheet, Trait
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.chart import GOOD
from rules.systems.pdq_sharp.reading import capacity, how_fallen, is_out, minions_left, modifier_of, rank_words, zeroed
from rules.values import BadMove
from tests.rules.pdq_sharp.people import JACKDAW, hurt, sheet_of

RAVEN: Sheet = sheet_of("Jackdaw", JACKDAW)
SQUAD = Sheet("guards", "Guards", (Trait("n", "squad", "Guards", 4), Trait("f", "forte", "Guards", GOOD)), npc=True)


def gained(taken: harm.Harm, kind: str) -> list[Gain]:
    return [effect for effect in taken.effects if isinstance(effect, Gain) and effect.kind == kind]


def test_ps_30_damage_goes_where_the_player_likes() -> None:
    taken = harm.take(RAVEN, 3, {"bow": 2, "forester": 1}, harm.WOUND)
    assert [effect
            for effect in taken.effects if isinstance(effect, Damage)] == [Damage("bow", 2), Damage("forester", 1)]
    (hook,) = gained(taken, "hook")
    assert (hook.name, hook.note) == ("Bow", harm.FIRST_HIT)


def test_ps_30_the_player_says_which_forte_takes_the_first_hit() -> None:
    taken = harm.take(RAVEN, 3, {"bow": 2, "forester": 1}, first="forester", why="Duel on the bridge")
    assert gained(taken, "hook")[0].name == "Forester" and "Duel on the bridge" in gained(taken, "hook")[0].note


def test_ps_30_only_the_first_hit_of_a_scene_makes_a_hook() -> None:
    again = replace(RAVEN, pools=(("scene_hits", 1),))
    assert not gained(harm.take(again, 1, {"bow": 1}), "hook")


@pytest.mark.parametrize("spread", [{"bow": 1}, {"bow": 4}, {"vengeful": 3}, {"showy": 3}, {"bow": 4, "fencing": -1}])
def test_ps_30_it_is_all_placed_and_only_on_fortes(spread: dict[str, int]) -> None:
    with pytest.raises(BadMove):
        harm.take(RAVEN, 3, spread)


def test_ps_30_temporary_fortes_and_foibles_take_none() -> None:
    borrowed = replace(RAVEN, traits=(*RAVEN.traits, Trait("fame", "temporary", "Fame", GOOD)))
    assert capacity(borrowed) == capacity(RAVEN) == 4 + 4 * 3
    with pytest.raises(BadMove):
        harm.take(borrowed, 1, {"fame": 1})


def test_ps_31_below_poor_a_forte_is_zeroed_out_and_makes_a_hook() -> None:
    taken = harm.take(replace(RAVEN, pools=(("scene_hits", 2),)), 3, {"bow": 3})
    assert gained(taken, "hook")[0].note == harm.ZEROED and "Bow: zeroed out." in taken.steps[1].text
    gone = hurt(RAVEN, bow=3)
    assert [trait.name for trait in zeroed(gone)] == ["Bow"]
    assert modifier_of(gone.trait("bow") or Trait("", "", "", 0)) == 0
    with pytest.raises(BadMove):
        harm.take(gone, 1, {"bow": 1})


def test_ps_31_nothing_left_is_mostly_dead() -> None:
    every = {trait.id: trait.value + 2 for trait in RAVEN.traits if trait.kind in
             ("motivation", "past", "swashbuckling", "forte")}
    taken = harm.take(RAVEN, 99, every, fall=3)
    assert taken.falls and gained(taken, "fallen")[0].value == 3
    gone = hurt(RAVEN, **every)
    assert is_out(gone) and how_fallen(gone) == "mostly dead"


def test_ps_31_one_rank_is_enough_for_a_minion() -> None:
    lout = Sheet("lout", "Lout", (Trait("n", "squad", "Lout", 1), Trait("f", "forte", "Cudgel", GOOD)), npc=True)
    taken = harm.take(lout, 5, {"n": 1})
    assert taken.falls and not gained(taken, "hook")


def test_ps_25_each_hit_takes_one_of_a_squad() -> None:
    taken = harm.take(SQUAD, 3, {"n": 3})
    assert taken.effects == (Damage("n", 3),) and "3 are out, 1 left" in taken.steps[0].text
    assert minions_left(replace(SQUAD, traits=(replace(SQUAD.traits[0], damage=3), SQUAD.traits[1]))) == 1


def test_ps_12_a_burned_motivation_counts_twice() -> None:
    motivation = next(trait for trait in RAVEN.traits if trait.kind == "motivation")
    burned = replace(RAVEN, traits=(*RAVEN.traits, Trait("b", "burned", motivation.name, 1)))
    assert rank_words(burned, [motivation]) == ["good", "good"] and rank_words(RAVEN, [motivation]) == ["good"]


def test_ps_13_a_foible_is_rolled_as_poor() -> None:
    assert rank_words(RAVEN, [RAVEN.traits[0]]) == ["poor"]
