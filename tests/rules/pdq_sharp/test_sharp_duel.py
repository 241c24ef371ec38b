"""Duels, rule by rule: order, engagement, splits, the clash and its damage (PS-20 to PS-26, PS-30 to PS-32)."""
from __future__ import annotations

import pytest

from rules.procedure import Perspective
from rules.systems.pdq_sharp.duel.dice import shown
from rules.systems.pdq_sharp.duel.state import Phase
from rules.values import BadMove
from tests.rules.pdq_sharp.dueling import Bench, fencer, squad

AN, BO = fencer("An", 1, 2, cooking=1), fencer("Bo", 2, 1, dancing=1)
VILE = fencer("Vile", 2, 2, npc=True, lurking=1, scheming=2)


def turn(bench: Bench, *splits: tuple[str, str], faces: tuple[int, ...]) -> None:
    """All divide their dice, the last with the faces that fall for all, by initiative."""
    for who, stance in splits[:-1]:
        bench.do("stance", who, stance=stance, fortes=[f"{who}.fencing"])
    who, stance = splits[-1]
    bench.do("stance", who, *faces, stance=stance, fortes=[f"{who}.fencing"])


def order(bench: Bench) -> list[list[str]]:
    places = sorted({fencer.place for fencer in bench.plain.fencers})
    return [[fencer.id for fencer in bench.plain.fencers if fencer.place == place] for place in places]


def test_ps_20_the_most_style_dice_act_first_then_rank_and_a_pc_wins_the_tie() -> None:
    assert order(Bench([AN, BO], [VILE])) == [["vile"], ["an"], ["bo"]]
    same = fencer("Grim", 1, 2, npc=True)
    assert order(Bench([AN], [same])) == [["an"], ["grim"]]
    assert order(Bench([AN], [fencer("Cy", 1, 2)])) == [["an", "cy"]]


def test_ps_20_the_first_may_cede_initiative_to_a_foe() -> None:
    bench = Bench([AN], [fencer("Grim", 1, 0, npc=True)])
    assert not bench.can("cede", "grim")
    bench.do("cede", "an", to="grim")
    assert order(bench) == [["grim"], ["an"]]


def test_ps_20_surprise_loses_initiative_in_the_first_turn_alone() -> None:
    bench = Bench([AN], [fencer("Grim", 1, 0, npc=True)], surprise={"an": "surprised"})
    assert order(bench) == [["grim"], ["an"]]
    bench.face_off("an", "grim")
    turn(bench, ("an", "all_out_defence"), ("grim", "all_out_defence"), faces=(1,) * 6)
    while bench.plain.turn == 1:
        bench.do("stand", "an")
    assert order(bench) == [["an"], ["grim"]]


def test_ps_20_taken_unawares_one_only_defends_strongly() -> None:
    bench = Bench([fencer("An", 1)], [fencer("Grim", 1, npc=True)], surprise={"an": "unaware"})
    bench.face_off("an", "grim")
    with pytest.raises(BadMove):
        bench.do("stance", "an", stance="strong_attack")
    bench.do("stance", "grim", stance="all_out_attack", fortes=["grim.fencing"])
    bench.do("stance", "an", 6, 6, 6, 3, 3, stance="strong_defence", fortes=["an.fencing"])
    assert bench.plain.wound_of("an").amount == 12 and bench.plain.wound_of("grim") is None  # type: ignore[union-attr]


def test_ps_21_two_foes_at_most_and_four_split_into_pairs_and_trios() -> None:
    bench = Bench([AN, BO, fencer("Cy", 0)], [VILE, squad("Red", 3), squad("Blue", 3)])
    with pytest.raises(BadMove):
        bench.do("engage", "vile", foes=["an", "bo", "cy"])
    bench.do("engage", "vile", foes=["an", "bo"])
    assert bench.plain.bouts == (("vile", "an", "bo"),)
    # Whoever comes later can't make the trio a crowd.
    assert {fencer.id for fencer in bench.plain.undecided} == {"cy", "red", "blue"}
    bench.do("engage_npcs")
    assert sorted(map(len, bench.plain.bouts)) == [3, 3]


def test_ps_21_nobody_engages_two_where_the_first_makes_a_trio() -> None:
    bench = Bench([AN, BO], [fencer("Red", 0, npc=True), fencer("Blue", 0, npc=True)])
    first, second = [fencer.id for fencer in bench.plain.undecided if fencer.id in ("an", "bo")]
    while bench.plain.undecided[0].id != first:
        bench.do("hold_back", bench.plain.undecided[0].id)
    bench.do("engage", first, foes=["red"])
    with pytest.raises(BadMove, match="engaged together"):
        bench.do("engage", second, foes=["red", "blue"])


def test_ps_22_the_four_splits_and_no_dice_leave_the_mods_alone() -> None:
    bench = Bench([fencer("An", 1)], [fencer("Grim", 1, npc=True)])
    bench.face_off("an", "grim")
    turn(bench, ("an", "all_out_attack"), ("grim", "all_out_defence"), faces=(1, 2, 3, 4, 4, 4))
    assert bench.said("8 to attack Grim, 2 to defend") and bench.said("2 to attack An, 14 to defend")


def test_ps_22_a_split_is_sealed_until_all_have_chosen() -> None:
    bench = Bench([AN], [VILE])
    bench.face_off("an", "vile")
    chosen = bench.do("stance", "an", stance="strong_attack")
    assert chosen.sealed and not chosen.dice and "strong" not in repr(chosen.steps)
    for viewer in (Perspective(), Perspective(runs=True)):
        assert "strong_attack" not in repr(bench.kind.view(bench.state, bench.sheets, viewer).detail.cards)
    shown = bench.kind.act(bench.state, bench.sheets, "vile", "stance", {"stance": "strong_attack"}, (1,) * 6)
    assert not getattr(shown, "sealed", True) and len(getattr(shown, "dice", ())) == 6


def test_ps_22_the_player_puts_a_bonus_die_on_either_side_or_lets_it_lie_where_it_helps() -> None:
    sabre = fencer("An", 1, 1, techniques=[("sabre", 5)])
    bench = Bench([sabre], [fencer("Grim", 1, npc=True)])
    bench.face_off("an", "grim")
    turn(bench, ("an", "strong_attack"), ("grim", "strong_defence"), faces=(3, 3, 2, 2, 5, 5))
    bench.do("add", "an", 6, **{"use_an.sabre": "die|"})
    throw = bench.plain.throw_of("an")
    assert throw and shown(throw) == {"grim": (3, 3), "defence": (6,)}
    bench.do("place_die", "an", where="0|grim")
    throw = bench.plain.throw_of("an")
    assert throw and shown(throw) == {"grim": (6, 3), "defence": (2,)}


def test_ps_23_attack_at_or_above_defence_hurts_by_the_difference_and_the_volte_face_comes_anyway() -> None:
    frail = fencer("Frail", 0, npc=True)
    bench = Bench([fencer("An", 1, cooking=1, dancing=1, singing=2)], [frail])
    bench.face_off("an", "frail")
    turn(bench, ("an", "all_out_attack"), ("frail", "all_out_attack"), faces=(6, 6, 6, 5, 5, 5))
    assert bench.said("Volte-face: Frail 15 against An 2: a touch, 13")
    bench.do("place_npcs")  # 20 ranks, and it could lose 2
    assert bench.plain.fencer("frail").out == "fallen" and bench.plain.phase is Phase.DAMAGE
    bench.do("place", "an", spread=bench.offer("place", "an").now["spread"])  # type: ignore[index]
    assert sum(trait.damage for trait in bench.sheets["an"].traits) == 13


def test_ps_23_one_defence_meets_all_foes_and_each_foe_has_an_attack_of_their_own() -> None:
    bench = Bench([fencer("An", 1)], [squad("Red", 3, 0), squad("Blue", 3, 0)])
    bench.do("engage", "an", foes=["red", "blue"])
    done = bench.do("stances", npc_0="all_out_defence", npc_1="all_out_attack")
    assert done.sealed
    bench.do("stance", "an", 6, 6, 1, 1, 4, 1, 1, 1, 2, 2, 2, stance="strong_attack", fortes=["an.fencing"])
    assert bench.said("An: 14 to attack Red, 4 to attack Blue, 6 to defend.")
    assert bench.said("An 14 against Red 3: a touch") and bench.said("Blue 6 against An 6: a tie")


def test_ps_24_a_tie_is_the_pcs_and_between_pcs_nothing_happens() -> None:
    bench = Bench([fencer("An", 1)], [fencer("Grim", 1, npc=True, lurking=1)])
    bench.face_off("an", "grim")
    turn(bench, ("an", "strong_attack"), ("grim", "strong_defence"), faces=(2, 2, 6, 1, 2, 2))
    assert bench.plain.wound_of("grim").amount == 1  # type: ignore[union-attr]
    duel = Bench([fencer("An", 1)], [fencer("Cy", 1)])
    duel.face_off("an", "cy")
    turn(duel, ("an", "strong_attack"), ("cy", "strong_defence"), faces=(2, 2, 6, 1, 2, 2))
    assert duel.plain.turn == 2 and duel.said("a tie, and nothing happens")
    assert [duel.sheets[id_].pool("training_points") for id_ in ("an", "cy")] == [0, 1]  # Cy's own attack missed


def test_ps_25_a_squad_has_a_die_for_each_minion_and_loses_one_for_each_hit() -> None:
    bench = Bench([fencer("An", 2)], [squad("Guards", 5)])
    bench.face_off("an", "guards")
    bench.do("stances", npc_0="strong_defence")
    bench.do("stance", "an", 6, 4, 6, 1, 1, 1, 2, 5, stance="strong_attack", fortes=["an.fencing"])
    # Of 1 | 1 1 and the two more, 5 and 2: the highest over the lowest, the attack first.
    assert bench.said("Guards: 7 to attack An, 5 to defend") and bench.said("An 14 against Guards 5: a touch, 9")
    assert bench.plain.over and bench.plain.winner == "Ours"
    assert bench.lost("guards.n") == 5


def test_ps_25_a_squad_of_one_is_no_squad_and_two_throw_two_dice() -> None:
    with pytest.raises(BadMove, match="challenge"):
        Bench([AN], [squad("Guards", 1)])
    bench = Bench([fencer("An", 0)], [squad("Guards", 3, 0)])
    bench.face_off("an", "guards")
    bench.do("stances", npc_0="all_out_defence")
    bench.do("stance", "an", 6, 5, 1, 3, 3, 4, stance="strong_attack", fortes=["an.fencing"])
    assert bench.plain.turn == 2 and bench.lost("guards.n") == 1
    bench.do("stances", npc_0="strong_attack")
    bench.do("stance", "an", 1, 1, 1, 6, 5, stance="all_out_attack", fortes=["an.fencing"])  # two dice: 1 | 1
    assert bench.said("Guards: 6 to attack An, 5 to defend")


def test_ps_26_a_gang_has_one_who_rolls_and_the_others_mods() -> None:
    bench = Bench([fencer("An", 1, 3), fencer("Bo", 2, 0)], [fencer("Grim", 0, 1, npc=True)])
    bench.do("engage", "an", foes=["grim"])
    bench.do("back_up", "bo", whom="an", fortes=["bo.fencing"])
    assert bench.said("Bo backs An and adds") and not bench.said("Bad form")
    turn(bench, ("an", "strong_attack"), ("grim", "strong_attack"), faces=(1, 1, 1, 1, 1, 1))
    assert bench.said("An: 8 to attack Grim, 7 to defend") and bench.plain.throw_of("bo") is None


def test_ps_26_several_against_a_small_squad_is_bad_form() -> None:
    bench = Bench([fencer("An", 1, 3), fencer("Bo", 2, 0)], [squad("Guards", 3)])
    bench.do("engage", "an", foes=["guards"])
    bench.do("back_up", "bo", whom="an", fortes=["bo.fencing"])
    assert bench.said("Bad form")
    assert any("Bad form" in fact for fact in bench.kind.view(bench.state, bench.sheets, Perspective()).facts)


def test_ps_14_each_failed_roll_of_a_pc_teaches_and_a_side_without_dice_was_no_roll() -> None:
    bench = Bench([fencer("An", 0, cooking=3)], [fencer("Grim", 0, npc=True)])
    bench.face_off("an", "grim")
    turn(bench, ("an", "strong_attack"), ("grim", "strong_attack"), faces=(1, 1, 1, 2, 2, 3))
    assert bench.sheets["an"].pool("training_points") == 2  # the attack missed, the defence failed
    bench.do("place", "an", spread=bench.offer("place", "an").now["spread"])  # type: ignore[index]
    turn(bench, ("an", "all_out_defence"), ("grim", "all_out_defence"), faces=(1, 1, 1, 2, 2, 2))
    assert bench.sheets["an"].pool("training_points") == 2


def test_ps_30_ranks_go_where_the_player_likes_and_the_first_hit_leaves_a_hook() -> None:
    bench = Bench([fencer("An", 0, cooking=3, singing=2)], [fencer("Grim", 0, npc=True)], harm="failure")
    bench.face_off("an", "grim")
    turn(bench, ("an", "strong_attack"), ("grim", "strong_attack"), faces=(1, 1, 1, 2, 2, 3))
    with pytest.raises(BadMove):
        bench.do("place", "an", spread={"an.cooking": 2})
    bench.do("place", "an", spread={"an.cooking": 2, "an.singing": 1}, first="an.singing")
    sheet = bench.sheets["an"]
    assert (bench.lost("an.cooking"), bench.lost("an.singing")) == (2, 1)
    assert [trait.name for trait in sheet.traits if trait.kind == "hook"] == ["Singing"]


@pytest.mark.parametrize(("conflict", "becomes"), [
    ("physical", "mostly dead"), ("mental", "driven insane"), ("social", "a social pariah"),
    ("professional", "bankrupted")])
def test_ps_31_whoever_has_nothing_left_is_out_by_the_kind_of_conflict(conflict: str, becomes: str) -> None:
    bench = Bench([fencer("An", 0)], [fencer("Grim", 3, npc=True)], conflict=conflict)
    bench.face_off("an", "grim")
    turn(bench, ("grim", "all_out_attack"), ("an", "all_out_attack"), faces=(1, 1, 1, 6, 6, 6))
    bench.do("place_npcs")
    bench.do("place", "an", spread={"an.fencing": 2})
    assert bench.plain.fencer("an").out == "fallen" and bench.said(becomes)
    assert any(trait.kind == "fallen" for trait in bench.sheets["an"].traits)


def test_ps_32_a_coup_de_grace_is_for_the_helpless_and_is_asked_twice() -> None:
    bench = Bench([fencer("An", 3, cooking=1)], [fencer("Grim", 0, npc=True)])
    bench.face_off("an", "grim")
    assert not bench.can("kill", "an")
    turn(bench, ("an", "all_out_attack"), ("grim", "all_out_defence"), faces=(6, 6, 6, 1, 1, 1))
    bench.do("place_npcs")
    assert bench.plain.phase is Phase.AFTERMATH
    bench.do("kill", "an", target="grim")
    assert not bench.sheets["grim"].dead and not bench.plain.over
    bench.do("spare", "an")
    assert bench.plain.phase is Phase.AFTERMATH
    bench.do("kill", "an", target="grim")
    bench.do("confirm_kill", "an")
    assert not bench.sheets["grim"].dead and not bench.can("confirm_kill", "an")
    bench.do("rule_kill", answer="yes")
    assert bench.sheets["grim"].dead and bench.plain.over


def test_ps_32_nobody_is_killed_by_words() -> None:
    bench = Bench([fencer("An", 3)], [fencer("Grim", 0, npc=True)], conflict="social")
    bench.face_off("an", "grim")
    turn(bench, ("an", "all_out_attack"), ("grim", "all_out_defence"), faces=(6, 6, 6, 1, 1, 1))
    bench.do("place_npcs")
    assert bench.plain.over and bench.plain.winner == "Ours"


def test_ps_49_firearms_add_their_mod_or_their_target_number_to_a_hit() -> None:
    for setting, more in (("plain", 0), ("mod", 4), ("tn", 11)):
        bench = Bench([fencer("An", 0, pistols=2)], [squad("Guards", 40)], firearms=setting)
        bench.face_off("an", "guards")
        bench.do("stances", npc_0="all_out_attack")
        if more:
            bench.do("arm", which=["an|an.pistols"])
        given = {"firearm": "an.pistols"} if more else {}
        bench.do("stance", "an", 6, 6, 6, *[1] * 40, stance="all_out_attack", fortes=["an.pistols"], **given)
        assert bench.said(f"An 22 against Guards 2: a touch, {20 + more}")


@pytest.mark.parametrize(("places", "left"), [("easiest", None), ("own", 4)])
def test_ps_30_who_lets_it_stand_may_say_that_the_damage_lies_where_it_hurts_least(
    places: str, left: int | None
) -> None:
    bench = Bench([fencer("An", 1, 2, cooking=2)], [fencer("Grim", 1, npc=True)])
    bench.face_off("an", "grim")
    turn(bench, ("an", "strong_defence"), ("grim", "strong_attack"), faces=(1, 2, 2, 4, 4, 4))
    offer = bench.offer("stand", "an")
    assert [words for _, words in offer.options["places"]] == [  # type: ignore[index]
        "0 given, 4 taken: where it hurts least", "0 given, 4 taken: you assign it"]
    bench.do("stand", "an", places=places)
    wound = bench.plain.wound_of("an")
    assert (wound.amount if wound else None) == left
    lost = {trait.id: trait.damage for trait in bench.sheets["an"].traits if trait.damage}
    assert lost == ({} if left else {"an.cooking": 4}), lost


def test_ps_31_what_takes_somebody_out_is_asked_for_still() -> None:
    bench = Bench([fencer("An", 1, 1)], [fencer("Grim", 1, npc=True)])
    bench.face_off("an", "grim")
    turn(bench, ("an", "all_out_attack"), ("grim", "strong_attack"), faces=(1, 1, 1, 6, 6, 6))
    assert bench.plain.live and not bench.offer("stand", "an").fields
    bench.do("stand", "an")
    assert bench.can("place", "an")
